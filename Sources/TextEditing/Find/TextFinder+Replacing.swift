extension TextFinder {
    /// Checks a replacement; throws `noSuchGroup` and `unknownEscape`.
    ///
    /// The replacement of a plain text is plain too, and always valid.
    public func check(template: String) throws(FindError) {
        if query.isRegularExpression { _ = try ReplacementTemplate(template, groups: groupCount) }
    }

    /// The replacements for all matches of a text, in order.
    ///
    /// In a regular expression's template `$1` and `\1` are groups, `$0` and `\0` the match, `\n` a line end and `\t` a
    /// tab. A backslash makes any other character literal, except a letter.
    ///
    /// - Throws: The error in the template, or the reason why the search did not complete.
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

    /// The edit that replaces the match whose range is exactly `range`; nil if there is none.
    ///
    /// - Throws: The same errors as `replacements(in:with:budget:)`.
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
