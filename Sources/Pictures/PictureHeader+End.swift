extension PictureHeader {
    /// Whether a JPEG goes on to its end: the marker that ends a picture follows its pixels.
    ///
    /// A decoder shows what there is of a picture that was cut off, and grey for the rest.
    public static func isWholeJPEG(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var offset = 2
        while offset + 2 <= bytes.count {
            guard bytes[offset] == 0xFF else {
                // The pixels: in them 0xFF is followed by zero, or by the marker of a restart.
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
