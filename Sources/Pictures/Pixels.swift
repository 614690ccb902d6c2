/// The pixels of a picture, row by row from the top, each with a byte for red, green, blue and alpha.
public struct Pixels: Equatable, Sendable {
    public let width: Int
    public let height: Int
    /// The pixels, with 4 bytes each; colours are not premultiplied by alpha.
    public let bytes: [UInt8]

    /// Creates a picture, or returns `nil` if the number of bytes does not match the size.
    public init?(width: Int, height: Int, bytes: [UInt8]) {
        guard width > 0, height > 0, bytes.count == width * height * 4 else { return nil }
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    /// The pixel at a column and a row, which must be within the picture.
    @inlinable public subscript(column: Int, row: Int) -> (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
        let start = (row * width + column) * 4
        return (bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3])
    }

    /// Returns the picture with an orientation applied, so that it is upright.
    public func turned(_ orientation: Orientation) -> Pixels {
        guard orientation != .upright else { return self }
        let (columns, rows) = orientation.swapsSides ? (height, width) : (width, height)
        let result = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
            bytes.withUnsafeBufferPointer { input in
                for row in 0..<rows {
                    for column in 0..<columns {
                        let (x, y) = source(column, row, orientation)
                        let (from, to) = ((y * width + x) * 4, (row * columns + column) * 4)
                        for channel in 0..<4 { output[to + channel] = input[from + channel] }
                    }
                }
            }
            count = bytes.count
        }
        return Pixels(width: columns, height: rows, bytes: result) ?? self
    }

    /// Returns the stored position of a pixel of the upright picture.
    private func source(_ column: Int, _ row: Int, _ orientation: Orientation) -> (x: Int, y: Int) {
        let (right, bottom) = (width - 1, height - 1)
        return switch orientation {
        case .upright: (column, row)
        case .mirrored: (right - column, row)
        case .turnedAround: (right - column, bottom - row)
        case .flipped: (column, bottom - row)
        case .transposed: (row, column)
        case .turnedRight: (row, bottom - column)
        case .transversed: (right - row, bottom - column)
        case .turnedLeft: (right - row, column)
        }
    }

    /// Returns the picture in another size, in which each pixel is the average of those that it covers.
    public func scaled(width: Int, height: Int) -> Pixels {
        var scaler = BoxScaler(from: (self.width, self.height), to: (width, height))
        bytes.withUnsafeBufferPointer { bytes in
            for row in 0..<self.height {
                scaler.add(UnsafeBufferPointer(rebasing: bytes[row * self.width * 4..<(row + 1) * self.width * 4]))
            }
        }
        return scaler.pixels ?? self
    }
}

/// The computation of sizes that fit into a limit.
public enum PictureFit {
    /// Returns the largest size with the same proportions within a limit, at least 1 by 1 and never larger than the
    /// picture itself.
    public static func within(
        width: Int, height: Int, maximumWidth: Int, maximumHeight: Int
    ) -> (width: Int, height: Int) {
        guard width > maximumWidth || height > maximumHeight else { return (width, height) }
        let scale = min(Double(maximumWidth) / Double(width), Double(maximumHeight) / Double(height))
        func side(_ length: Int, _ most: Int) -> Int { min(most, max(1, Int((Double(length) * scale).rounded()))) }
        return (side(width, maximumWidth), side(height, maximumHeight))
    }
}
