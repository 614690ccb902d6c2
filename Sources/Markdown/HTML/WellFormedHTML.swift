/// Rewrites HTML as XML, as required for the pages of an e-book.
///
/// Every element is closed in order, and obsolete elements and attributes are replaced by current ones.
struct WellFormedHTML {
    private var output = ""
    private var open: [String] = []
    private var identities: Set<String> = []
    /// The length of the output after the opening of the last heading or summary, in bytes.
    private var headingStart = 0
    /// Whether a `<details>` was just opened, which must begin with its summary.
    private var awaitsSummary = false

    private static let empty: Set = ["br", "hr", "img", "wbr", "col"]
    /// The current elements for obsolete ones.
    private static let modern = ["center": "div", "font": "span", "big": "span", "strike": "del", "tt": "code"]
    /// Elements that end an open paragraph, since none can hold them.
    private static let blocks: Set = [
        "address", "article", "aside", "blockquote", "details", "div", "dl", "figcaption", "figure", "footer", "h1",
        "h2",
        "h3", "h4", "h5", "h6", "header", "hr", "main", "nav", "ol", "p", "pre", "section", "table", "ul",
    ]
    private static let headings: Set = ["h1", "h2", "h3", "h4", "h5", "h6"]
    /// The elements that may stand in some elements only, with those.
    private static let parents: [String: Set<String>] = [
        "li": ["ol", "ul"], "dt": ["dl"], "dd": ["dl"], "figcaption": ["figure"], "rp": ["ruby"], "rt": ["ruby"],
        "tr": ["table", "tbody", "tfoot", "thead"], "td": ["tr"], "th": ["tr"], "caption": ["table"],
        "colgroup": ["table"], "col": ["colgroup"], "tbody": ["table"], "tfoot": ["table"], "thead": ["table"],
    ]
    /// The elements that hold no text of their own, with the one inside them that text is put into.
    private static let children = [
        "ol": "li", "ul": "li", "dl": "dt", "table": "tr", "tbody": "tr", "tfoot": "tr", "thead": "tr", "tr": "td",
    ]
    /// Elements that hold only phrases, and so end where a block begins.
    private static let phrases: Set = [
        "abbr", "b", "cite", "code", "dfn", "em", "i", "kbd", "label", "mark", "q", "s", "samp", "small", "span",
        "strong", "sub", "sup", "time", "u", "var",
    ]
    /// Elements that keep a paragraph around them open.
    private static let scopes: Set = ["caption", "table", "td", "th"]
    private static let attributes: Set = ["id", "class", "title", "lang", "aria-label", "dir"]
    /// The attributes of some elements only, with those.
    private static let ownAttributes: [String: Set<String>] = [
        "href": ["a"], "src": ["img"], "alt": ["img"], "colspan": ["td", "th"], "rowspan": ["td", "th"],
        "scope": ["th"], "start": ["ol"], "reversed": ["ol"], "datetime": ["del", "ins", "time"],
        "cite": ["blockquote", "del", "ins", "q"], "open": ["details"],
    ]

    static func text(of html: String) -> String {
        var text = WellFormedHTML()
        for token in HTMLTokens(html) { text.append(token) }
        text.close(downTo: 0)
        return text.output
    }

    private mutating func append(_ token: HTMLToken) {
        switch token {
        case .text(let text), .data(let text):
            if !text.utf8.allSatisfy(\.isSpace) { beginContent() }
            output += XMLText.escaped(text)
        case .open("input", let attributes, _):
            beginContent()
            output += attributes["checked"] == nil ? "☐" : "☑"
        case .open(let written, let attributes, let isClosed):
            open(Self.modern[written] ?? written, attributes, written: written, isClosed: isClosed)
        case .close(let written):
            let name = Self.modern[written] ?? written
            if let index = open.lastIndex(of: name) { close(downTo: index) }
        }
    }

    private mutating func open(_ name: String, _ attributes: [String: String], written: String, isClosed: Bool) {
        guard !name.isEmpty, name.utf8.allSatisfy({ $0.isAlphanumeric }) else { return }
        if name == "img", attributes["src"] ?? "" == "" {
            if attributes["alt"] ?? "" != "" { beginContent() }
            output += XMLText.escaped(attributes["alt"] ?? "")
            return
        }
        if name == "summary" {
            // Another one is text.
            guard awaitsSummary else { return }
            awaitsSummary = false
        } else if let parents = Self.parents[name] {
            guard makeRoom(for: name, in: parents) else { return }
        } else {
            beginContent()
        }
        if Self.blocks.contains(name), !beginBlock(name) { return }
        // No link may stand in another one: the second ends the first, as browsers read it.
        if name == "a" || name == "details", let outer = open.lastIndex(of: "a") { close(downTo: outer) }
        output += "<" + name
        append(attributes, of: written)
        if Self.empty.contains(name) || isClosed && name != "details" {
            output += Self.empty.contains(name) ? " />" : "></\(name)>"
        } else {
            output += ">"
            open.append(name)
            if Self.headings.contains(name) || name == "summary" { headingStart = output.utf8.count }
            awaitsSummary = name == "details"
        }
    }

    /// Opens what content needs around it at this place.
    private mutating func beginContent() {
        if awaitsSummary {
            awaitsSummary = false
            output += "<summary>Details</summary>"
        }
        while let last = open.last, let child = Self.children[last] {
            output += "<\(child)>"
            open.append(child)
        }
    }

    /// Ends the elements in which no block may stand; returns whether the block gets an element of its own.
    private mutating func beginBlock(_ name: String) -> Bool {
        closeParagraph()
        while let last = open.last, Self.phrases.contains(last) { close(downTo: open.count - 1) }
        guard let last = open.last, Self.headings.contains(last) || last == "summary" else { return true }
        if isHeadingEmpty {
            // A block that is all of a heading is the heading, and a heading may be all of a summary.
            return last == "summary" && Self.headings.contains(name)
        }
        close(downTo: open.count - 1)
        return true
    }

    /// Ends the elements between an element and the innermost of its possible parents.
    ///
    /// - Returns: whether it has a parent; without one, its content stands alone.
    private mutating func makeRoom(for name: String, in parents: Set<String>) -> Bool {
        if name == "td" || name == "th", let last = open.last, Self.children[last] == "tr" {
            output += "<tr>"
            open.append("tr")
        }
        if name == "caption" || name == "colgroup", open.last != "table" { return false }
        guard let index = open.lastIndex(where: { parents.contains($0) }) else { return false }
        // What is in a cell belongs to the cell, unless it is part of the table.
        let isInTable = parents.contains("table") || parents.contains("tr")
        if !isInTable, open[index...].contains(where: Self.scopes.contains) { return false }
        close(downTo: index + 1)
        return true
    }

    private mutating func append(_ attributes: [String: String], of element: String) {
        var attributes = attributes
        if element == "img", attributes["alt"] == nil { attributes["alt"] = "" }
        var style = element == "center" ? "text-align: center" : ""
        if let align = attributes["align"]?.lowercased(), ["left", "right", "center", "justify"].contains(align) {
            style = "text-align: " + align
        }
        // The only style that a page of this module has is that of a cell.
        if element == "td" || element == "th", let written = attributes["style"],
            ["text-align: left", "text-align: center", "text-align: right"].contains(written)
        {
            style = written
        }
        for (key, value) in attributes.sorted(by: { $0.key < $1.key }) where Self.isAllowed(key, value, element) {
            var value = key == "open" || key == "reversed" ? key : value
            if key == "id" {
                value = Self.identity(value)
                guard identities.insert(value).inserted else { continue }
            }
            if key == "href", let hash = value.firstIndex(of: "#"), !value.contains("://") {
                value = value[...hash] + Self.identity(String(value[value.index(after: hash)...]))
            }
            output += " \(key)=\"\(XMLText.escaped(value))\""
        }
        if !style.isEmpty { output += " style=\"\(style)\"" }
    }

    /// Whether an attribute of an element may have a value.
    private static func isAllowed(_ key: String, _ value: String, _ element: String) -> Bool {
        guard attributes.contains(key) || ownAttributes[key]?.contains(element) == true else { return false }
        switch key {
        case "start": return Int(value) != nil
        case "colspan", "rowspan": return Int(value).map { (1...1000).contains($0) } ?? false
        case "dir": return ["ltr", "rtl", "auto"].contains(value)
        case "scope": return ["row", "col", "rowgroup", "colgroup"].contains(value)
        default: return true
        }
    }

    /// Whether nothing but white space follows the opening of the last heading.
    private var isHeadingEmpty: Bool {
        output.utf8.suffix(output.utf8.count - headingStart).allSatisfy(\.isSpace)
    }

    private mutating func closeParagraph() {
        guard let index = open.lastIndex(of: "p"), !open[index...].contains(where: Self.scopes.contains) else { return }
        close(downTo: index)
    }

    private mutating func close(downTo count: Int) {
        while open.count > count {
            if awaitsSummary, open.last == "details" { beginContent() }
            // A term has a definition.
            if open.last == "dl", endsWithTerm { output += "<dd></dd>" }
            output += "</\(open.removeLast())>"
        }
    }

    private var endsWithTerm: Bool {
        output.utf8.reversed().drop(while: \.isSpace).starts(with: "</dt>".utf8.reversed())
    }

    /// An identity with its percent-encoding decoded, which is needed in addresses but not in identities.
    private static func decoded(_ written: String) -> String {
        guard written.utf8.contains(UInt8(ascii: "%")) else { return written }
        var bytes: [UInt8] = []
        var rest = Array(written.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// An identity in a form that XML allows: a name that begins with a letter or an underscore.
    static func identity(_ written: String) -> String {
        var name = ""
        for scalar in decoded(written).unicodeScalars {
            let isPart =
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "_-.".unicodeScalars.contains(scalar)
            if isPart { name.unicodeScalars.append(scalar) } else { name += "_\(String(scalar.value, radix: 16))" }
        }
        guard let first = name.unicodeScalars.first, first.properties.isAlphabetic || first == "_" else {
            return "_" + name
        }
        return name
    }
}

/// Text in an XML document.
public enum XMLText {
    /// The text with XML's special characters escaped, and with U+FFFD for characters that XML forbids.
    public static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(isAllowed(scalar.value) ? scalar : "\u{FFFD}")
            }
        }
        return result
    }

    /// The text with U+FFFD for characters that XML forbids.
    static func allowed(_ text: String) -> String {
        // Hardly any text contains one.
        guard !text.unicodeScalars.allSatisfy({ isAllowed($0.value) }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(isAllowed(scalar.value) ? scalar : "\u{FFFD}") }
        return String(result)
    }

    /// Whether XML allows a character (XML 1.0, production 2).
    private static func isAllowed(_ value: UInt32) -> Bool {
        switch value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}

extension Markdown {
    /// Rewrites HTML of this module as well-formed XML, with elements that e-books may contain.
    public static func wellFormed(_ html: String) -> String { WellFormedHTML.text(of: html) }

    /// Returns an identity as `wellFormed` writes it.
    public static func wellFormedIdentity(_ identity: String) -> String { WellFormedHTML.identity(identity) }
}
