/// A count of one kind of unit in a text; arithmetic stays within the kind.
///
///     ByteOffset(3) + 2 == ByteOffset(5)
///     ByteOffset(5) - ByteOffset(3) == 2
public protocol TextUnit: Comparable, Hashable, Codable, Sendable, ExpressibleByIntegerLiteral,
    CustomStringConvertible
{
    /// The plain number.
    var rawValue: Int { get set }
    /// Creates the unit from a plain number.
    init(_ rawValue: Int)
}

extension TextUnit {
    /// Creates the unit from a literal, so that tests and constants read well.
    @inlinable public init(integerLiteral value: Int) { self.init(value) }
    /// The plain number as text.
    public var description: String { String(rawValue) }

    @inlinable public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    @inlinable public static func + (a: Self, b: Int) -> Self { Self(a.rawValue + b) }
    @inlinable public static func - (a: Self, b: Int) -> Self { Self(a.rawValue - b) }
    @inlinable public static func - (a: Self, b: Self) -> Int { a.rawValue - b.rawValue }
    @inlinable public static func += (a: inout Self, b: Int) { a.rawValue += b }
    @inlinable public static func -= (a: inout Self, b: Int) { a.rawValue -= b }

    /// Decodes a bare number.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Int.self))
    }

    /// Encodes a bare number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// The number of UTF-8 bytes from the start of a text; always at the start of a scalar.
@frozen public struct ByteOffset: TextUnit {
    public var rawValue: Int
    @inlinable public init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// A line of a text, counted from 0.
@frozen public struct LineNumber: TextUnit {
    public var rawValue: Int
    @inlinable public init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// The number of characters (grapheme clusters) from the start of a line.
@frozen public struct CharacterColumn: TextUnit {
    public var rawValue: Int
    @inlinable public init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// The number of terminal cells from the left edge of a visual row.
@frozen public struct CellColumn: TextUnit {
    public var rawValue: Int
    @inlinable public init(_ rawValue: Int) { self.rawValue = rawValue }
}

extension Range where Bound: TextUnit {
    /// The number of units in the range.
    @inlinable public var length: Int { upperBound.rawValue - lowerBound.rawValue }
}
