/// The conversion of blocks: paragraphs, lists, code and tables.
extension MarkdownFromHTML {
    mutating func openList(_ name: String, _ attributes: [String: String]) {
        endParagraph()
        guard frames.count < Self.maximumDepth else { return }
        // Many programs write a list directly inside a list; it belongs to the preceding item.
        if let list = frames.last, list.kind == .list, let width = list.itemWidth, frames.count + 1 < Self.maximumDepth
        {
            frames.append(
                Frame(
                    kind: .closedItem, name: "", mark: String(repeating: " ", count: width), isMarkWritten: true)
            )
        }
        let number = name == "ol" ? attributes["start"].flatMap { Int($0) } ?? 1 : nil
        let isChecklist = attributes["class"]?.lowercased().contains("checklist") ?? false
        frames.append(Frame(kind: .list, name: name, number: number, isChecklist: isChecklist))
    }

    /// - Parameter isDone: whether its task is done; nil for an item that is not a task.
    mutating func openItem(isDone: Bool? = nil) {
        // HTML may omit the end tag of the preceding item.
        if let last = frames.last, last.kind == .item { closeFrame("li") }
        endParagraph()
        guard frames.count < Self.maximumDepth else { return }
        var mark = "- "
        if let list = frames.indices.last, frames[list].kind == .list, let number = frames[list].number {
            mark = "\(number). "
            frames[list].number = number &+ 1
        }
        if let list = frames.indices.last, frames[list].kind == .list { frames[list].itemWidth = mark.count }
        if let isDone { mark += isDone ? "[x] " : "[ ] " }
        frames.append(Frame(kind: .item, name: "li", mark: mark))
    }

    mutating func closeFrame(_ name: String) {
        endParagraph()
        guard let index = frames.lastIndex(where: { $0.name == name }) else { return }
        // An item without text is still written.
        if frames[index].kind == .item, !frames[index].isMarkWritten { write([""]) }
        frames.removeSubrange(index...)
        lastWasItem = name == "li"
        if frames.last?.kind == .closedItem {
            frames.removeLast()
            lastWasItem = true
        }
    }

    /// The text of the paragraph without white space and line breaks at its ends.
    private var trimmedInline: String {
        var text = inline.trimmingWhitespace
        while text.hasSuffix("\\\n") || text.hasSuffix("\\") && !text.hasSuffix("\\\\") && inline.hasSuffix("\n") {
            text = String(text.dropLast(text.hasSuffix("\n") ? 2 : 1)).trimmingWhitespace
        }
        return text
    }

    mutating func endParagraph() {
        if preformatted > 0 || cell != nil { return }
        let open = endMarks()
        var text = trimmedInline
        beginText()
        openMarks(open)
        let (level, id) = (headingLevel, headingID)
        (headingLevel, headingID) = (0, nil)
        if let isDone = Self.box(startOf: text), let item = frames.indices.last, frames[item].isPlainItem {
            frames[item].mark += isDone ? "[x] " : "[ ] "
            text = String(text.drop { !$0.isWhitespace }.drop(while: \.isWhitespace))
        }
        guard !text.isEmpty else { return }
        if level > 0 {
            if let id, !id.isEmpty { headings[id] = text }
            addBlock(String(repeating: "#", count: level) + " " + text.replacing("\\\n", with: " "))
        } else {
            addLines(
                text.split(separator: "\n", omittingEmptySubsequences: false).map {
                    Self.escapingBlockStart(String($0))
                })
        }
    }

    /// Returns whether the box is ticked with which a text begins, as programs without checklists in HTML draw tasks;
    /// nil if the text begins with none.
    private static func box(startOf text: String) -> Bool? {
        let scalars = text.unicodeScalars
        guard let box = scalars.first, 0x2610...0x2612 ~= box.value else { return nil }
        // A variation selector asks for a box in colour.
        let rest = scalars.dropFirst().drop { $0.value == 0xFE0F || $0.value == 0xFE0E }
        return rest.first?.properties.isWhitespace ?? true ? box.value != 0x2610 : nil
    }

    /// Makes the links to a heading's identity links to its title, as Markdown knows headings.
    mutating func linkToHeadings() {
        guard !headings.isEmpty, output.contains("](#") else { return }
        let parts = output.split(separator: "](#", omittingEmptySubsequences: false)
        var linked = String(parts.first ?? "")
        for part in parts.dropFirst() {
            let id = part.prefix { $0 != ")" }
            let title = headings[String(id)].map { Self.anchor(of: $0) } ?? ""
            linked += "](#" + (title.isEmpty ? part : title + part[id.endIndex...])
        }
        output = linked
    }

    /// Returns a heading in the form in which links name it: its letters and digits, with hyphens between the words.
    private static func anchor(of title: String) -> String {
        title.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-").lowercased()
    }

    /// The line, escaped if it would otherwise begin a heading, a list, a quotation or a rule.
    private static func escapingBlockStart(_ line: String) -> String {
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

    /// Begins code that has an element for each line, as Evernote writes it; returns whether the element begins such
    /// code.
    mutating func openCode(_ attributes: [String: String]) -> Bool {
        guard preformatted == 0, cell == nil, let style = attributes["style"]?.lowercased(),
            style.contains("-en-codeblock:true")
        else { return false }
        endParagraph()
        beginBlock()
        (preformatted, codeBlocks) = (1, 1)
        let language = style.split(separator: ";").first { $0.contains("-en-syntaxlanguage:") }
        codeLanguage =
            language?.split(separator: ":").last.map { String($0.filter { $0.isLetter || $0.isNumber }) } ?? ""
        return true
    }

    /// Begins or ends an element of code that has an element for each line; `step` is 1 or -1.
    mutating func stepInCode(by step: Int) {
        codeBlocks += step
        if codeBlocks == 0 {
            preformatted = 0
            addCode()
        } else if !inline.isEmpty, !inline.hasSuffix("\n") {
            inline += "\n"
        }
    }

    /// Takes the language of code from the classes of `pre` or of an element in it: `language-swift`.
    mutating func takeCodeLanguage(from classes: [Substring]) {
        let name = classes.compactMap { name in
            ["language-", "lang-"].first { name.hasPrefix($0) }.map { name.dropFirst($0.count) }
        }.first
        if let name { codeLanguage = String(name.filter { $0.isLetter || $0.isNumber || "+#-".contains($0) }) }
    }

    mutating func addCode() {
        let (text, language) = (inline, codeLanguage)
        codeLanguage = ""
        beginText()
        closeBlock()
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.first?.isEmpty == true { lines.removeFirst() }
        while lines.last?.isEmpty == true { lines.removeLast() }
        guard !lines.isEmpty else { return }
        var fence = "```"
        while lines.contains(where: { $0.contains(fence) }) { fence += "`" }
        addLines([fence + language] + lines + [fence])
    }

    mutating func addBlock(_ line: String) {
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
                case .item, .closedItem:
                    let mark = frames[index].mark
                    if frames[index].isMarkWritten {
                        let width = mark.hasSuffix("] ") ? mark.count - 4 : mark.count
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

    mutating func endCell() {
        guard let before = cell else { return }
        _ = endMarks()
        let text = inline.trimmingWhitespace.replacing("\\\n", with: " ").replacing("\n", with: " ").replacing(
            "|", with: "\\|")
        inline = before
        cell = nil
        var last = rows?.popLast() ?? []
        last.append(text)
        rows?.append(last)
    }

    mutating func endTable() {
        endCell()
        guard let rows = rows?.filter({ !$0.isEmpty }) else { return }
        self.rows = nil
        if preformatted == 0 { closeBlock() }
        let width = rows.map(\.count).max() ?? 0
        guard width > 0, let first = rows.first else { return }
        func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
        // The columns of a table are those of its first row; renderers add the missing cells of shorter rows.
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
