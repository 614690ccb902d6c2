/// The ASCII character classes of a byte.
extension UInt8 {
    /// Space or tab.
    @inlinable public var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// ASCII white space as CommonMark allows it in a link: space, tab, line ends, vertical tab, form feed.
    @inlinable public var isSpace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }

    /// `0` to `9`.
    @inlinable public var isDigit: Bool { self &- 0x30 < 10 }

    /// `A` to `Z`, `a` to `z`.
    @inlinable public var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// A letter or a digit.
    @inlinable public var isAlphanumeric: Bool { isLetter || isDigit }

    /// ASCII punctuation, which a backslash can escape.
    @inlinable public var isPunctuation: Bool { self >= 0x21 && self <= 0x7E && !isAlphanumeric }

    /// `0` to `9`, `A` to `F`, `a` to `f`.
    @inlinable public var isHexDigit: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }

    /// The value of a hexadecimal digit in either case, or nil for any other byte.
    @inlinable public var hexDigitValue: UInt8? {
        guard isHexDigit else { return nil }
        return isDigit ? self & 15 : (self & 15) + 9
    }

    /// The lower-case form of an ASCII letter, or any other byte unchanged.
    @inlinable public var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
