#if canImport(ImageIO)
import CoreGraphics
import Foundation
import ImageIO
import Pictures

/// Reads and writes pictures with the frameworks of macOS.
enum SystemCodec {
    /// Decodes a picture, without applying its orientation, reduced to sides up to a length.
    static func decode(_ bytes: UnsafeRawBufferPointer, side: Int) -> Pixels? {
        guard let source = CGImageSourceCreateWithData(Data(bytes) as CFData, nil),
            let space = CGColorSpace(name: CGColorSpace.sRGB)
        else { return nil }
        let options =
            [
                kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceThumbnailMaxPixelSize: side,
            ] as CFDictionary
        guard let image = CGImageSourceCreateThumbnailAtIndex(source, 0, options) else { return nil }
        var pixels = [UInt8](repeating: 0, count: image.width * image.height * 4)
        let isDrawn = pixels.withUnsafeMutableBytes { buffer in
            guard
                let context = CGContext(
                    data: buffer.baseAddress, width: image.width, height: image.height, bitsPerComponent: 8,
                    bytesPerRow: image.width * 4, space: space,
                    bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
            else { return false }
            context.draw(image, in: CGRect(x: 0, y: 0, width: image.width, height: image.height))
            return true
        }
        return isDrawn ? Pixels(width: image.width, height: image.height, bytes: pixels) : nil
    }

    static func encode(_ pixels: Pixels, type: String, quality: Double) -> [UInt8]? {
        let data = NSMutableData()
        guard let provider = CGDataProvider(data: Data(pixels.bytes) as CFData),
            let space = CGColorSpace(name: CGColorSpace.sRGB),
            let image = CGImage(
                width: pixels.width, height: pixels.height, bitsPerComponent: 8, bitsPerPixel: 32,
                bytesPerRow: pixels.width * 4, space: space,
                bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue), provider: provider, decode: nil,
                shouldInterpolate: false, intent: .defaultIntent),
            let output = CGImageDestinationCreateWithData(data, type as CFString, 1, nil)
        else { return nil }
        CGImageDestinationAddImage(
            output, image, [kCGImageDestinationLossyCompressionQuality: quality] as CFDictionary)
        return CGImageDestinationFinalize(output) ? Array(data as Data) : nil
    }
}
#endif
