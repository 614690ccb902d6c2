/// Converts HTML to Markdown.
///
/// Headings, paragraphs, emphasis, code, links, images, lists, tasks, quotations, rules and tables are converted;
/// fonts, colours and layout are dropped, since Markdown has none.
public struct MarkdownFromHTML {
    /// The content of `<title>`.
    public private(set) var title: String?
    /// The names of the elements that were left out with their contents, such as `svg`; `img` for a picture whose bytes
    /// are in the page itself.
    public internal(set) var leftOut: Set<String> = []
    let keepsTaskGroups: Bool
    /// The data of the pictures inside the page that got an address, in Base64.
    public private(set) var pictures: [String] = []
    private let media: ([String: String]) -> String?
    private let picture: (_ number: Int, _ type: String) -> String?

    /// An open block that puts a prefix before each line in it.
    struct Frame {
        enum Kind {
            case quote, list, item
            /// An item that is already closed, around a list that belongs to it.
            case closedItem
        }
        var kind: Kind
        let name: String
        /// The prefix of its first line; further lines are indented by as many blanks, or begin with `> ` in a
        /// quotation.
        var mark = ""
        /// The next number of an ordered list.
        var number: Int?
        /// The width of the mark of a list's last item; nil before its first item.
        var itemWidth: Int?
        /// Whether the items of a list are tasks.
        var isChecklist = false
        var isMarkWritten = false
        /// Whether it is an item before its first line that is not a task yet.
        var isPlainItem: Bool { kind == .item && !isMarkWritten && !mark.hasSuffix("] ") }
    }

    var output = ""
    var inline = ""
    var frames: [Frame] = []
    /// The open marks, the innermost last, and those that are open around the present code or table.
    var closers: [OpenMark] = []
    var surrounding: [OpenMark] = []
    var skipped: (name: String, depth: Int)?
    var preformatted = 0
    /// The language of the code that is being read.
    var codeLanguage = ""
    /// The number of open elements in code that has an element for each line; 0 outside such code.
    var codeBlocks = 0
    var headingLevel = 0
    /// The identity of the heading that is being read, and the titles of those read, by identity.
    var headingID: String?
    var headings: [String: String] = [:]
    /// The formula of the present `math`, as its annotation writes it in TeX.
    var formula: String?
    var isInFormula = false
    /// Whether the present formula stands on lines of its own.
    var isDisplayed = false
    var isInTitle = false
    var rows: [[String]]?
    var cell: String?
    var lastWasItem = false

    /// The deepest nesting of quotations and lists; deeper ones are written at this depth.
    static let maximumDepth = 40
    private static let blocks: Set = [
        "p", "div", "section", "article", "header", "footer", "main", "address", "figure", "figcaption", "dl", "dt",
        "dd", "center", "aside", "nav", "body", "html", "en-note", "details", "summary", "form",
    ]

    /// - Parameters:
    ///   - taskGroups: Whether to keep the text that Evernote writes in place of tasks, which it stores outside the
    ///     text.
    ///   - media: Returns the Markdown of another program's own element, such as `<en-media hash=…>`, given its
    ///     attributes.
    ///   - picture: Returns the address of a picture whose data is inside the page, given its number, from 1 on, and
    ///     its type, such as `png`.
    public init(
        _ html: String, taskGroups: Bool = true, media: @escaping ([String: String]) -> String? = { _ in nil },
        picture: @escaping (_ number: Int, _ type: String) -> String? = { _, _ in nil }
    ) {
        (self.media, self.picture) = (media, picture)
        keepsTaskGroups = taskGroups
        for token in HTMLTokens(html) {
            switch token {
            case .text(let text): add(text)
            case .data(let text): add(text)
            case .open(let name, let attributes, let isClosed): open(name, attributes, isClosed: isClosed)
            case .close(let name): close(name)
            }
        }
        endTable()
        if preformatted > 0 {
            preformatted = 0
            addCode()
        }
        endParagraph()
        linkToHeadings()
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
        if isInFormula { formula = (formula ?? "") + text }
        guard skipped == nil else { return }
        if preformatted > 0 {
            inline += codeBlocks > 0 ? text.replacing("\u{A0}", with: " ") : text
        } else {
            let (isStart, last) = (inline.isEmpty, inline.last)
            var result = ""
            var isBlank = isStart || last == " " || last == "\n"
            let isCode = closers.contains { $0.mark == "`" }
            for character in text {
                // A no-break space becomes a plain one.
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

    private mutating func open(_ name: String, _ attributes: [String: String], isClosed: Bool) {
        if skipped != nil { return openInSkipped(name, attributes, isClosed: isClosed) }
        let classes = attributes["class"]?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
        if beginsSkipping(name, attributes, classes, isClosed: isClosed) { return }
        if name == "pre" || preformatted > 0 { takeCodeLanguage(from: classes) }
        switch name {
        case "br": inline += preformatted > 0 ? "\n" : "\\\n"
        case "hr": addBlock("---")
        case "h1", "h2", "h3", "h4", "h5", "h6":
            guard cell == nil else { return addBlank() }
            endParagraph()
            headingLevel = Int(name.dropFirst()) ?? 1
            headingID = attributes["id"]
        case "ul", "ol", "li", "blockquote", "pre":
            guard cell == nil else { return addBlank() }
            openBlock(name, attributes)
        case "table", "tr", "td", "th": openTable(name)
        case "img": addImage(attributes)
        case "input" where attributes["type"]?.lowercased() == "checkbox": addTask(attributes["checked"] != nil)
        // Notion draws the box of a task by style.
        case "div" where classes.contains("checkbox"): addTask(classes.contains("checkbox-on"))
        case "en-todo": addTask(attributes["checked"]?.lowercased() == "true")
        case "en-crypt" where preformatted == 0 && cell == nil && !isClosed:
            // The encrypted text is kept as code, since those who know the password can decrypt it with Evernote or
            // another program.
            endParagraph()
            beginBlock()
            (preformatted, codeLanguage) = (1, "en-crypt")
        case "en-media": media(attributes).map { inline += $0 }
        case "a": openLink(attributes["href"])
        case "video", "audio", "embed", "source":
            let source = attributes["src"] ?? attributes["data"]
            if let source, !source.isEmpty { inline += "[\(name)](\(Self.address(source)))" }
        default: openStyle(name, attributes, isClosed: isClosed)
        }
    }

    private mutating func openTable(_ name: String) {
        switch name {
        case "table" where rows == nil:
            endParagraph()
            if preformatted == 0 { beginBlock(holdsLinks: true) }
            rows = []
        case "tr" where rows != nil:
            // HTML may omit the end tag of a cell.
            endCell()
            rows?.append([])
        case "td", "th":
            endCell()
            if rows != nil {
                cell = inline
                beginText()
                openSurroundingMarks()
            }
        default: break  // a table in a table, or a row outside of one
        }
    }

    private mutating func openBlock(_ name: String, _ attributes: [String: String]) {
        switch name {
        case "li": openItem(isDone: check(attributes))
        case "blockquote":
            endParagraph()
            if frames.count < Self.maximumDepth { frames.append(Frame(kind: .quote, name: name, mark: "> ")) }
        case "pre":
            endParagraph()
            if preformatted == 0 { beginBlock() }
            preformatted += 1
        default: openList(name, attributes)
        }
    }

    /// Returns whether an item in a checklist of Evernote or Apple Notes is checked; nil outside a checklist.
    private func check(_ attributes: [String: String]) -> Bool? {
        let style = attributes["style"]?.lowercased().filter { $0 != " " } ?? ""
        if style.contains("-en-checked:") { return style.contains("-en-checked:true") }
        guard frames.last(where: { $0.kind == .list })?.isChecklist == true else { return nil }
        return attributes["class"]?.split(separator: " ").contains { $0 == "done" || $0 == "checked" } ?? false
    }

    private mutating func openStyle(_ name: String, _ attributes: [String: String], isClosed: Bool) {
        if Self.blocks.contains(name), !isClosed {
            if codeBlocks > 0 { return stepInCode(by: 1) }
            if openCode(attributes) { return }
        }
        if Self.blocks.contains(name) { return cell == nil && rows == nil ? endParagraph() : addBlank() }
        guard !isClosed, canOpenMark else { return }
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
        case "span" where style.contains("-en-highlight:") || style.contains("-evernote-highlight:true"): mark = "=="
        case "span" where style.contains("font-style:italic"): mark = "*"
        case "span" where style.contains("line-through"): mark = "~~"
        case "span", "font": mark = ""
        default: return
        }
        // Two nested marks of the same kind would end each other.
        openMark(name, closers.contains { $0.mark == mark } ? "" : mark)
    }

    private mutating func close(_ name: String) {
        if name == "title" { return isInTitle = false }
        if let skipped {
            if name == "annotation" { isInFormula = false }
            if skipped.name == name { self.skipped = skipped.depth > 1 ? (name, skipped.depth - 1) : nil }
            if name == "math", self.skipped == nil { addFormula() }
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
        case "a": closeLink()
        case "en-crypt":
            guard preformatted > 0, codeBlocks == 0 else { return }
            preformatted = 0
            addCode()
        default:
            if codeBlocks > 0, Self.blocks.contains(name) { return stepInCode(by: -1) }
            if Self.blocks.contains(name) { return cell == nil && rows == nil ? endParagraph() : addBlank() }
            closeMark(name)
        }
    }

    private mutating func addBlank() { if let last = inline.last, last != " " { inline += " " } }

    private mutating func addImage(_ attributes: [String: String]) {
        guard let source = attributes["src"], !source.isEmpty else { return }
        let label = (attributes["alt"] ?? "").filter { !"[]\n".contains($0) }
        if let (type, data) = Self.pictureData(source), let address = picture(pictures.count + 1, type) {
            pictures.append(data)
            inline += "![\(label)](\(address))"
            return
        }
        // The data of a picture inside the page is not worth keeping as text.
        if source.hasPrefix("data:"), source.utf8.count > 2_000 {
            leftOut.insert("img")
            return
        }
        inline += "![\(label)](\(Self.address(source)))"
    }

    /// Returns the type and the data in Base64 of `data:image/png;base64,…`; nil for any other address.
    private static func pictureData(_ source: String) -> (type: String, data: String)? {
        let start = "data:image/"
        guard source.prefix(start.count).lowercased() == start, let comma = source.firstIndex(of: ",") else {
            return nil
        }
        let parts = source[..<comma].dropFirst(start.count).lowercased().split(separator: ";")
        guard let type = parts.first, parts.last == "base64", parts.count > 1 else { return nil }
        return (String(type), String(source[source.index(after: comma)...]))
    }

    /// An address with the characters encoded that would end it in Markdown.
    static func address(_ address: String) -> String {
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
}
