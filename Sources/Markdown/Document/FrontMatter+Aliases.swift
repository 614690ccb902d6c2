extension FrontMatter {
    static func isAliasKey(_ key: String) -> Bool { key == "aliases" || key == "alias" }

    /// The aliases in a value as written: `[a, "b, c"]`, or a single name.
    ///
    /// A value without brackets is a single name, because a title may contain commas and spaces.
    ///
    /// - Parameter isOne: Whether the value is an item of a list, so that brackets belong to the name.
    static func aliases(_ written: String, isOne: Bool) -> [String] {
        let isList = !isOne && written.hasPrefix("[") && written.hasSuffix("]") && written.count >= 2
        let items = isList ? items(of: written.dropFirst().dropLast()) : [written]
        return items.map { withoutQuotes($0.trimmed) }.filter { !$0.isEmpty }
    }

    /// The items between commas, except commas inside quotation marks.
    private static func items(of list: Substring) -> [String] {
        var items = [""]
        var quote: Character?
        for character in list {
            if character == ",", quote == nil {
                items.append("")
                continue
            }
            if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'", items[items.count - 1].trimmed.isEmpty {
                quote = character
            }
            items[items.count - 1].append(character)
        }
        return items
    }

    private static func withoutQuotes(_ text: String) -> String {
        guard text.count >= 2, let first = text.first, first == text.last, first == "\"" || first == "'" else {
            return text
        }
        return String(text.dropFirst().dropLast())
    }
}
