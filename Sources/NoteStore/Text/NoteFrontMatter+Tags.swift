import Markdown

/// Renaming a tag in front matter.
extension NoteFrontMatter {
    /// Returns the text with a tag, and the tags below it, renamed in its front matter; every other byte stays.
    ///
    /// Only what is read as a tag changes: comments, anchors and other values may contain the same words. A tag stays if
    /// its place cannot hold the new name, or if it is written in a form other than its own characters, such as an escape.
    ///
    /// It is `nil` if nothing changes.
    static func text(_ text: String, renamingTag old: String, to new: String) -> String? {
        guard let before = NoteFrontMatter(of: text), before.hasTag(old), let lines = Markdown.frontMatter(of: text)
        else { return nil }
        let bytes = Array(text.utf8)
        let found = TagWords(Array(bytes[lines.content]), start: lines.content.lowerBound).ranges(of: Folding.key(old))
        guard found.count * lines.content.count <= maximumWork else { return nil }
        func changed(_ ranges: [Range<Int>]) -> String {
            var result = bytes
            for range in ranges.reversed() { result.replaceSubrange(range, with: new.utf8) }
            return String(decoding: result, as: UTF8.self)
        }
        // Only reading the front matter with the new name shows which of the words are tags.
        let tags = found.filter { range in
            NoteFrontMatter(of: changed([range])).map { before.isRenamed(in: $0, old, to: new) } ?? false
        }
        if tags.isEmpty { return nil }
        let result = changed(tags)
        guard let after = NoteFrontMatter(of: result), before.isRenamed(in: after, old, to: new) else { return nil }
        return result
    }

    /// The limit of the bytes that are read while tags are told from other words, as often as the tag's name occurs.
    private static let maximumWork = 4_000_000

    /// Whether the front matter has a tag, or one below it.
    func hasTag(_ name: String) -> Bool {
        (tags + exportedTags).contains { TagPath.renamed($0, name, to: "") != $0 }
    }

    /// Whether the values are those of `other`, wherever they end, but for one or more tags that have their new names.
    private func isRenamed(in other: NoteFrontMatter, _ old: String, to new: String) -> Bool {
        func isSame(_ one: [String], _ other: [String]) -> Bool {
            one.count == other.count
                && zip(one, other).allSatisfy { $0 == $1 || TagPath.renamed($0, old, to: new) == $1 }
        }
        return isSame(tags, other.tags) && isSame(exportedTags, other.exportedTags)
            && (tags != other.tags || exportedTags != other.exportedTags)
            && title == other.title && aliases == other.aliases
            && created == other.created && updated == other.updated && fields == other.fields
    }
}

/// The words in front matter that may be tags.
private struct TagWords {
    private let content: [UInt8]
    /// The offset of the content in the text.
    private let start: Int

    /// The bytes that may stand before and after a tag; after it, the `/` of a tag below it may stand, too.
    private static let separators = Set(" \t,[]{}\"':#\r\n".utf8)

    init(_ content: [UInt8], start: Int) {
        self.content = content
        self.start = start
    }

    /// Returns the ranges, in the text, of the words that are a folded name, in order.
    func ranges(of key: String) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var position = 0
        while position < content.count {
            let isStart = position == 0 || Self.separators.contains(content[position - 1])
            if isStart, !Self.separators.contains(content[position]), let end = end(of: key, from: position) {
                ranges.append(start + position..<start + end)
                position = end
            } else {
                position += 1
            }
        }
        return ranges
    }

    /// Returns the end of a folded name at a position; `nil` if another one is there.
    private func end(of key: String, from start: Int) -> Int? {
        // A name may have blanks and `/` in it.
        var left = key.utf8.count(where: Self.isEnd)
        for end in start + 1...min(content.count, start + TagPath.maximumLength) {
            guard end == content.count || Self.isEnd(content[end]) else { continue }
            if Folding.key(String(decoding: content[start..<end], as: UTF8.self)) == key { return end }
            left -= 1
            if left < 0 { return nil }
        }
        return nil
    }

    private static func isEnd(_ byte: UInt8) -> Bool { separators.contains(byte) || byte == UInt8(ascii: "/") }
}
