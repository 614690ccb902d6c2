@testable import Markdown

/// Returns a highlighted line as text: `kind(text)` for each run; text without a run (or only with ignored kinds)
/// unchanged.
func notation(_ highlight: LineHighlight, of line: String, ignoring ignored: SpanKind = []) -> String {
    let bytes = Array(line.utf8)
    var result = ""
    var offset = 0
    func plain(to end: Int) {
        result += String(decoding: bytes[offset..<end], as: UTF8.self)
        offset = end
    }
    for run in highlight.runs where !run.kind.subtracting(ignored).isEmpty {
        plain(to: run.range.lowerBound)
        result += names(run.kind.subtracting(ignored)) + "("
        plain(to: run.range.upperBound)
        result += ")"
    }
    plain(to: bytes.count)
    return result
}

private func names(_ kind: SpanKind) -> String {
    let all: [(SpanKind, String)] = [
        (.marker, "m"), (.emphasis, "em"), (.strong, "strong"), (.strikethrough, "del"), (.highlight, "mark"),
        (.code, "code"), (.codeBlock, "pre"), (.link, "link"), (.linkTarget, "target"), (.image, "image"),
        (.quote, "quote"), (.listMarker, "list"), (.task, "task"), (.done, "done"), (.tag, "tag"),
        (.wikilink, "wiki"), (.math, "math"), (.html, "html"), (.frontMatter, "front"), (.footnote, "note"),
        (.table, "table"), (.escape, "escape"), (.entity, "entity"), (.rule, "rule"), (.fenceInfo, "info"),
        (.definition, "def"), (.codeKeyword, "keyword"), (.codeType, "type"), (.codeString, "string"),
        (.codeComment, "comment"), (.codeNumber, "number"), (.codeName, "name"), (.codeAdded, "added"),
        (.codeRemoved, "removed"),
    ]
    var names = all.filter { kind.contains($0.0) }.map(\.1)
    if let level = kind.headingLevel { names.append("h\(level)") }
    return names.joined(separator: "+")
}

/// Returns all lines of a text in notation, highlighted by a new highlighter.
func highlighted(
    _ text: String, _ options: MarkdownOptions = .extended, ignoring ignored: SpanKind = []
) -> [String] {
    let lines = StringLines(text)
    var highlighter = MarkdownHighlighter(options)
    highlighter.reset(lines)
    _ = highlighter.advance(lines, byteBudget: .max)
    return (0..<lines.lineCount).map { index in
        let line = lines.withLine(index) { String(decoding: $0, as: UTF8.self) }
        return notation(highlighter.spans(ofLine: index, in: lines), of: line, ignoring: ignored)
    }
}
