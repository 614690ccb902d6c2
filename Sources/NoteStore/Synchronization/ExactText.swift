/// A text that equals another one only if it has the same bytes.
///
/// Swift's strings are equal if they look the same, such as a composed and a decomposed "é"; a synchronisation must not
/// lose the difference.
public struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public var string: String

    public init(_ string: String) { self.string = string }
    public init(stringLiteral value: String) { string = value }
    public init(bytes: some Collection<UInt8>) { string = String(decoding: bytes, as: UTF8.self) }

    public var description: String { string }
    public var isEmpty: Bool { string.utf8.isEmpty }

    public static func == (one: Self, other: Self) -> Bool {
        one.withBytes { first in
            other.withBytes { second in
                // Texts that nobody has changed share their storage.
                first.count == second.count
                    && (first.baseAddress == second.baseAddress || first.elementsEqual(second))
            }
        }
    }

    public static func < (one: Self, other: Self) -> Bool {
        one.string.utf8.lexicographicallyPrecedes(other.string.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }

    /// Calls `body` with the bytes in one piece; an iterator of `utf8` takes ten times as long for each.
    private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var string = string
        return string.withUTF8(body)
    }
}
