extension PictureHeader {
    /// Returns whether a JPEG is complete, so that its pixels are followed by the end-of-image marker.
    ///
    /// A decoder shows the existing part of a truncated picture and fills the rest with grey.
    public static func isWholeJPEG(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var offset = 2
        while offset + 2 <= bytes.count {
            guard bytes[offset] == 0xFF else {
                // In the pixel data, 0xFF is followed by zero or by a restart marker.
                offset += 1
                continue
            }
            let marker = bytes[offset + 1]
            if marker == 0xD9 { return true }
            if marker == 0xFF {
                offset += 1
            } else if marker <= 0x01 || (0xD0...0xD8).contains(marker) {
                offset += 2
            } else {
                guard offset + 4 <= bytes.count else { return false }
                offset += 2 + max(2, Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3]))
            }
        }
        return false
    }
}
