#if canImport(CPNG)
import CPNG
import Pictures

/// Reads and writes PNG with the simplified API of libpng, which returns on an error but has the whole picture in memory;
/// `PNGCodec+Rows.swift` reads rows.
enum PNGCodec {
    /// Red, green, blue and alpha, 8 bits each: `PNG_FORMAT_RGBA`.
    private static let rgba = UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)

    /// Decodes a whole PNG, or returns `nil` if it is damaged or does not fit into memory.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> Pixels? {
        let image = UnsafeMutablePointer<png_image>.allocate(capacity: 1)
        image.initialize(to: png_image())
        defer { image.deallocate() }
        image.pointee.version = UInt32(PNG_IMAGE_VERSION)
        guard png_image_begin_read_from_memory(image, bytes.baseAddress, bytes.count) != 0 else { return nil }
        defer { png_image_free(image) }
        image.pointee.format = rgba
        let (width, height) = (Int(image.pointee.width), Int(image.pointee.height))
        var isWhole = false
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            isWhole = png_image_finish_read(image, nil, buffer.baseAddress, Int32(width * 4), nil) != 0
            count = isWhole ? width * height * 4 : 0
        }
        return isWhole ? Pixels(width: width, height: height, bytes: pixels) : nil
    }

    /// Encodes a picture, or returns `nil` if there is not enough memory.
    ///
    /// - Parameter isFast: Whether to save time at the cost of a larger file.
    static func encode(_ pixels: Pixels, isFast: Bool = false) -> [UInt8]? {
        encode(pixels.bytes, width: pixels.width, height: pixels.height, bytesPerPixel: 4, colors: nil, isFast: isFast)
    }

    /// Encodes a picture with at most 256 colours: 6 shades of red, 7 of green and 6 of blue, and a transparent one.
    static func encodePalette(_ pixels: Pixels) -> [UInt8]? {
        var colors: [UInt8] = []
        for index in 0..<252 {
            let (red, green, blue) = (index / 42, index / 6 % 7, index % 6)
            colors += [UInt8(red * 255 / 5), UInt8(green * 255 / 6), UInt8(blue * 255 / 5), 255]
        }
        colors += [0, 0, 0, 0]
        let indices = [UInt8](unsafeUninitializedCapacity: pixels.width * pixels.height) { output, count in
            pixels.bytes.withUnsafeBufferPointer { input in
                for pixel in 0..<pixels.width * pixels.height {
                    func shade(_ channel: Int, _ most: Int) -> Int {
                        (Int(input[pixel * 4 + channel]) * most + 127) / 255
                    }
                    let isClear = input[pixel * 4 + 3] < 128
                    output[pixel] = isClear ? 252 : UInt8(shade(0, 5) * 42 + shade(1, 6) * 6 + shade(2, 5))
                }
            }
            count = pixels.width * pixels.height
        }
        return encode(
            indices, width: pixels.width, height: pixels.height, bytesPerPixel: 1, colors: colors, isFast: false)
    }

    private static func encode(
        _ bytes: [UInt8], width: Int, height: Int, bytesPerPixel: Int, colors: [UInt8]?, isFast: Bool
    ) -> [UInt8]? {
        let image = UnsafeMutablePointer<png_image>.allocate(capacity: 1)
        image.initialize(to: png_image())
        defer { image.deallocate() }
        image.pointee.version = UInt32(PNG_IMAGE_VERSION)
        (image.pointee.width, image.pointee.height) = (UInt32(width), UInt32(height))
        image.pointee.format = rgba | (colors == nil ? 0 : UInt32(PNG_FORMAT_FLAG_COLORMAP))
        image.pointee.colormap_entries = UInt32((colors?.count ?? 0) / 4)
        if isFast { image.pointee.flags |= UInt32(PNG_IMAGE_FLAG_FAST) }
        defer { png_image_free(image) }
        // Incompressible pixels grow by less than a thousandth. The rest of the buffer is for the palette and the
        // chunks.
        let room = bytes.count + height + bytes.count / 256 + 8192
        var isWhole = false
        let output = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            var size = png_alloc_size_t(room)
            isWhole =
                png_image_write_to_memory(
                    image, buffer.baseAddress, &size, 0, bytes, Int32(width * bytesPerPixel), colors) != 0
            count = isWhole ? Int(size) : 0
        }
        return isWhole ? output : nil
    }
}
#endif
