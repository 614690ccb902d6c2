/// Where clusters end in a text that is written in pieces.
///
/// A terminal joins to the cluster before the cursor whatever belongs to it, so a piece that begins inside of a cluster
/// would take fewer columns than it is counted for, and all that follows would stand in the wrong place.
public enum ClusterBoundary {
    /// The first boundary at or after an offset.
    public static func next(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard offset > 0, offset < bytes.count, mayJoin(bytes[offset]) else { return offset }
        var start = offset - 1
        while start > 0, bytes[start] >= 0x80 { start -= 1 }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start...]), as: UTF8.self)
        var boundary = start
        for character in text where boundary < offset { boundary += character.utf8.count }
        return min(max(boundary, offset), bytes.count)
    }

    /// Whether a scalar that begins with a byte may join to what is before it: no ASCII, no letter up to U+02FF and no
    /// ideograph of U+4000 to U+9FFF does.
    private static func mayJoin(_ byte: UInt8) -> Bool {
        switch byte {
        case ..<0x80, 0xC3...0xCB, 0xE4...0xE9: false
        default: true
        }
    }
}
