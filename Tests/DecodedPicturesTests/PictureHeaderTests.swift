import Pictures
import SeededRandom
import Testing

/// Tests the values that are read from a picture without its decoder.
struct PictureHeaderTests {
    private func header(_ bytes: [UInt8]) -> PictureHeader? { bytes.withUnsafeBytes { PictureHeader($0) } }

    /// Returns a JPEG up to its frame header, with EXIF data that has the orientation.
    static func jpeg(width: Int, height: Int, orientation: Int? = nil, bigEndian: Bool = false) -> [UInt8] {
        func number(_ value: Int, _ size: Int, _ big: Bool) -> [UInt8] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return big ? bytes.reversed() : bytes
        }
        var bytes: [UInt8] = [0xFF, 0xD8]
        if let orientation {
            var exif = Array((bigEndian ? "Exif\0\0MM" : "Exif\0\0II").utf8)
            exif += number(42, 2, bigEndian) + number(8, 4, bigEndian) + number(2, 2, bigEndian)
            exif += number(0x10F, 2, bigEndian) + number(2, 2, bigEndian) + number(1, 4, bigEndian) + [0, 0, 0, 0]
            exif += number(0x112, 2, bigEndian) + number(3, 2, bigEndian) + number(1, 4, bigEndian)
            exif += number(orientation, 2, bigEndian) + [0, 0, 0, 0, 0, 0]
            bytes += [0xFF, 0xE1] + number(exif.count + 2, 2, true) + exif
        }
        return bytes + [0xFF, 0xFF, 0xC0, 0, 17, 8] + number(height, 2, true) + number(width, 2, true) + [3]
    }

    static let png: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 2, 0x80, 0, 0, 1,
        0xE0, 8, 2, 0, 0, 0, 0, 0, 0, 0,
    ]

    @Test func `size, orientation and alpha are read`() throws {
        let upright = try #require(header(Self.jpeg(width: 640, height: 480)))
        #expect((upright.format, upright.shownWidth, upright.orientation) == (.jpeg, 640, .upright))
        for isBig in [false, true] {
            let turned = try #require(header(Self.jpeg(width: 640, height: 480, orientation: 6, bigEndian: isBig)))
            #expect((turned.shownWidth, turned.shownHeight, turned.orientation) == (480, 640, .turnedRight))
        }
        // An unknown orientation is treated as none.
        #expect(header(Self.jpeg(width: 640, height: 480, orientation: 9))?.orientation == .upright)
        let png = try #require(header(Self.png))
        #expect((png.format, png.width, png.height, png.hasAlpha) == (.png, 640, 480, false))
        let transparent: [UInt8] = [0, 0, 0, 2, 0x74, 0x52, 0x4E, 0x53, 0, 0, 1, 2, 3, 4]
        #expect(header(Self.png + transparent)?.hasAlpha == true)
    }

    @Test func `a JPEG that was cut off is told from a whole one, wherever it was cut`() {
        func isWhole(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes(PictureHeader.isWholeJPEG) }
        // The EXIF data contains a small picture with its own end; the pixels contain stuffed bytes and a restart
        // marker.
        let preview: [UInt8] = [0xFF, 0xE1, 0, 8, 0xFF, 0xD8, 1, 2, 0xFF, 0xD9]
        let pixels: [UInt8] = [0xFF, 0xDA, 0, 4, 1, 2, 7, 0xFF, 0, 9, 0xFF, 0xD3, 5, 0xFF, 0xFF, 0xD9]
        let whole = [0xFF, 0xD8] + preview + pixels
        #expect(isWhole(whole))
        // Cameras may write more data after the end.
        #expect(isWhole(whole + Array(repeating: 0xAB, count: 90)))
        for length in 0..<whole.count { #expect(!isWhole(Array(whole.prefix(length))), "\(length)") }
        #expect(!isWhole([0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF]) && !isWhole([]))
    }

    @Test func `what is cut off or damaged is not a picture, and nothing is read beyond it`() {
        let whole = Self.jpeg(width: 640, height: 480, orientation: 6)
        for length in 0..<whole.count - 1 { #expect(header(Array(whole.prefix(length))) == nil) }
        for length in 0..<Self.png.count { #expect(header(Array(Self.png.prefix(length))) == nil) }
        var random = SeededGenerator(seed: 20)
        for _ in 0..<20_000 {
            var bytes = Bool.random(using: &random) ? whole : Self.png + Self.png
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            // Must not trap; most are still pictures.
            if let found = header(bytes) { #expect(found.width > 0 && found.height > 0) }
        }
    }

    @Test func `a picture fits into a limit with its proportions`() {
        func fit(_ width: Int, _ height: Int) -> [Int] {
            let size = PictureFit.within(width: width, height: height, maximumWidth: 100, maximumHeight: 50)
            return [size.width, size.height]
        }
        #expect(fit(100, 50) == [100, 50])
        #expect(fit(20, 10) == [20, 10])
        #expect(fit(400, 100) == [100, 25])
        #expect(fit(100, 400) == [13, 50])
        #expect(fit(100_000, 1) == [100, 1])
    }
}
