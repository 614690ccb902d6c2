extension TextFinder {
    /// Checks what is to take the place of matches; throws `noSuchGroup` and `unknownEscape`.
    ///
    /// For a plain text the template is plain too, and nothing is wrong with it.
    public func check(template: String) throws(FindError) {
        if query.isRegularExpression { _ = try ReplacementTemplate(template, groups: groupCount) }
    }

    /// What replaces each match of a text, in order.
    ///
    /// In a regular expression's template `$1` and `\1` are groups, `$0` and `\0` the match, `\n` and `\t` what they say;
    /// a backslash makes any other sign plain.
    ///
    /// - Throws: what is wrong with the template, or why the search did not come to its end.
    public func replacements(
        in buffer: TextBuffer, with template: String, budget: SearchBudget = SearchBudget()
    ) throws(FindError) -> [Edit.Replacement] {
        let parts = query.isRegularExpression ? try ReplacementTemplate(template, groups: groupCount) : nil
        var result: [Edit.Replacement] = []
        try forEachMatch(in: buffer, groups: parts != nil, budget: budget) { match in
            result.append(
                Edit.Replacement(
                    start: match.range.lowerBound, removed: buffer.string(in: match.range),
                    inserted: parts?.text(for: match, in: buffer) ?? template))
            return true
        }
        return result
    }

    /// The edit that replaces the match that is exactly `range`; nil when there is none.
    ///
    /// - Throws: as `replacements(in:with:budget:)`.
    public func replacing(
        _ range: Range<ByteOffset>, in buffer: TextBuffer, with template: String, budget: SearchBudget = SearchBudget()
    ) throws(FindError) -> Edit? {
        guard query.isRegularExpression else {
            let isMatch = matches(in: buffer, within: range, limit: 1) == [range]
            return isMatch ? Edit(replacing: range, of: buffer, with: template) : nil
        }
        let parts = try ReplacementTemplate(template, groups: groupCount)
        var edit: Edit?
        try forEachMatch(in: buffer, groups: true, budget: budget) { match in
            if match.range == range {
                edit = Edit(replacing: range, of: buffer, with: parts.text(for: match, in: buffer))
            }
            return match.range.lowerBound < range.lowerBound
        }
        return edit
    }
}
