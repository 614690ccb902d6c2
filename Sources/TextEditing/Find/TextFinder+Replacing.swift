extension TextFinder {
    /// The edit that replaces every match in `range` (all of the text unless told).
    ///
    /// O(range).
    ///
    /// In a regular expression's template `$1` to `$9` are the groups, `$0` the match, `\n` and `\t` what they say, and a
    /// backslash makes any other character plain. For a plain text the template is plain too.
    public func replacingAll(in buffer: TextBuffer, within range: Range<ByteOffset>? = nil, with template: String)
        -> Edit
    {
        let range = range ?? buffer.range
        let parts = query.isRegularExpression ? ReplacementTemplate(template) : nil
        var replacements: [Edit.Replacement] = []
        var place = range.lowerBound
        while place < range.upperBound {
            let stop = min(range.upperBound, place + TextFinder.window)
            place = search(buffer, from: place, to: stop, groups: parts != nil) { match in
                guard match.range.upperBound <= range.upperBound else { return true }
                let removed = buffer.string(in: match.range)
                let inserted = parts?.text(for: match, in: buffer) ?? template
                replacements.append(
                    Edit.Replacement(start: match.range.lowerBound, removed: removed, inserted: inserted))
                return true
            }
        }
        return Edit(replacements)
    }

    /// The edit that replaces the match that is exactly `range`; nil when there is none.
    public func replacing(_ range: Range<ByteOffset>, in buffer: TextBuffer, with template: String) -> Edit? {
        var edit: Edit?
        let parts = query.isRegularExpression ? ReplacementTemplate(template) : nil
        _ = search(buffer, from: range.lowerBound, to: range.lowerBound + 1, groups: parts != nil) { match in
            if match.range == range {
                edit = Edit(replacing: range, of: buffer, with: parts?.text(for: match, in: buffer) ?? template)
            }
            return false
        }
        return edit
    }
}

/// What a match of an expression is replaced by.
private struct ReplacementTemplate {
    private enum Part {
        case text(String)
        case group(Int)
    }

    private var parts: [Part] = []

    init(_ template: String) {
        var rest = template[...]
        while let first = rest.popFirst() {
            switch (first, rest.first) {
            case ("$", let digit?) where digit.isASCII && digit.isNumber:
                parts.append(.group(digit.wholeNumberValue ?? 0))
                rest.removeFirst()
            case ("\\", let next?):
                parts.append(.text(next == "n" ? "\n" : next == "t" ? "\t" : String(next)))
                rest.removeFirst()
            default:
                parts.append(.text(String(first)))
            }
        }
    }

    func text(for match: TextFinder.Match, in buffer: TextBuffer) -> String {
        parts.reduce(into: "") { text, part in
            switch part {
            case .text(let plain): text += plain
            case .group(let index):
                if index < match.groups.count, let range = match.groups[index] { text += buffer.string(in: range) }
            }
        }
    }
}

extension TextEditor {
    /// Selects the next match behind the selection, or from the text's start; whether there is one.
    @discardableResult
    public mutating func selectNext(_ finder: TextFinder) -> Bool {
        guard let match = finder.next(from: selection.range.upperBound, in: buffer) else { return false }
        select(Selection(match))
        return true
    }

    /// Selects the previous match before the selection, or from the text's end; whether there is one.
    @discardableResult
    public mutating func selectPrevious(_ finder: TextFinder) -> Bool {
        guard let match = finder.previous(before: selection.range.lowerBound, in: buffer) else { return false }
        select(Selection(match))
        return true
    }

    /// Replaces the selected match, if it is one, and selects the next.
    @discardableResult
    public mutating func replaceMatch(_ finder: TextFinder, with template: String) -> Edit? {
        let edit = replaceSelectedMatch(finder, with: template)
        selectNext(finder)
        return edit
    }

    /// Replaces the selected match, if it is one, with the caret behind it.
    @discardableResult
    public mutating func replaceSelectedMatch(_ finder: TextFinder, with template: String) -> Edit? {
        guard let edit = finder.replacing(selection.range, in: buffer, with: template), let range = edit.newRange else {
            return nil
        }
        return apply(edit, selection: Selection(range.upperBound))
    }

    /// Replaces every match in the text, or in `range`, as one step.
    @discardableResult
    public mutating func replaceAll(
        _ finder: TextFinder, within range: Range<ByteOffset>? = nil, with template: String
    ) -> Edit? {
        let edit = finder.replacingAll(in: buffer, within: range, with: template)
        return edit.isEmpty ? nil : apply(edit)
    }
}
