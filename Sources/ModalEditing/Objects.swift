import TextEditing

extension VimMachine {
    /// Returns the object that a name specifies, or `nil` if the name is not an object's.
    func object(named name: String) -> (object: TextObject, around: Bool)? {
        guard name.count == 2, let first = name.first, first == "i" || first == "a", let last = name.last else {
            return nil
        }
        let around = first == "a"
        switch last {
        case "w": return (.word(big: false), around)
        case "W": return (.word(big: true), around)
        case "s": return (.sentence, around)
        case "p": return (.paragraph, around)
        case "(", ")", "b": return (.brackets(0x28, 0x29), around)
        case "{", "}", "B": return (.brackets(0x7B, 0x7D), around)
        case "[", "]": return (.brackets(0x5B, 0x5D), around)
        case "<", ">": return (.brackets(0x3C, 0x3E), around)
        case "\"", "'", "`": return (.quotes(last.asciiValue ?? 0x22), around)
        default: return nil
        }
    }

    /// Returns the span of a command's object, or `nil` if its name is not an object's.
    mutating func objectSpan(of command: VimCommand) throws(VimRefusal) -> ObjectSpan? {
        if let markdown = markdownObject(of: command) {
            guard let range = markdown.range, !range.isEmpty else { throw VimRefusal() }
            if markdown.isLines {
                return ObjectSpan(
                    start: range.lowerBound, end: lineStart(text.characterStart(before: range.upperBound)), kind: .lines
                )
            }
            return ObjectSpan(start: range.lowerBound, end: range.upperBound, kind: .exclusive)
        }
        if command.name == "gn" || command.name == "gN", !mode.isVisual {
            let match = try matchAround(caret, isForward: command.name == "gn")
            keepForReselection(match, isForward: command.name == "gn")
            let end = match.isEmpty ? text.characterEnd(after: match.lowerBound) : match.upperBound
            return ObjectSpan(
                start: match.lowerBound, end: min(end, lineEnd(match.lowerBound)), kind: .exclusive)
        }
        guard let (object, around) = object(named: command.name) else { return nil }
        if let anchor = mode.isVisual ? anchor : nil, case .quotes = object, line(anchor) != line(caret) {
            throw VimRefusal()
        }
        switch object {
        case .sentence: if !mode.isVisual { marks.jump(from: caret, in: text) }
        case .brackets: if !mode.isVisual || caret == anchor { marks.jump(from: caret, in: text) }
        default: break
        }
        var reader = reader
        guard
            let span = reader.object(
                object, at: caret, count: command.count ?? 1, around: around,
                extending: mode.isVisual ? anchor : nil, selectsLines: mode == .visualLine)
        else {
            // A search for a missing word moves the caret to the end of the text, or to its start.
            if case .word = object { caret = mode.isVisual && caret < anchor ? 0 : onCharacter(reader.end) }
            throw VimRefusal()
        }
        return span
    }

    /// Returns the range of a Markdown object: a link, code, emphasis, an item, or the section of a heading.
    private func markdownObject(of command: VimCommand) -> (range: Range<ByteOffset>?, isLines: Bool)? {
        guard command.name.count == 2, let first = command.name.first, first == "i" || first == "a",
            let last = command.name.last, let object = VimMarkdownObject(rawValue: last)
        else { return nil }
        let range = view.markdown?(object, caret, first == "a")
        return (range, object == .section || object == .item)
    }
}

/// The Markdown objects, with the letters that name them in vim's grammar.
public enum VimMarkdownObject: Character, Hashable, Sendable {
    /// The text of a link, or the whole link.
    case link = "l"
    /// Code between backticks, or in a fence.
    case code = "c"
    /// Emphasised text.
    case emphasis = "*"
    /// The section under a heading.
    case section = "h"
    /// An item of a list.
    case item = "-"
}
