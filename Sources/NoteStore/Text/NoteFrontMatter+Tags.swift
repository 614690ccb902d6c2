import Markdown

/// Renaming a tag in front matter.
extension NoteFrontMatter {
    /// Returns the text with a tag, and the tags below it, renamed in its front matter; every other byte stays.
    ///
    /// It is nil if the front matter does not have the tag, or cannot hold the new name as it is written.
    static func text(_ text: String, renamingTag old: String, to new: String) -> String? {
        guard let before = NoteFrontMatter(of: text), before.hasTag(old), let lines = Markdown.frontMatter(of: text)
        else { return nil }
        var bytes = Array(text.utf8)
        let content = Array(bytes[lines.content])
        bytes.replaceSubrange(lines.content, with: TagLines(content).renamed(Folding.key(old), to: Array(new.utf8)))
        let changed = String(decoding: bytes, as: UTF8.self)
        var wanted = before
        wanted.tags = before.tags.map { TagPath.renamed($0, old, to: new) }
        wanted.exportedTags = before.exportedTags.map { TagPath.renamed($0, old, to: new) }
        guard let after = NoteFrontMatter(of: changed), after.says(wanted) else { return nil }
        return changed
    }

    /// Whether the front matter has a tag, or one below it.
    func hasTag(_ name: String) -> Bool {
        (tags + exportedTags).contains { TagPath.renamed($0, name, to: "") != $0 }
    }

    /// Whether the values are those of `other`, wherever they end.
    private func says(_ other: NoteFrontMatter) -> Bool {
        tags == other.tags && exportedTags == other.exportedTags && title == other.title && aliases == other.aliases
            && created == other.created && updated == other.updated && fields == other.fields
    }
}

/// The lines of front matter, and those of them that hold tags.
private struct TagLines {
    private let lines: [ArraySlice<UInt8>]

    private static let keys: Set = ["tags", "tag", "keywords", NoteProperties.prefix + "tags"]
    /// What may stand before a tag and after it; after it also the `/` of a tag below it.
    private static let separators = Set(" \t,[]{}\"':#\r\n".utf8)

    init(_ content: [UInt8]) {
        lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    /// Returns the lines with the tag of a folded name replaced.
    func renamed(_ key: String, to new: [UInt8]) -> [UInt8] {
        var isTags = false
        var result: [UInt8] = []
        for (number, line) in lines.enumerated() {
            var start = line.startIndex
            // A value goes on in lines that are indented, and in items of a list.
            if let first = line.first, !" \t-]".utf8.contains(first), let colon = line.firstIndex(of: UInt8(ascii: ":"))
            {
                isTags = Self.keys.contains(String(decoding: line[..<colon], as: UTF8.self).lowercased())
                start = colon + 1
            }
            if number > 0 { result.append(UInt8(ascii: "\n")) }
            result += line[..<start]
            result += isTags ? Self.renamed(in: line[start...], key, to: new) : Array(line[start...])
        }
        return result
    }

    private static func renamed(in value: ArraySlice<UInt8>, _ key: String, to new: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var position = value.startIndex
        while position < value.endIndex {
            let isStart = position == value.startIndex || separators.contains(value[position - 1])
            if isStart, !separators.contains(value[position]), let end = end(of: key, in: value[position...]) {
                result += new
                position = end
            } else {
                result.append(value[position])
                position += 1
            }
        }
        return result
    }

    /// Returns the end of the tag of a folded name at the start of a value; nil if another one is there.
    private static func end(of key: String, in value: ArraySlice<UInt8>) -> Int? {
        for end in value.startIndex + 1...min(value.endIndex, value.startIndex + TagPath.maximumLength) {
            let isEnd = end == value.endIndex || separators.contains(value[end]) || value[end] == UInt8(ascii: "/")
            if isEnd, Folding.key(String(decoding: value[value.startIndex..<end], as: UTF8.self)) == key { return end }
        }
        return nil
    }
}
