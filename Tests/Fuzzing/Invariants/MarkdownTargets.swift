import Markdown

extension FuzzTarget {
    /// The Markdown engine: HTML, structure, preview, and highlighting, which after an edit must equal a fresh one.
    public static let markdown = FuzzTarget("markdown") { input in
        let text = String(decoding: input, as: UTF8.self)
        for options in [MarkdownOptions.commonMark, .gfm, .extended] {
            let html = Markdown.html(text, options)
            if text.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x0A }), !html.isEmpty { return "HTML of nothing: \(html)" }
            // A text without tags gets only the engine's tags, each of them closed.
            if !text.utf8.contains(UInt8(ascii: "<")), let fault = tagFault(html) { return "\(fault) in \(html)" }
        }
        let document = MarkdownDocument(text)
        let preview = PreviewLayout(document, source: text, columns: 20, cellWidth: .unicode)
        _ = preview.line(ofSource: 1)
        for link in Markdown.links(in: text) where link.range.upperBound > text.utf8.count {
            return "a link ends at \(link.range.upperBound) of \(text.utf8.count)"
        }
        let lineCount = text.utf8.count { $0 == 0x0A || $0 == 0x0D } + 1
        for places in [document.outline.map(\.line), document.tasks.map(\.line)] {
            if zip(places, places.dropFirst()).contains(where: >) || places.last ?? 0 >= lineCount {
                return "lines \(places) of \(lineCount)"
            }
        }
        _ = document.tags
        _ = Markdown.plainText(of: text)
        if Markdown.derivedTitle(of: text).count > 200 { return "a derived title of more than 200 characters" }
        return highlightingFault(text, chance: input.reduce(5381) { ($0 &* 33) ^ Int($1) })
    }

    /// HTML elements without an end tag.
    private static let voidElements: Set<Substring> = ["br", "hr", "img", "input"]

    /// Describes a tag that is not closed, or an end tag without a start.
    private static func tagFault(_ html: String) -> String? {
        var open: [Substring] = []
        for tag in html.split(separator: "<").dropFirst(html.hasPrefix("<") ? 0 : 1) {
            let name = tag.dropFirst(tag.hasPrefix("/") ? 1 : 0).prefix { $0.isLetter || $0.isNumber }
            if voidElements.contains(name) { continue }
            if !tag.hasPrefix("/") {
                open.append(name)
            } else if open.popLast() != name {
                return "</\(name)> closes nothing"
            }
        }
        return open.last.map { "<\($0)> is not closed" }
    }

    /// Removes a line and inserts it again; the highlights must always be those of the present text.
    private static func highlightingFault(_ text: String, chance: Int) -> String? {
        let whole = StringLines(text)
        var lines = (0..<whole.lineCount).map { whole.withLine($0) { String(decoding: $0, as: UTF8.self) } }
        var highlighter = MarkdownHighlighter()
        highlighter.reset(StringLines(lines.joined(separator: "\n")))
        if let fault = difference(&highlighter, lines) { return fault }
        guard lines.count > 1 else { return nil }
        // As in an editor, a line is removed with its own line end or that of the line before, so that two lines become
        // one.
        let number = Int(chance.magnitude % UInt(lines.count))
        let first = min(number, lines.count - 2)
        let line = lines.remove(at: number)
        highlighter.replace(lines: first..<first + 2, withCount: 1)
        if let fault = difference(&highlighter, lines) { return "without line \(number): " + fault }
        lines.insert(line, at: number)
        highlighter.replace(lines: first..<first + 1, withCount: 2)
        return difference(&highlighter, lines).map { "with line \(number) again: " + $0 }
    }

    private static func difference(_ highlighter: inout MarkdownHighlighter, _ lines: [String]) -> String? {
        let source = StringLines(lines.joined(separator: "\n"))
        var anew = MarkdownHighlighter()
        anew.reset(source)
        // A definition further down takes effect once everything has been read.
        while !highlighter.advance(source, byteBudget: 1 << 20) {}
        while !anew.advance(source, byteBudget: 1 << 20) {}
        for number in lines.indices {
            let (kept, fresh) = (highlighter.spans(ofLine: number, in: source), anew.spans(ofLine: number, in: source))
            if kept != fresh { return "line \(number) is \(kept), anew \(fresh)" }
            var end = 0
            for run in kept.runs {
                guard run.range.lowerBound >= end, run.range.upperBound <= lines[number].utf8.count else {
                    return "a run at \(run.range) of line \(number)"
                }
                end = run.range.upperBound
            }
        }
        return nil
    }

    /// Front matter: its positions are within the text, and it is read the same after being written again.
    public static let frontMatter = FuzzTarget("front-matter") { input in
        let text = "---\n" + String(decoding: input, as: UTF8.self)
        guard let matter = Markdown.frontMatter(of: text) else { return nil }
        let count = text.utf8.count { $0 == 0x0A || $0 == 0x0D } + 1
        if matter.lineCount < 2 || matter.lineCount > count { return "\(matter.lineCount) lines of \(count)" }
        for field in matter.fields where field.key.isEmpty { return "a field without a name" }
        _ = MarkdownDocument(text).tags
        return rewritingFault(matter)
    }

    /// Writes the fields as an export does, and reads them.
    private static func rewritingFault(_ matter: FrontMatter) -> String? {
        // A line that begins with a dash may belong to the list of the field before it.
        guard !matter.fields.isEmpty, !matter.fields.contains(where: { $0.key.hasPrefix("-") }) else { return nil }
        let lines = matter.fields.map { "\($0.key): \"\($0.value)\"" }
        let again = Markdown.frontMatter(of: (["---"] + lines + ["---", ""]).joined(separator: "\n"))
        return again?.fields == matter.fields ? nil : "\(matter.fields) is read again as \(again?.fields ?? [])"
    }
}
