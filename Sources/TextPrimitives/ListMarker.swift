/// The marker of a list item: `-`, `+`, `*`, or a number with `.` or `)`.
public struct ListMarker: Sendable {
    /// The offset just after the marker.
    public let end: Int
    /// The bullet, or the character after the number.
    public let mark: UInt8
    /// The number of an ordered item; otherwise 0.
    public let number: Int
    /// Whether the marker is a number.
    public let isOrdered: Bool

    /// Parses the marker at `start`, which must be followed by the end of the line, a space or a tab.
    ///
    /// A marker that interrupts a paragraph must have content and, if it is a number, be 1.
    public init?(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, interrupting: Bool = false) {
        var offset = start
        var value = 0
        // CommonMark allows at most nine digits, since more would overflow in some browsers.
        while offset < bytes.count, bytes[offset].isDigit, offset - start < 9 {
            value = value * 10 + Int(bytes[offset] - UInt8(ascii: "0"))
            offset += 1
        }
        guard offset < bytes.count else { return nil }
        isOrdered = offset > start
        mark = bytes[offset]
        number = value
        if isOrdered {
            guard mark == UInt8(ascii: ".") || mark == UInt8(ascii: ")"), !interrupting || value == 1 else {
                return nil
            }
        } else {
            guard mark == UInt8(ascii: "-") || mark == UInt8(ascii: "*") || mark == UInt8(ascii: "+") else {
                return nil
            }
        }
        end = offset + 1
        guard end == bytes.count || bytes[end].isBlank else { return nil }
        if interrupting {
            var next = end
            while next < bytes.count, bytes[next].isBlank { next += 1 }
            if next == bytes.count { return nil }
        }
    }
}

/// The checkbox of a task, `[ ]` or `[x]`, at the start of a list item.
public struct TaskBox: Sendable {
    /// Whether the checkbox is ticked.
    public let isDone: Bool
    /// The offset just after the `]`.
    public let end: Int

    /// Parses the checkbox at `start`, which must be followed by a space or a tab.
    public init?(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        guard start + 3 < bytes.count, bytes[start] == UInt8(ascii: "["), bytes[start + 2] == UInt8(ascii: "]"),
            bytes[start + 3].isBlank
        else { return nil }
        switch bytes[start + 1] {
        case UInt8(ascii: " "): isDone = false
        case UInt8(ascii: "x"), UInt8(ascii: "X"): isDone = true
        default: return nil
        }
        end = start + 3
    }
}
