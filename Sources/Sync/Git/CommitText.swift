/// A commit that is to be made.
struct Draft {
    var parents: [String]
    var message: String
    /// Who made it.
    var author = "tn"
    /// Seconds since 1970.
    var date: Int64
}

/// A commit as git stores it: its tree and its parents by their names, who made it and when, and a message.
struct CommitText: Equatable {
    var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The lines that say who made it, and when.
    static func people(_ draft: Draft) -> String {
        let author = draft.author.filter { $0 != "<" && $0 != ">" && !$0.isNewline && $0 != "\0" }
        return ["author", "committer"].reduce(into: "") {
            $0 += "\($1) \(author.isEmpty ? "tn" : author) <tn> \(draft.date) +0000\n"
        }
    }

    /// The names of the parents, which follow the tree's.
    var parents: [String] {
        let lines = bytes.split(separator: 0x0A).dropFirst().lazy.map { String(decoding: $0, as: UTF8.self) }
        return lines.prefix { $0.hasPrefix("parent ") }.map { String($0.dropFirst("parent ".count)) }
    }
}

// MARK: - Marks

extension CommitText {
    private static let word = Array("\nseal ".utf8)
    /// The mark has 64 digits, and a line ends after it.
    private static let length = word.count + 65

    /// The same commit with a mark at its end, which only who has the key can make.
    func sealed(_ key: SyncKey) -> CommitText {
        CommitText(bytes + Self.word + Array((key.mark(of: bytes) + "\n").utf8))
    }

    /// Whether the mark at the end is that of all that stands before it.
    func isSealed(_ key: SyncKey) -> Bool {
        guard bytes.count > Self.length else { return false }
        let plain = CommitText(Array(bytes.dropLast(Self.length)))
        return plain.sealed(key) == self
    }
}
