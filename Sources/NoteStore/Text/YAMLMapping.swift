import Yams

/// A YAML mapping: its top level, with values that are texts or lists of texts.
///
/// This is the only code that uses the YAML parser. The text may come from a stranger, so its size, depth and
/// references are limited before it is parsed: nine levels of references to nine others are a thousand million values.
struct YAMLMapping {
    struct Scalar: Equatable {
        let text: String
        let isQuoted: Bool
    }

    enum Value: Equatable {
        case one(Scalar)
        case list([Scalar])

        var scalars: [Scalar] {
            switch self {
            case .one(let scalar): [scalar]
            case .list(let scalars): scalars
            }
        }

        var first: Scalar? { scalars.first }
    }

    /// The entries in the order in which they are written.
    private(set) var entries: [(key: String, value: Value)] = []

    /// The maximum length of a text, in bytes.
    private static let maximumLength = 65_536
    /// The maximum nesting of lists and mappings; a line may be indented by twice as many columns.
    private static let maximumDepth = 32
    /// The maximum number of references to other values; each of them at most doubles the number of values.
    private static let maximumReferences = 12
    /// The maximum number of values of a list that are read, including those of nested lists.
    private static let maximumValues = 10_000

    /// `nil` if the text is not a mapping, not valid YAML, or beyond the limits.
    init?(reading text: Substring.UTF8View) {
        guard text.count <= Self.maximumLength, Self.isHarmless(text) else { return nil }
        do {
            guard
                let parser = try Parser(yaml: String(Substring(text)), resolver: .basic, encoding: .utf8).singleRoot(),
                case .mapping(let mapping) = parser
            else { return nil }
            for (key, value) in mapping {
                guard case .scalar(let key) = key, let value = Self.value(of: value) else { continue }
                entries.append((key.string, value))
            }
        } catch {
            // The caller reads a text that is not YAML line by line.
            return nil
        }
    }

    private static func value(of node: Node) -> Value? {
        switch node {
        case .scalar(let scalar): return Self.scalar(scalar).map(Value.one)
        case .sequence:
            var scalars: [Scalar] = []
            var left = maximumValues
            collect(node, &scalars, &left)
            return .list(scalars)
        case .mapping, .alias: return nil
        }
    }

    private static func collect(_ node: Node, _ scalars: inout [Scalar], _ left: inout Int) {
        guard left > 0 else { return }
        left -= 1
        switch node {
        case .scalar(let value): scalar(value).map { scalars.append($0) }
        case .sequence(let nodes): for node in nodes { collect(node, &scalars, &left) }
        case .mapping, .alias: break
        }
    }

    /// Returns the scalar, or `nil` for a null.
    private static func scalar(_ scalar: Node.Scalar) -> Scalar? {
        let isPlain = scalar.style == .plain || scalar.style == .any
        if isPlain, ["", "~", "null", "Null", "NULL"].contains(scalar.string) { return nil }
        return Scalar(text: scalar.string, isQuoted: !isPlain)
    }

    // MARK: - Bounds

    /// Whether a text is neither deeply nested nor full of references, judged by its markers without parsing it.
    ///
    /// Quoted markers count too, so a harmless text may be refused.
    private static func isHarmless(_ text: Substring.UTF8View) -> Bool {
        var depth = 0
        var references = 0
        // The columns of the line so far, while it consists of blanks and markers that open a block: `- - - key`.
        var indent: Int? = 0
        var previous = UInt8(ascii: "\n")
        for byte in text {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): indent = 0
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(depth - 1, 0)
            case UInt8(ascii: "*") where !isPartOfWord(previous): references += 1
            default: break
            }
            if let column = indent, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
                indent = " -?:".utf8.contains(byte) ? column + 1 : nil
            }
            if depth > maximumDepth || references > maximumReferences || indent ?? 0 > maximumDepth * 2 { return false }
            previous = byte
        }
        return true
    }

    /// Whether a reference cannot begin after this byte.
    private static func isPartOfWord(_ byte: UInt8) -> Bool { !" \n\r\t[{,:-?".utf8.contains(byte) }
}
