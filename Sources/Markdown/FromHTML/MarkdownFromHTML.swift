/// What HTML says, as Markdown.
///
/// Headings, paragraphs, emphasis, code, links, images, lists, tasks, quotations, rules and tables come over; fonts,
/// colours and layout do not, since Markdown has none.
public struct MarkdownFromHTML {
    /// The content of `<title>`.
    public private(set) var title: String?
    /// Names of elements that were left out with what they hold, such as drawings and films.
    public private(set) var leftOut: Set<String> = []
    private let media: ([String: String]) -> String?

    /// A part of the page that puts something before each line in it.
    private struct Frame {
        enum Kind { case quote, list, item }
        var kind: Kind
        let name: String
        /// What the first line in it begins with; the others get as many blanks, or `> ` in a quotation.
        var mark = ""
        /// The next number of an ordered list.
        var number: Int?
        var isMarkWritten = false
    }

    /// An inline mark that has not ended yet, and where its content begins, in bytes of `inline`.
    private struct OpenMark {
        let name: String
        let mark: String
        let start: Int
    }

    private var output = ""
    private var inline = ""
    private var frames: [Frame] = []
    private var closers: [OpenMark] = []
    private var links: [String?] = []
    private var skipped: (name: String, depth: Int)?
    private var preformatted = 0
    private var headingLevel = 0
    private var isInTitle = false
    private var rows: [[String]]?
    private var cell: String?
    private var lastWasItem = false

    /// How deep quotations and lists may be nested; what is deeper stays at this depth.
    private static let deepest = 40
    /// How many marks may be open at once, since each paragraph closes and opens all of them; more are ignored.
    private static let mostMarks = 40
    /// Elements whose content is no text.
    ///
    /// The head is none of them: its end need not be written, and what belongs into it has no text but the title and
    /// these.
    private static let skippedElements: Set = [
        "script", "style", "object", "iframe", "svg", "select", "noscript", "template", "math",
    ]
    private static let blocks: Set = [
        "p", "div", "section", "article", "header", "footer", "main", "address", "figure", "figcaption", "dl", "dt",
        "dd",
        "center", "aside", "nav", "body", "html", "en-note", "details", "summary",
        "form",
    ]

    /// - Parameter media: returns the Markdown of another program's own element, such as `<en-media hash=…>`, by its
    ///   attributes.
    public init(_ html: String, media: @escaping ([String: String]) -> String? = { _ in nil }) {
        self.media = media
        for token in HTMLTokens(html) {
            switch token {
            case .text(let text): add(text)
            case .data(let text): add(text)
            case .open(let name, let attributes, let isClosed): open(name, attributes, isClosed)
            case .close(let name): close(name)
            }
        }
        endTable()
        if preformatted > 0 {
            preformatted = 0
            addCode()
        }
        endParagraph()
    }

    /// The Markdown, with one line end at its end.
    public var text: String {
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        var trimmed = lines.drop { $0.isEmpty }
        while trimmed.last?.isEmpty == true { trimmed.removeLast() }
        return trimmed.isEmpty ? "" : trimmed.joined(separator: "\n") + "\n"
    }

    // MARK: - Text

    private mutating func add(_ text: String) {
        if isInTitle {
            title = (title ?? "") + text
            return
        }
        guard skipped == nil else { return }
        if preformatted > 0 {
            inline += text
        } else {
            let (isStart, last) = (inline.isEmpty, inline.last)
            var result = ""
            var isBlank = isStart || last == " " || last == "\n"
            let isCode = closers.contains { $0.mark == "`" }
            for character in text {
                // A space that does not break a line is a space here.
                if character.isWhitespace || character == "\u{A0}" {
                    if !isBlank { result.append(" ") }
                    isBlank = true
                } else {
                    if !isCode, "\\`*_[]<".contains(character) { result.append("\\") }
                    result.append(character)
                    isBlank = false
                }
            }
            inline += result
        }
    }

    // MARK: - Elements

    private mutating func open(_ name: String, _ attributes: [String: String], _ isClosed: Bool) {
        if let skipped {
            if skipped.name == name, !isClosed { self.skipped = (name, skipped.depth + 1) }
            return
        }
        if name == "title" { return isInTitle = true }
        if Self.skippedElements.contains(name) {
            if !["script", "style", "noscript", "template"].contains(name) { leftOut.insert(name) }
            if !isClosed { skipped = (name, 1) }
            return
        }
        switch name {
        case "br": inline += preformatted > 0 ? "\n" : "\\\n"
        case "hr": addBlock("---")
        case "h1", "h2", "h3", "h4", "h5", "h6":
            guard cell == nil else { return addBlank() }
            endParagraph()
            headingLevel = Int(name.dropFirst()) ?? 1
        case "ul", "ol", "li", "blockquote", "pre":
            guard cell == nil else { return addBlank() }
            openBlock(name, attributes)
        case "table" where rows == nil:
            endParagraph()
            if preformatted == 0 { beginText() }
            rows = []
        case "tr" where rows != nil:
            // HTML may leave out the end of a cell.
            endCell()
            rows?.append([])
        case "td", "th":
            endCell()
            if rows != nil {
                cell = inline
                beginText()
            }
        case "img": addImage(attributes)
        case "input" where attributes["type"]?.lowercased() == "checkbox": addTask(attributes["checked"] != nil)
        case "en-todo": addTask(attributes["checked"]?.lowercased() == "true")
        case "en-media": media(attributes).map { inline += $0 }
        case "a":
            links.append(attributes["href"])
            if attributes["href"] != nil { inline += "[" }
        case "video", "audio", "embed", "source":
            let source = attributes["src"] ?? attributes["data"]
            if let source, !source.isEmpty { inline += "[\(name)](\(Self.address(source)))" }
        default: openStyle(name, attributes, isClosed)
        }
    }

    private mutating func openBlock(_ name: String, _ attributes: [String: String]) {
        switch name {
        case "li": openItem()
        case "blockquote":
            endParagraph()
            if frames.count < Self.deepest { frames.append(Frame(kind: .quote, name: name, mark: "> ")) }
        case "pre":
            endParagraph()
            if preformatted == 0 { beginText() }
            preformatted += 1
        default: openList(name, attributes)
        }
    }

    private mutating func openStyle(_ name: String, _ attributes: [String: String], _ isClosed: Bool) {
        if Self.blocks.contains(name) { return cell == nil && rows == nil ? endParagraph() : addBlank() }
        guard !isClosed, preformatted == 0, closers.count < Self.mostMarks else { return }
        let style = attributes["style"]?.lowercased().filter { $0 != " " } ?? ""
        let isBold = style.contains("font-weight:bold") || style.contains("font-weight:700")
        let mark: String
        switch name {
        case "b", "strong": mark = "**"
        case "i", "em", "cite": mark = "*"
        case "s", "del", "strike": mark = "~~"
        case "mark": mark = "=="
        case "code", "tt", "kbd", "samp": mark = "`"
        case "span" where isBold: mark = "**"
        case "span" where style.contains("font-style:italic"): mark = "*"
        case "span" where style.contains("line-through"): mark = "~~"
        case "span", "font": mark = ""
        default: return
        }
        // Two marks of a kind, one in the other, would end each other.
        openMark(name, closers.contains { $0.mark == mark } ? "" : mark)
    }

    private mutating func openMark(_ name: String, _ mark: String) {
        inline += mark
        closers.append(OpenMark(name: name, mark: mark, start: inline.utf8.count))
    }

    private mutating func close(_ name: String) {
        if name == "title" { return isInTitle = false }
        if let skipped {
            if skipped.name == name { self.skipped = skipped.depth > 1 ? (name, skipped.depth - 1) : nil }
            return
        }
        switch name {
        case "h1", "h2", "h3", "h4", "h5", "h6", "p": cell == nil ? endParagraph() : addBlank()
        case "ul", "ol", "li", "blockquote": closeFrame(name)
        case "pre":
            guard preformatted > 0 else { return }
            preformatted -= 1
            if preformatted == 0 { addCode() }
        case "td", "th", "tr": endCell()
        case "table": endTable()
        case "a":
            guard let address = links.popLast(), let address else { return }
            inline +=
                inline.hasSuffix("[")
                ? "\(Self.address(address))](\(Self.address(address)))" : "](\(Self.address(address)))"
        default:
            if Self.blocks.contains(name) { return cell == nil && rows == nil ? endParagraph() : addBlank() }
            guard let index = closers.lastIndex(where: { $0.name == name }) else { return }
            closeMark(closers.remove(at: index))
        }
    }

    /// Begins another text, in which no mark is open.
    private mutating func beginText(_ text: String = "") { (inline, closers) = (text, []) }

    /// Ends emphasis where its last word ends; emphasis of nothing is taken back.
    private mutating func closeMark(_ open: OpenMark) {
        guard !open.mark.isEmpty else { return }
        var blanks = ""
        while let last = inline.last, last == " " || last == "\n" {
            blanks.insert(inline.removeLast(), at: blanks.startIndex)
        }
        let content = String(decoding: inline.utf8.dropFirst(open.start), as: UTF8.self)
        if content.isEmpty {
            if inline.hasSuffix(open.mark) { inline.removeLast(open.mark.count) }
        } else if open.mark == "`", content.contains("`") {
            // CommonMark 6.1: code that has the mark stands between longer runs of it, and a blank beside each.
            let runs = content.split { $0 != "`" }.map(\.count)
            let fence = String(repeating: "`", count: (runs.max() ?? 0) + 1)
            inline = String(decoding: inline.utf8.prefix(open.start - 1), as: UTF8.self)
            inline += "\(fence) \(content) \(fence)"
        } else {
            inline += open.mark
        }
        inline += blanks
    }

    private mutating func addBlank() { if let last = inline.last, last != " " { inline += " " } }

    private mutating func addImage(_ attributes: [String: String]) {
        guard let source = attributes["src"], !source.isEmpty else { return }
        // A picture inside of the page has no address that is worth keeping as text.
        if source.hasPrefix("data:"), source.utf8.count > 2_000 {
            leftOut.insert("picture inside the page")
            return
        }
        let label = (attributes["alt"] ?? "").filter { !"[]\n".contains($0) }
        inline += "![\(label)](\(Self.address(source)))"
    }

    private mutating func addTask(_ isDone: Bool) {
        let box = isDone ? "[x] " : "[ ] "
        if let item = frames.lastIndex(where: { $0.kind == .item }), !frames[item].isMarkWritten, inline.isEmpty {
            frames[item].mark += box
        } else {
            endParagraph()
            beginText("- " + box)
        }
    }

    /// An address that Markdown reads completely.
    private static func address(_ address: String) -> String {
        address.contains { " ()<>\\".contains($0) || $0.isNewline }
            ? address.reduce(into: "") { result, character in
                switch character {
                case " ": result += "%20"
                case "(": result += "%28"
                case ")": result += "%29"
                case "<": result += "%3C"
                case ">": result += "%3E"
                case "\\": result += "%5C"
                default: if !character.isNewline { result.append(character) }
                }
            } : address
    }

    // MARK: - Blocks

    private mutating func openList(_ name: String, _ attributes: [String: String]) {
        endParagraph()
        guard frames.count < Self.deepest else { return }
        let number = name == "ol" ? attributes["start"].flatMap { Int($0) } ?? 1 : nil
        frames.append(Frame(kind: .list, name: name, number: number))
    }

    private mutating func openItem() {
        // The end of the item before need not be written.
        if let last = frames.last, last.kind == .item { closeFrame("li") }
        endParagraph()
        guard frames.count < Self.deepest else { return }
        var mark = "- "
        if let list = frames.indices.last, frames[list].kind == .list, let number = frames[list].number {
            mark = "\(number). "
            frames[list].number = number &+ 1
        }
        frames.append(Frame(kind: .item, name: "li", mark: mark))
    }

    private mutating func closeFrame(_ name: String) {
        endParagraph()
        guard let index = frames.lastIndex(where: { $0.name == name }) else { return }
        // An item without text is still an item.
        if frames[index].kind == .item, !frames[index].isMarkWritten { write([""]) }
        frames.removeSubrange(index...)
        lastWasItem = name == "li"
    }

    private mutating func endParagraph() {
        if preformatted > 0 || cell != nil { return }
        for closer in closers.reversed() { closeMark(closer) }
        var text = inline.trimmingWhitespace
        while text.hasSuffix("\\\n") || text.hasSuffix("\\") && !text.hasSuffix("\\\\") && inline.hasSuffix("\n") {
            text = String(text.dropLast(text.hasSuffix("\n") ? 2 : 1)).trimmingWhitespace
        }
        let open = closers
        beginText()
        for mark in open { openMark(mark.name, mark.mark) }
        let level = headingLevel
        headingLevel = 0
        guard !text.isEmpty else { return }
        if level > 0 {
            addBlock(String(repeating: "#", count: level) + " " + text.replacing("\\\n", with: " "))
        } else {
            addLines(text.split(separator: "\n", omittingEmptySubsequences: false).map { Self.harmless(String($0)) })
        }
    }

    /// A line that does not begin as a heading, a list, a quotation or a rule does.
    private static func harmless(_ line: String) -> String {
        let line = String(line.drop { $0 == " " })
        guard let first = line.first else { return line }
        if line.hasPrefix("- [ ] ") || line.hasPrefix("- [x] ") { return line }
        let rest = line.dropFirst()
        switch first {
        case "#": return rest.drop { $0 == "#" }.first.map { $0 == " " } ?? true ? "\\" + line : line
        case "-", "+": return rest.isEmpty || rest.first == " " || rest.first == first ? "\\" + line : line
        case ">", "=", "~", "|": return "\\" + line
        case "0"..."9":
            let digits = line.prefix { $0.isASCII && $0.isNumber }
            let after = line.dropFirst(digits.count)
            let isNumber = after.first == "." || after.first == ")"
            let isItem = isNumber && (after.count == 1 || after.dropFirst().first == " ")
            return isItem ? digits + "\\" + after : line
        default: return line
        }
    }

    private mutating func addCode() {
        let text = inline
        beginText()
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.first?.isEmpty == true { lines.removeFirst() }
        while lines.last?.isEmpty == true { lines.removeLast() }
        guard !lines.isEmpty else { return }
        var fence = "```"
        while lines.contains(where: { $0.contains(fence) }) { fence += "`" }
        addLines([fence] + lines + [fence])
    }

    private mutating func addBlock(_ line: String) {
        if line == "---" { endParagraph() }
        addLines([line])
    }

    /// Adds a block, after an empty line unless it begins an item right after another.
    private mutating func addLines(_ lines: [String]) {
        let isTight = frames.last.map { $0.kind == .item && !$0.isMarkWritten } ?? false
        let isFirst = frames.first { $0.kind == .list }.map { _ in lastWasItem } ?? false
        if !output.isEmpty, !(isTight && (isFirst || frames.filter { $0.kind == .list }.count > 1)) {
            write([""], isGap: true)
        }
        write(lines)
        lastWasItem = !frames.isEmpty
    }

    private mutating func write(_ lines: [String], isGap: Bool = false) {
        for line in lines {
            var prefix = ""
            for index in frames.indices {
                switch frames[index].kind {
                case .quote:
                    // The empty line before a quotation is outside of it.
                    if isGap, !frames[index].isMarkWritten { break }
                    prefix += "> "
                    frames[index].isMarkWritten = true
                case .list: break
                case .item:
                    let mark = frames[index].mark
                    if frames[index].isMarkWritten {
                        let width = mark.hasSuffix("] ") ? 2 : mark.count
                        prefix += String(repeating: " ", count: width)
                    } else if !isGap {
                        prefix += mark
                        frames[index].isMarkWritten = true
                    }
                }
            }
            let whole = prefix + line
            output += (whole.trimmingBlanksAtEnd) + "\n"
        }
    }

    // MARK: - Tables

    private mutating func endCell() {
        guard let before = cell else { return }
        for closer in closers.reversed() { closeMark(closer) }
        closers = []
        let text = inline.trimmingWhitespace.replacing("\\\n", with: " ").replacing("\n", with: " ").replacing(
            "|", with: "\\|")
        inline = before
        cell = nil
        var last = rows?.popLast() ?? []
        last.append(text)
        rows?.append(last)
    }

    private mutating func endTable() {
        endCell()
        guard let rows = rows?.filter({ !$0.isEmpty }) else { return }
        self.rows = nil
        let width = rows.map(\.count).max() ?? 0
        guard width > 0, let first = rows.first else { return }
        func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
        // The first row decides how many columns there are; a shorter one after it is filled by who reads it.
        let head = first + [String](repeating: "", count: width - first.count)
        addLines([line(head), line([String](repeating: "---", count: width))] + rows.dropFirst().map(line))
    }
}

extension String {
    fileprivate var trimmingWhitespace: String {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }

    fileprivate var trimmingBlanksAtEnd: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
