/// The style in which a terminal draws a cell, as set by SGR sequences.
public struct TerminalStyle: Hashable, Sendable {
    public enum Color: Hashable, Sendable {
        case `default`
        /// One of the sixteen colours of the user's theme.
        case ansi(UInt8)
        /// One of the colours from 16 of xterm's 256.
        case palette(UInt8)
        case rgb(UInt8, UInt8, UInt8)

        /// One of xterm's 256 colours, of which the first sixteen are those of the theme.
        public init(index: UInt8) { self = index < 16 ? .ansi(index) : .palette(index) }
    }

    public struct Attributes: OptionSet, Hashable, Sendable {
        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }

        public static let bold = attribute(1)
        public static let dim = attribute(2)
        public static let italic = attribute(3)
        public static let blink = attribute(5)
        public static let reverse = attribute(7)
        public static let hidden = attribute(8)
        public static let strikethrough = attribute(9)

        /// Returns the attribute that an SGR parameter from 1 to 9 switches on.
        static func attribute(_ parameter: Int) -> Attributes { Attributes(rawValue: 1 << parameter) }
    }

    public enum Underline: Int, Hashable, Sendable {
        case none, single, double, curly, dotted, dashed
    }

    public var foreground = Color.default
    public var background = Color.default
    public var underlineColor = Color.default
    public var attributes: Attributes = []
    public var underline = Underline.none

    public init() {}

    /// The visible style of a blank: its background, and lines and reversal if there are any.
    public var ofBlank: TerminalStyle {
        guard underline == .none, attributes.isDisjoint(with: [.reverse, .strikethrough, .blink]) else { return self }
        var style = TerminalStyle()
        style.background = background
        return style
    }

    /// Applies the parameters of an SGR sequence, and returns those that it does not know.
    @discardableResult
    public mutating func apply(_ parameters: String) -> [String] {
        var unknown: [String] = []
        var fields = parameters.split(separator: ";", omittingEmptySubsequences: false)[...]
        while let field = fields.popFirst() {
            let parts = field.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            let number = parts.first ?? 0
            switch number {
            case 0: self = TerminalStyle()
            case 4: underline = parts.count > 1 ? Underline(rawValue: parts[1]) ?? .single : .single
            case 1...3, 5, 7...9: attributes.insert(.attribute(number))
            case 22: attributes.subtract([.bold, .dim])
            case 24: underline = .none
            case 23, 25, 27...29: attributes.remove(.attribute(number - 20))
            case 30...37: foreground = .ansi(UInt8(number - 30))
            case 90...97: foreground = .ansi(UInt8(number - 82))
            case 40...47: background = .ansi(UInt8(number - 40))
            case 100...107: background = .ansi(UInt8(number - 92))
            case 38: foreground = Self.color(parts, &fields)
            case 48: background = Self.color(parts, &fields)
            case 58: underlineColor = Self.color(parts, &fields)
            case 39: foreground = .default
            case 49: background = .default
            case 59: underlineColor = .default
            default: unknown.append("SGR \(field)")
            }
        }
        return unknown
    }

    /// Reads a colour from the parts of its own parameter (`38:2::1:2:3`), or from the next ones (`38;5;200`).
    private static func color(_ parts: [Int], _ fields: inout ArraySlice<Substring>) -> Color {
        var values = Array(parts.dropFirst())
        if values.isEmpty {
            values = fields.prefix(fields.first == "5" ? 2 : 4).map { Int($0) ?? 0 }
            fields = fields.dropFirst(values.count)
        }
        let bytes = values.map { UInt8(clamping: $0) }
        switch (values.first, bytes.count) {
        case (5, 2...): return Color(index: bytes[1])
        case (2, 4...):
            let rgb = bytes.suffix(3)
            return .rgb(rgb[rgb.startIndex], rgb[rgb.startIndex + 1], rgb[rgb.startIndex + 2])
        default: return .default
        }
    }
}

/// A cell of a terminal: a grapheme cluster, or the right half of a wide one.
public struct TerminalCell: Equatable, Sendable {
    /// The cluster; "" in the right half of a wide one.
    public var text = " "
    public var style = TerminalStyle()
    /// The address of a link; "" for none.
    public var link = ""

    public init(text: String = " ", style: TerminalStyle = TerminalStyle(), link: String = "") {
        (self.text, self.style, self.link) = (text, style, link)
    }

    public var isRightHalf: Bool { text.isEmpty }
}
