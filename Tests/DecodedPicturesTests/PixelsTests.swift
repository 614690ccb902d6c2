import Pictures
import Testing

/// Tests turning and scaling of pixels.
struct PixelsTests {
    /// Returns a picture of grey values, given row by row; 0 is transparent.
    private func pixels(_ rows: [[UInt8]]) throws -> Pixels {
        let bytes = rows.joined().flatMap { [$0, $0, $0, $0 == 0 ? 0 : 255] }
        return try #require(Pixels(width: rows[0].count, height: rows.count, bytes: bytes))
    }

    private func rows(_ pixels: Pixels) -> [[UInt8]] {
        (0..<pixels.height).map { row in (0..<pixels.width).map { pixels[$0, row].red } }
    }

    @Test(arguments: [
        (Orientation.upright, [[1, 2, 3], [4, 5, 6]]), (.mirrored, [[3, 2, 1], [6, 5, 4]]),
        (.turnedAround, [[6, 5, 4], [3, 2, 1]]), (.flipped, [[4, 5, 6], [1, 2, 3]]),
        (.transposed, [[1, 4], [2, 5], [3, 6]]), (.turnedRight, [[4, 1], [5, 2], [6, 3]]),
        (.transversed, [[6, 3], [5, 2], [4, 1]]), (.turnedLeft, [[3, 6], [2, 5], [1, 4]]),
    ])
    func `each orientation of EXIF is turned upright`(orientation: Orientation, upright: [[UInt8]]) throws {
        #expect(rows(try pixels([[1, 2, 3], [4, 5, 6]]).turned(orientation)) == upright)
    }

    @Test func `a smaller picture has averages, a larger one repeats`() throws {
        let picture = try pixels([[10, 20, 30, 40], [30, 40, 50, 60]])
        #expect(rows(picture.scaled(width: 2, height: 1)) == [[25, 45]])
        #expect(rows(picture.scaled(width: 1, height: 1)) == [[35]])
        #expect(rows(picture.scaled(width: 8, height: 4)).map(\.first) == [10, 10, 30, 30])
        #expect(picture.scaled(width: 4, height: 2) == picture)
        for (width, height) in [(3, 5), (7, 1), (1, 7), (5, 3)] {
            let scaled = picture.scaled(width: width, height: height)
            #expect((scaled.width, scaled.height) == (width, height))
        }
    }

    @Test func `transparent pixels give no colour to their neighbours`() throws {
        let scaled = try pixels([[0, 80]]).scaled(width: 1, height: 1)
        #expect(scaled[0, 0] == (80, 80, 80, 128))
    }

    @Test func `bytes that do not fill the size are refused`() {
        #expect(Pixels(width: 2, height: 2, bytes: [1, 2, 3]) == nil)
        #expect(Pixels(width: 0, height: 0, bytes: []) == nil)
    }
}
