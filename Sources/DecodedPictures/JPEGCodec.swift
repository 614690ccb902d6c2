#if canImport(CJPEG)
import CJPEG
import Glibc
import Pictures

/// Reads and writes JPEG with libjpeg-turbo.
///
/// The library's error handler must not return, and Swift cannot use `longjmp`, so an error ends the process. It runs
/// in a child process that does nothing else.
enum JPEGCodec {
    /// The exit status for a damaged picture.
    static let brokenStatus: Int32 = 65

    /// Decodes a JPEG row by row.
    ///
    /// - Parameters:
    ///   - width: The least width of the result; down to it the decoder may reduce the picture, to an eighth at most.
    ///   - begin: Called with the size of the decoded picture.
    ///   - row: Called with each row, in 4 bytes a pixel.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, atLeast width: Int, _ height: Int,
        begin: (Int, Int) -> Void, row: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        let errors = UnsafeMutablePointer<jpeg_error_mgr>.allocate(capacity: 1)
        let info = UnsafeMutablePointer<jpeg_decompress_struct>.allocate(capacity: 1)
        defer {
            info.deallocate()
            errors.deallocate()
        }
        info.initialize(to: jpeg_decompress_struct())
        info.pointee.err = prepared(errors)
        jpeg_CreateDecompress(info, JPEG_LIB_VERSION, MemoryLayout<jpeg_decompress_struct>.size)
        jpeg_mem_src(info, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count))
        jpeg_read_header(info, 1)
        setScale(info, width, height)
        let isPrint = info.pointee.jpeg_color_space == JCS_CMYK || info.pointee.jpeg_color_space == JCS_YCCK
        info.pointee.out_color_space = isPrint ? JCS_CMYK : JCS_EXT_RGBA
        jpeg_start_decompress(info)
        let columns = Int(info.pointee.output_width)
        begin(columns, Int(info.pointee.output_height))
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: columns * 4)
        defer { buffer.deallocate() }
        while info.pointee.output_scanline < info.pointee.output_height {
            var line: JSAMPROW? = buffer.baseAddress
            jpeg_read_scanlines(info, &line, 1)
            if isPrint { convertInks(buffer, areInverted: info.pointee.saw_Adobe_marker != 0) }
            row(UnsafeBufferPointer(buffer))
        }
        jpeg_finish_decompress(info)
        jpeg_destroy_decompress(info)
    }

    private static func prepared(_ errors: UnsafeMutablePointer<jpeg_error_mgr>) -> UnsafeMutablePointer<
        jpeg_error_mgr
    >? {
        errors.initialize(to: jpeg_error_mgr())
        jpeg_std_error(errors)
        errors.pointee.error_exit = { _ in _exit(JPEGCodec.brokenStatus) }
        // Warnings are ignored, so that the intact part of a damaged picture is shown.
        errors.pointee.output_message = { _ in }
        return errors
    }

    /// Lets the decoder reduce the picture by eighths, which saves most of its work.
    private static func setScale(_ info: UnsafeMutablePointer<jpeg_decompress_struct>, _ width: Int, _ height: Int) {
        info.pointee.scale_denom = 8
        let (fullWidth, fullHeight) = (Int(info.pointee.image_width), Int(info.pointee.image_height))
        let scale = (1...8).first { fullWidth * $0 / 8 >= width && fullHeight * $0 / 8 >= height } ?? 8
        info.pointee.scale_num = UInt32(scale)
    }

    /// Converts cyan, magenta, yellow and black to red, green, blue and alpha; Adobe's programs store the inks
    /// inverted.
    private static func convertInks(_ row: UnsafeMutableBufferPointer<UInt8>, areInverted: Bool) {
        for pixel in stride(from: 0, to: row.count, by: 4) {
            let black = areInverted ? Int(row[pixel + 3]) : 255 - Int(row[pixel + 3])
            for channel in 0..<3 {
                let light = areInverted ? Int(row[pixel + channel]) : 255 - Int(row[pixel + channel])
                row[pixel + channel] = UInt8(light * black / 255)
            }
            row[pixel + 3] = 255
        }
    }

    /// Encodes a picture without its alpha channel.
    static func encode(_ pixels: Pixels, quality: Int32) -> [UInt8] {
        let errors = UnsafeMutablePointer<jpeg_error_mgr>.allocate(capacity: 1)
        let info = UnsafeMutablePointer<jpeg_compress_struct>.allocate(capacity: 1)
        defer {
            info.deallocate()
            errors.deallocate()
        }
        info.initialize(to: jpeg_compress_struct())
        info.pointee.err = prepared(errors)
        jpeg_CreateCompress(info, JPEG_LIB_VERSION, MemoryLayout<jpeg_compress_struct>.size)
        var output: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        let result = withUnsafeMutablePointer(to: &output) { output in
            withUnsafeMutablePointer(to: &size) { size in
                jpeg_mem_dest(info, output, size)
                (info.pointee.image_width, info.pointee.image_height) = (UInt32(pixels.width), UInt32(pixels.height))
                info.pointee.input_components = 4
                info.pointee.in_color_space = JCS_EXT_RGBX
                jpeg_set_defaults(info)
                jpeg_set_quality(info, quality, 1)
                jpeg_start_compress(info, 1)
                var rows = pixels.bytes
                rows.withUnsafeMutableBufferPointer { rows in
                    for row in 0..<pixels.height {
                        var line: JSAMPROW? = rows.baseAddress.map { $0 + row * pixels.width * 4 }
                        jpeg_write_scanlines(info, &line, 1)
                    }
                }
                jpeg_finish_compress(info)
                return Array(UnsafeBufferPointer(start: output.pointee, count: Int(size.pointee)))
            }
        }
        jpeg_destroy_compress(info)
        free(output)
        return result
    }
}
#endif
