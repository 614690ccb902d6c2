/// The format, the size and the orientation of a picture, read from its first bytes without a decoder.
///
/// Only JPEG and PNG are recognised. The bytes may be truncated after the header and need not be valid.
public struct PictureHeader: Equatable, Sendable {
    public enum Format: Sendable {
        case jpeg, png
    }

    public var format: Format
    /// The stored size in pixels, before the orientation is applied.
    public var width: Int
    public var height: Int
    /// The orientation of the stored pixels.
    public var orientation = Orientation.upright
    /// Whether pixels may be transparent.
    public var hasAlpha = false
    /// Whether it is a PNG of shades of grey alone, such as a scan, in which JPEG would show.
    public var isGray = false
    /// Whether it is a PNG whose rows come in seven passes, of which only the last completes the picture.
    public var isInterlaced = false

    /// The size in pixels after the orientation is applied.
    public var shownWidth: Int { orientation.swapsSides ? height : width }
    public var shownHeight: Int { orientation.swapsSides ? width : height }

    /// Reads the header, or returns `nil` if the bytes are not a JPEG or PNG or end before the size.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        if let header = Self.jpeg(bytes) ?? Self.png(bytes) { self = header } else { return nil }
    }

    init(format: Format, width: Int, height: Int) {
        (self.format, self.width, self.height) = (format, width, height)
    }
}

/// The orientation of EXIF, which tells where the first stored row and column are when the picture is shown.
public enum Orientation: Int, Sendable {
    case upright = 1
    case mirrored, turnedAround, flipped, transposed, turnedRight, transversed, turnedLeft

    /// Whether width and height are exchanged when the picture is shown.
    public var swapsSides: Bool { rawValue >= 5 }
}

// MARK: - JPEG

extension PictureHeader {
    /// Reads the segments of a JPEG (ITU T.81, annex B) up to the frame header, which has the size.
    private static func jpeg(_ bytes: UnsafeRawBufferPointer) -> PictureHeader? {
        guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8, bytes[2] == 0xFF else { return nil }
        var orientation = Orientation.upright
        var offset = 2
        while offset + 4 <= bytes.count {
            guard bytes[offset] == 0xFF else { return nil }
            let marker = bytes[offset + 1]
            // Any number of 0xFF may precede a marker.
            if marker == 0xFF {
                offset += 1
                continue
            }
            // Markers without a segment.
            if marker == 0x01 || (0xD0...0xD8).contains(marker) {
                offset += 2
                continue
            }
            let length = bytes.number(at: offset + 2, size: 2, bigEndian: true)
            // This is the end of the image or the start of the pixel data, and there was no size before it.
            guard length >= 2, marker != 0xD9, marker != 0xDA else { return nil }
            if isFrame(marker) {
                guard offset + 9 <= bytes.count else { return nil }
                let height = bytes.number(at: offset + 5, size: 2, bigEndian: true)
                let width = bytes.number(at: offset + 7, size: 2, bigEndian: true)
                guard width > 0, height > 0 else { return nil }
                var header = PictureHeader(format: .jpeg, width: width, height: height)
                header.orientation = orientation
                return header
            }
            if marker == 0xE1 { orientation = exif(bytes, offset + 4, length - 2) ?? orientation }
            offset += 2 + length
        }
        return nil
    }

    /// Returns whether a marker starts a frame header; 0xC4, 0xC8 and 0xCC are other markers in that range.
    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
    }

    private static func exif(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ length: Int) -> Orientation? {
        let name: [UInt8] = Array("Exif\0\0".utf8)
        guard length > name.count, start + length <= bytes.count, bytes[start..<start + name.count].elementsEqual(name)
        else { return nil }
        return tiff(UnsafeRawBufferPointer(rebasing: bytes[start + name.count..<start + length]))
    }

    /// Returns the orientation in the first directory of EXIF data, which is a TIFF file (TIFF 6.0, section 2).
    private static func tiff(_ bytes: UnsafeRawBufferPointer) -> Orientation? {
        guard bytes.count >= 8, bytes[0] == bytes[1], bytes[0] == 0x4D || bytes[0] == 0x49 else { return nil }
        let isBig = bytes[0] == 0x4D
        let directory = bytes.number(at: 4, size: 4, bigEndian: isBig)
        guard directory >= 8, directory + 2 <= bytes.count else { return nil }
        let count = bytes.number(at: directory, size: 2, bigEndian: isBig)
        for entry in 0..<count {
            let start = directory + 2 + entry * 12
            guard start + 12 <= bytes.count else { return nil }
            // Tag 0x112 is the orientation, a short (type 3) stored in the entry itself.
            guard bytes.number(at: start, size: 2, bigEndian: isBig) == 0x112 else { continue }
            return Orientation(rawValue: bytes.number(at: start + 8, size: 2, bigEndian: isBig))
        }
        return nil
    }
}

// MARK: - PNG

extension PictureHeader {
    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Reads the chunks of a PNG (W3C PNG, section 5) before the pixels.
    private static func png(_ bytes: UnsafeRawBufferPointer) -> PictureHeader? {
        guard bytes.count >= 33, bytes.prefix(8).elementsEqual(pngSignature),
            bytes[12..<16].elementsEqual("IHDR".utf8)
        else { return nil }
        let width = bytes.number(at: 16, size: 4, bigEndian: true)
        let height = bytes.number(at: 20, size: 4, bigEndian: true)
        guard (1...Int(Int32.max)).contains(width), (1...Int(Int32.max)).contains(height) else { return nil }
        var header = PictureHeader(format: .png, width: width, height: height)
        // Colour types 4 and 6 have an alpha channel.
        header.hasAlpha = bytes[25] & 4 != 0
        // Colour types 0 and 4 are grey (W3C PNG, 11.2.1).
        header.isGray = bytes[25] & 3 == 0
        header.isInterlaced = bytes[28] == 1
        var offset = 33
        while offset + 8 <= bytes.count {
            let length = bytes.number(at: offset, size: 4, bigEndian: true)
            let name = bytes[offset + 4..<offset + 8]
            if name.elementsEqual("IDAT".utf8) || name.elementsEqual("IEND".utf8) { break }
            if name.elementsEqual("tRNS".utf8) { header.hasAlpha = true }
            let data = offset + 8
            if name.elementsEqual("eXIf".utf8), length <= bytes.count - data {
                let exif = UnsafeRawBufferPointer(rebasing: bytes[data..<data + length])
                header.orientation = tiff(exif) ?? header.orientation
            }
            // Length, name, data and checksum.
            offset = data + length + 4
        }
        return header
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the unsigned number in `size` bytes at an offset, which must be within the buffer.
    fileprivate func number(at offset: Int, size: Int, bigEndian: Bool) -> Int {
        self[offset..<offset + size].reduce((value: 0, shift: 0)) { result, byte in
            bigEndian
                ? (result.value << 8 | Int(byte), 0) : (result.value | Int(byte) << result.shift, result.shift + 8)
        }.value
    }
}
