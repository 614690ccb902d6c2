import Pictures
import Testing

@testable import DecodedPictures

#if canImport(CJPEG)

/// Tests the child process's work on complete pictures; damaged ones end the process, as `tn show --pictures` shows.
struct PictureWorkTests {
    /// Returns a picture whose left half is red and whose right half is blue.
    private func picture(width: Int, height: Int, alpha: UInt8 = 255) throws -> Pixels {
        let bytes = (0..<width * height).flatMap { pixel -> [UInt8] in
            pixel % width < width / 2 ? [255, 0, 0, alpha] : [0, 0, 255, alpha]
        }
        return try #require(Pixels(width: width, height: height, bytes: bytes))
    }

    private func answer(
        _ request: PictureRequest, _ file: [UInt8]
    ) throws -> (width: Int, height: Int, bytes: [UInt8]) {
        let answer = try file.withUnsafeBytes { try PictureWork($0).answer(request) }
        func number(_ start: Int) -> Int { (0..<4).reduce(0) { $0 | Int(answer[start + $1]) << ($1 * 8) } }
        return (number(0), number(4), Array(answer.dropFirst(8)))
    }

    /// Returns a JPEG with EXIF data that describes it as rotated.
    private func turnedJPEG(width: Int, height: Int) throws -> [UInt8] {
        let file = JPEGCodec.encode(try picture(width: width, height: height), quality: 90)
        let lead = PictureHeaderTests.jpeg(width: 1, height: 1, orientation: 6)
        // This is all of the lead except its frame header, and then all of the file except its start.
        return Array(lead.dropLast(11)) + file.dropFirst(2)
    }

    @Test func `a PNG and a JPEG give pixels in the size that is wanted`() throws {
        let whole = try picture(width: 64, height: 32)
        for file in [try #require(PNGCodec.encode(whole)), JPEGCodec.encode(whole, quality: 90)] {
            let found = try answer(.pixels(width: 4, height: 2), file)
            let pixels = try #require(Pixels(width: found.width, height: found.height, bytes: found.bytes))
            #expect((pixels.width, pixels.height) == (4, 2))
            #expect(pixels[0, 0].red > 240 && pixels[0, 0].blue < 15 && pixels[0, 0].alpha == 255)
            #expect(pixels[3, 1].blue > 240 && pixels[3, 1].red < 15)
        }
    }

    @Test func `a picture that lies on its side is turned upright and keeps no metadata`() throws {
        let file = try turnedJPEG(width: 64, height: 32)
        let shown = try answer(.pixels(width: 2, height: 4), file)
        let pixels = try #require(Pixels(width: shown.width, height: shown.height, bytes: shown.bytes))
        // The left half becomes the upper one.
        #expect(pixels[0, 0].red > 240 && pixels[0, 3].blue > 240)
        let reduced = try answer(.reduced(side: 16), file)
        #expect((reduced.width, reduced.height) == (8, 16))
        let header = try #require(reduced.bytes.withUnsafeBytes { PictureHeader($0) })
        #expect((header.format, header.orientation, header.width) == (.jpeg, .upright, 8))
        #expect(!String(decoding: reduced.bytes, as: UTF8.self).contains("Exif"))
    }

    @Test func `a transparent PNG stays a transparent PNG when it is reduced`() throws {
        let file = try #require(PNGCodec.encode(try picture(width: 64, height: 32, alpha: 100)))
        let reduced = try answer(.reduced(side: 16), file)
        let pixels = try #require(reduced.bytes.withUnsafeBytes { PNGCodec.decode($0) })
        #expect((pixels.width, pixels.height, pixels[0, 0].alpha) == (16, 8, 100))
    }

    @Test func `a grey PNG stays a PNG when it is reduced`() throws {
        // One pixel of colour type 0.
        let header: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55]
        let pixel: [UInt8] = [0x78, 0xDA, 0x63, 0x68, 0, 0, 0, 0x82, 0, 0x81, 0xDA, 0x45, 0x08, 0x3B]
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        let file =
            start + Array("IHDR".utf8) + header + [0, 0, 0, 10] + Array("IDAT".utf8) + pixel + [0, 0, 0, 0]
            + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
        let reduced = try answer(.reduced(side: 16), file)
        let read = try #require(reduced.bytes.withUnsafeBytes { PictureHeader($0) })
        #expect((read.format, read.width, read.height) == (.png, 1, 1))
    }

    @Test func `a PNG for a slow line has few colours and is halved until it is small enough`() throws {
        var state: UInt32 = 1
        let noise = (0..<128 * 128 * 4).map { index -> UInt8 in
            state = state &* 1_664_525 &+ 1_013_904_223
            return index % 4 == 3 ? 255 : UInt8(state >> 24)
        }
        let pixels = try #require(Pixels(width: 128, height: 128, bytes: noise))
        let file = try #require(PNGCodec.encode(pixels))
        let small = try answer(.png(width: 128, height: 128, limit: 4096), file)
        #expect(small.bytes.count <= 4096 && small.width < 128 && small.width >= 32)
        let free = try answer(.png(width: 64, height: 64, limit: nil), file)
        #expect((free.width, free.height) == (64, 64))
        let shown = try #require(small.bytes.withUnsafeBytes { PNGCodec.decode($0) })
        #expect((shown.width, shown.height) == (small.width, small.height))
    }

    @Test func `rows of a PNG have the colours of the whole picture`() throws {
        let grey: [[UInt8]] = [[0, 85, 170, 255], [10, 20, 30, 40]]
        let colors: [[UInt8]] = [[255, 0, 0, 0, 255, 0], [0, 0, 255, 200, 100, 50]]
        let palette = (name: "PLTE", data: [200, 10, 20, 30, 140, 250] as [UInt8])
        let gamma = (name: "gAMA", data: [0, 1, 0x86, 0xA0] as [UInt8])
        let files = [
            PNGFile(width: 4, height: 2, colorType: 0, rows: grey),
            PNGFile(width: 4, height: 2, colorType: 0, chunks: [("tRNS", [0, 85])], rows: grey),
            PNGFile(width: 8, height: 2, depth: 1, colorType: 0, rows: [[0b1010_0110], [0b0111_0001]]),
            PNGFile(width: 2, height: 2, depth: 16, colorType: 0, rows: grey),
            PNGFile(width: 2, height: 2, rows: colors),
            PNGFile(width: 2, height: 2, chunks: [gamma], rows: colors),
            PNGFile(width: 1, height: 2, depth: 16, rows: colors),
            PNGFile(
                width: 4, height: 2, depth: 1, colorType: 3, chunks: [palette], rows: [[0b1010_0000], [0b0110_0000]]),
            PNGFile(
                width: 4, height: 2, depth: 1, colorType: 3, chunks: [palette, ("tRNS", [9])],
                rows: [[0b1010_0000], [0b0110_0000]]),
            PNGFile(width: 2, height: 2, colorType: 4, rows: grey),
            PNGFile(width: 1, height: 2, colorType: 6, chunks: [gamma], rows: grey),
        ].map(\.bytes)
        for file in files {
            let whole = try #require(file.withUnsafeBytes { PNGCodec.decode($0) })
            var rows: [UInt8] = []
            file.withUnsafeBytes { bytes in
                PNGCodec.decode(bytes) {
                    #expect(($0, $1) == (whole.width, whole.height))
                } row: {
                    rows += $0
                }
            }
            #expect(rows == whole.bytes)
        }
    }

    @Test func `an interlaced PNG has fewer pixels, since it is decoded as a whole`() throws {
        var file = PNGFile(width: 5_000, height: 6_000)
        file.isInterlaced = true
        #expect(try file.bytes.withUnsafeBytes { try PictureWork($0).header.isInterlaced })
        file.height = 7_000
        #expect(throws: PictureFailure.tooLarge(width: 5_000, height: 7_000)) {
            try answer(.pixels(width: 1, height: 1), file.bytes)
        }
        // One pixel is in the first pass.
        let small = PNGFile(width: 1, height: 1, isInterlaced: true, rows: [[1, 2, 3]])
        #expect(try answer(.pixels(width: 1, height: 1), small.bytes).bytes == [1, 2, 3, 255])
    }

    @Test func `damaged and enormous pictures are refused`() throws {
        #expect(throws: PictureFailure.broken) { try answer(.pixels(width: 1, height: 1), [1, 2, 3]) }
        let enormous = PictureHeaderTests.jpeg(width: 60_000, height: 2_000)
        #expect(throws: PictureFailure.tooLarge(width: 60_000, height: 2_000)) {
            try answer(.pixels(width: 1, height: 1), enormous)
        }
    }
}

#endif
