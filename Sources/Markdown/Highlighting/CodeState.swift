/// The state that the lines of a fence leave open for the next line of code.
///
/// It holds no text, so that it is cheap to copy and to compare: the end marks that raw strings and here-documents
/// choose are represented by their length and hash.
struct CodeState: Hashable, Sendable {
    enum Kind: UInt8, Sendable {
        case nothing
        /// A block comment; `count` is the depth of nested comments.
        case comment
        /// A string; `count` is its index among the strings of the language.
        case string
        /// A raw string, or a comment in the same form, up to the bytes of `end`.
        case raw, rawComment
        /// A here-document up to the line `end`.
        case hereDocument
        /// A comment of whole lines, up to the line that ends it.
        case lines
    }

    var kind = Kind.nothing
    var count: UInt8 = 0
    var end = CodeEnd()
    /// The here-document that follows the open one.
    var next = CodeEnd()

    static let nothing = CodeState()
}

/// The bytes that end a raw string, or the line that ends a here-document; by default empty.
struct CodeEnd: Hashable, Sendable {
    private(set) var first: UInt8 = 0
    private(set) var length: UInt8 = 0
    private var hash: UInt32 = 0
    /// The white space allowed before the line that ends a here-document.
    var indent = Indent.none

    enum Indent: UInt8, Sendable { case none, tabs, blanks }

    init() {}

    /// Creates an end of the given bytes; nil if they are too many.
    init?(_ bytes: some Collection<UInt8>) {
        guard let first = bytes.first, bytes.count <= 250 else { return nil }
        (self.first, length, hash) = (first, UInt8(bytes.count), Self.hash(bytes))
    }

    var isNone: Bool { length == 0 }

    /// Whether the bytes of the end are at an offset.
    func isAt(_ offset: Int, in bytes: Bytes) -> Bool {
        let end = offset + Int(length)
        return end <= bytes.count && bytes[offset] == first && Self.hash(bytes[offset..<end]) == hash
    }

    /// FNV-1a; collisions are unlikely, because one text chooses few end marks.
    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}
