/// Finds grapheme clusters in raw UTF-8, for common scalars with a table of ranges, for others with the standard
/// library.
public enum Clusters {
    /// The greatest length of a cluster in bytes; the bytes after it count as the next cluster.
    ///
    /// Unicode's stream-safe text format has a similar limit of 30 combining marks in a row. The longest emoji cluster
    /// has some 50 bytes, and letters decorated with many marks have 200. Without a limit, a text that is one cluster
    /// of a megabyte would be scanned at every keystroke.
    public static let maximumLength = 256

    /// Returns the end of the cluster that starts at `start`, which must be before the end of `bytes`.
    ///
    /// This takes a few nanoseconds for ASCII and for scripts without combining marks, and about 50 for the rest.
    @inlinable public static func end(from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let first = bytes[start]
        if first < 0x80 {
            let next = start + 1
            guard next < bytes.count else { return next }
            if bytes[next] < 0x80 { return first == 0x0D && bytes[next] == 0x0A ? next + 1 : next }
            return isAlone(scalar(at: next, in: bytes)) ? next : endByStandardLibrary(from: start, in: bytes)
        }
        let next = start + scalarLength(first)
        let this = scalar(at: start, in: bytes)
        if isAlone(this), next >= bytes.count || isSurelyBetween(this, scalar(at: next, in: bytes)) { return next }
        return endByStandardLibrary(from: start, in: bytes)
    }

    /// Returns the start of the last cluster of `bytes`, which must start at a cluster and not be empty.
    ///
    /// `isSure` is false if all clusters were cut for their length, so that the result depends on where `bytes` starts.
    @inlinable public static func startOfLast(in bytes: UnsafeBufferPointer<UInt8>) -> (start: Int, isSure: Bool) {
        var start = safeStart(before: bytes.count, in: bytes)
        var isSure = start > 0
        while true {
            let next = end(from: start, in: bytes)
            if next >= bytes.count { return (start, isSure) }
            // A cluster that was cut for its length has as many whole scalars as fit.
            isSure = isSure || next - start < maximumLength - 3
            start = next
        }
    }

    /// Returns the first cluster boundary at or after `position`, which is `position` itself at both ends of `bytes`.
    ///
    /// `bytes` must start at a cluster, or long before `position`. A renderer needs this for text that is written in
    /// pieces: a terminal joins matching scalars to the cluster before the cursor, so a piece that begins inside a
    /// cluster would take fewer columns than were counted for it.
    public static func boundary(atOrAfter position: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard position > 0, position < bytes.count else { return position }
        var next = position
        while next < bytes.count, bytes[next] & 0xC0 == 0x80 { next += 1 }
        guard next < bytes.count else { return next }
        let before = scalar(at: scalarStart(before: next, in: bytes), in: bytes)
        if isSurelyBetween(before, scalar(at: next, in: bytes)) { return next }
        var start = safeStart(before: next, in: bytes)
        while start < position { start = end(from: start, in: bytes) }
        return start
    }

    /// Returns whether a cluster starts at `position` or `position` is the end of `bytes`.
    ///
    /// `bytes` must start at a cluster, or long before `position`; a scalar must start at `position`.
    public static func isBoundary(_ position: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        position >= bytes.count || boundary(atOrAfter: position, in: bytes) == position
    }

    /// Returns a position before `end` where a cluster certainly starts, as close to `end` as a cheap test finds.
    @usableFromInline static func safeStart(before end: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var position = scalarStart(before: end, in: bytes)
        while position > 0 {
            let previous = scalarStart(before: position, in: bytes)
            if isSurelyBetween(scalar(at: previous, in: bytes), scalar(at: position, in: bytes)) { return position }
            position = previous
        }
        return 0
    }

    /// Returns whether there is certainly a cluster boundary between two scalars, whatever surrounds them.
    @inlinable public static func isSurelyBetween(_ a: UInt32, _ b: UInt32) -> Bool {
        if a == 0x0D && b == 0x0A { return false }
        if a == 0x0A || a == 0x0D || b == 0x0A || b == 0x0D { return true }
        return (a < 0x80 || isAlone(a)) && (b < 0x80 || isAlone(b)) && !(isFlagHalf(a) && isFlagHalf(b))
    }

    /// Returns the start of the scalar before `end`.
    @inlinable public static func scalarStart(before end: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var position = end - 1
        while position > 0, bytes[position] & 0xC0 == 0x80 { position -= 1 }
        return position
    }

    @usableFromInline static func endByStandardLibrary(from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        // 64 bytes hold all realistic clusters; if a cluster fills the span, the span grows up to the limit.
        var span = 64
        while true {
            var end = min(start + span, bytes.count)
            while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
            let length = text.utf8.distance(from: text.startIndex, to: text.index(after: text.startIndex))
            if start + length < end || end == bytes.count || span >= maximumLength { return start + length }
            span *= 2
        }
    }
}

// MARK: - Scalars

extension Clusters {
    /// Returns the number of bytes of a scalar, given its first byte.
    @inlinable @inline(__always) public static func scalarLength(_ first: UInt8) -> Int {
        first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    }

    /// Returns the scalar that starts at `index`; the bytes must be valid UTF-8.
    @inlinable @inline(__always) public static func scalar(at index: Int, in bytes: UnsafeBufferPointer<UInt8>)
        -> UInt32
    {
        let first = bytes[index]
        if first < 0x80 { return UInt32(first) }
        if first < 0xE0 { return UInt32(first & 0x1F) << 6 | continuation(index + 1, bytes) }
        if first < 0xF0 {
            return UInt32(first & 0x0F) << 12 | continuation(index + 1, bytes) << 6 | continuation(index + 2, bytes)
        }
        return UInt32(first & 0x07) << 18 | continuation(index + 1, bytes) << 12
            | continuation(index + 2, bytes) << 6 | continuation(index + 3, bytes)
    }

    @inlinable @inline(__always) static func continuation(_ index: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        UInt32(bytes[index] & 0x3F)
    }

    /// Returns whether a scalar above ASCII is always a separate cluster next to ASCII or other simple scalars.
    ///
    /// These are letters and symbols that are never joined with a neighbour except by a combining mark. The ranges are
    /// from Unicode 17's GraphemeBreakProperty, narrowed to be safe.
    @inlinable @inline(__always) public static func isSimple(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xA0...0xAC, 0xAE...0x2FF, 0x370...0x482, 0x48A...0x58F: true
        case 0x2010...0x2027, 0x2030...0x205E, 0x20A0...0x20BF, 0x2190...0x22FF, 0x2500...0x259F: true
        case 0x3000...0x3029, 0x3030...0x3098, 0x309B...0x9FFF: true
        case 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF01...0xFF9D, 0xFFE0...0xFFE6, 0x20000...0x3FFFD: true
        default: false
        }
    }

    /// Returns whether a scalar above ASCII begins a cluster, unless it follows a joiner or the first half of a flag.
    @inlinable @inline(__always) static func isAlone(_ scalar: UInt32) -> Bool {
        isSimple(scalar) || isPicture(scalar) || isFlagHalf(scalar) || isControl(scalar)
    }

    /// Returns whether a scalar above ASCII is a control, which is always a separate cluster.
    @inlinable static func isControl(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x80...0x9F, 0xAD, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }

    /// Returns whether a scalar is in one of the pictographic blocks that contain no combining marks.
    ///
    /// In Unicode 17 these are Extended_Pictographic, the scalars reserved for it, and symbols.
    @inlinable static func isPicture(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x2600...0x27BF, 0x1F300...0x1F3FA, 0x1F400...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF: true
        default: false
        }
    }

    /// Returns whether a scalar is a regional indicator, two of which make a flag.
    @inlinable static func isFlagHalf(_ scalar: UInt32) -> Bool { (0x1F1E6...0x1F1FF).contains(scalar) }
}
