#if canImport(CPNG)
import CPNG
import Glibc

/// Reads the rows of a PNG one by one.
///
/// libpng's error handler must not return then, and Swift cannot use `longjmp`, so an error ends the process, as one of
/// libjpeg does.
extension PNGCodec {
    /// The exit status for a damaged picture.
    private static let brokenStatus: Int32 = 65

    /// Decodes a PNG that is not interlaced, with the colours that `decode` gives.
    ///
    /// - Parameters:
    ///   - begin: Called with the size of the picture.
    ///   - row: Called with each row, in 4 bytes a pixel.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, begin: (Int, Int) -> Void, row: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        var rest = bytes
        withUnsafeMutablePointer(to: &rest) { rest in
            var png = png_create_read_struct(
                PNG_LIBPNG_VER_STRING, nil, { _, _ in _exit(PNGCodec.brokenStatus) }, { _, _ in })
            var info = png_create_info_struct(png)
            defer { png_destroy_read_struct(&png, &info, nil) }
            png_set_read_fn(png, rest) { png, buffer, count in
                guard let rest = png_get_io_ptr(png)?.assumingMemoryBound(to: UnsafeRawBufferPointer.self), let buffer,
                    let start = rest.pointee.baseAddress, rest.pointee.count >= count
                else { _exit(PNGCodec.brokenStatus) }
                memcpy(buffer, start, count)
                rest.pointee = UnsafeRawBufferPointer(rebasing: rest.pointee[count...])
            }
            png_set_benign_errors(png, 1)
            png_read_info(png, info)
            wantPixels(of: png, info)
            png_read_update_info(png, info)
            let (columns, rows) = (Int(png_get_image_width(png, info)), Int(png_get_image_height(png, info)))
            begin(columns, rows)
            let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: columns * 4)
            defer { buffer.deallocate() }
            for _ in 0..<rows {
                png_read_row(png, buffer.baseAddress, nil)
                row(UnsafeBufferPointer(buffer))
            }
        }
    }

    /// Asks for red, green, blue and alpha, 8 bits each, whatever the file has, as the simplified API does.
    private static func wantPixels(of png: png_structp?, _ info: png_infop?) {
        let isDeep = png_get_bit_depth(png, info) == 16
        png_set_expand(png)
        png_set_gray_to_rgb(png)
        // The gamma of files that tell none, and then that of the pixels.
        png_set_alpha_mode_fixed(png, PNG_ALPHA_PNG, isDeep ? PNG_GAMMA_LINEAR : PNG_DEFAULT_sRGB)
        png_set_alpha_mode_fixed(png, PNG_ALPHA_PNG, PNG_DEFAULT_sRGB)
        png_set_scale_16(png)
        // Only pixels without an alpha get one.
        png_set_add_alpha(png, 255, PNG_FILLER_AFTER)
    }
}
#endif
