import Pictures

/// Decodes a picture and produces the requested result, in the child process.
struct PictureWork {
    let bytes: UnsafeRawBufferPointer
    let header: PictureHeader

    /// The most pixels of a picture that is decoded row by row.
    static let maximumPixels = 100_000_000
    /// The most pixels of an interlaced PNG, which is decoded as a whole: with 4 bytes a pixel, half of the memory that
    /// `PictureChild` has, so that the largest file has room beside it.
    static let maximumInterlacedPixels = 32_000_000

    /// - Throws: `broken` or `tooLarge`, according to the header.
    init(_ bytes: UnsafeRawBufferPointer) throws(PictureFailure) {
        header = try Self.checked(PictureHeader(bytes))
        self.bytes = bytes
    }

    /// - Throws: `broken` if there is no header, `tooLarge` if there are too many pixels.
    static func checked(_ header: PictureHeader?) throws(PictureFailure) -> PictureHeader {
        guard let header else { throw .broken }
        // Both sides are less than 2^31, so that the product does not overflow.
        guard header.width * header.height <= (header.isInterlaced ? maximumInterlacedPixels : maximumPixels) else {
            throw .tooLarge(width: header.width, height: header.height)
        }
        return header
    }

    /// Returns the response to a request: the width and the height in 4 bytes each, little-endian, then the pixels or
    /// the file.
    func answer(_ request: PictureRequest) throws(PictureFailure) -> [UInt8] {
        switch request {
        case .pixels(let width, let height):
            let pixels = try upright(width, height)
            return Self.numbers(pixels.width, pixels.height) + pixels.bytes
        case .png(let width, let height, let limit):
            let size = PictureFit.within(
                width: header.shownWidth, height: header.shownHeight, maximumWidth: width, maximumHeight: height)
            return try png(try upright(size.width, size.height), limit: limit)
        case .reduced(let side):
            let size = PictureFit.within(
                width: header.shownWidth, height: header.shownHeight, maximumWidth: side, maximumHeight: side)
            let pixels = try upright(size.width, size.height)
            let isPNG = header.hasAlpha || header.isGray
            guard let file = isPNG ? Self.png(pixels) : Self.jpeg(pixels) else { throw .tooCostly }
            return Self.numbers(pixels.width, pixels.height) + file
        }
    }

    private func png(_ whole: Pixels, limit: Int?) throws(PictureFailure) -> [UInt8] {
        var pixels = whole
        while true {
            guard let file = limit == nil ? Self.png(pixels, isFast: true) : Self.palettePNG(pixels) else {
                throw .tooCostly
            }
            if let limit, file.count > limit, pixels.width > 1 || pixels.height > 1 {
                pixels = pixels.scaled(width: max(1, pixels.width / 2), height: max(1, pixels.height / 2))
                continue
            }
            return Self.numbers(pixels.width, pixels.height) + file
        }
    }

    private static func numbers(_ width: Int, _ height: Int) -> [UInt8] {
        [width, height].flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    }

    /// Returns the picture, upright and scaled to a size.
    private func upright(_ width: Int, _ height: Int) throws(PictureFailure) -> Pixels {
        let (columns, rows) = header.orientation.swapsSides ? (height, width) : (width, height)
        guard let pixels = decoded(columns, rows) else { throw .broken }
        return pixels.turned(header.orientation)
    }
}

#if canImport(CJPEG)
extension PictureWork {
    private func decoded(_ width: Int, _ height: Int) -> Pixels? {
        if header.isInterlaced {
            guard let whole = PNGCodec.decode(bytes) else { return nil }
            return (whole.width, whole.height) == (width, height) ? whole : whole.scaled(width: width, height: height)
        }
        var scaler: BoxScaler?
        let begin = { (columns: Int, rows: Int) in scaler = BoxScaler(from: (columns, rows), to: (width, height)) }
        let row: (UnsafeBufferPointer<UInt8>) -> Void = { scaler?.add($0) }
        switch header.format {
        case .jpeg: JPEGCodec.decode(bytes, atLeast: width, height, begin: begin, row: row)
        case .png: PNGCodec.decode(bytes, begin: begin, row: row)
        }
        return scaler?.pixels
    }

    private static func png(_ pixels: Pixels, isFast: Bool = false) -> [UInt8]? {
        PNGCodec.encode(pixels, isFast: isFast)
    }
    private static func palettePNG(_ pixels: Pixels) -> [UInt8]? { PNGCodec.encodePalette(pixels) }
    private static func jpeg(_ pixels: Pixels) -> [UInt8]? { JPEGCodec.encode(pixels, quality: 85) }
}
#else
extension PictureWork {
    private func decoded(_ width: Int, _ height: Int) -> Pixels? {
        SystemCodec.decode(bytes, side: max(width, height))?.scaled(width: width, height: height)
    }

    private static func png(_ pixels: Pixels, isFast: Bool = false) -> [UInt8]? {
        SystemCodec.encode(pixels, type: "public.png", quality: 1)
    }
    private static func palettePNG(_ pixels: Pixels) -> [UInt8]? { png(pixels) }
    private static func jpeg(_ pixels: Pixels) -> [UInt8]? {
        SystemCodec.encode(pixels, type: "public.jpeg", quality: 0.85)
    }
}
#endif
