/// The metadata of a commit to make.
package struct Draft {
    package var parents: [String]
    package var message: String
    /// The author's name.
    package var author = "tn"
    /// The author's address, which tells tn's commits from those of other programs.
    package var address = Self.ownAddress
    /// The author's and committer's date, in seconds since 1970.
    package var date: Int64

    /// The address in the commits that tn makes.
    package static let ownAddress = "tn"

    package init(
        parents: [String], message: String, author: String = "tn", address: String = Self.ownAddress, date: Int64
    ) {
        (self.parents, self.message, self.author) = (parents, message, author)
        (self.address, self.date) = (address, date)
    }
}

/// A commit object as git stores it: the names of its tree and its parents, its author and date, and a message.
package struct CommitText: Equatable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the lines that state the author, the committer and the date.
    package static func people(_ draft: Draft) -> String {
        let author = draft.author.filter { $0 != "<" && $0 != ">" && !$0.isNewline && $0 != "\0" }
        return ["author", "committer"].reduce(into: "") {
            $0 += "\($1) \(author.isEmpty ? "tn" : author) <\(draft.address)> \(draft.date) +0000\n"
        }
    }

    /// The names of the parents, in the lines after the tree's.
    var parents: [String] {
        let lines = bytes.split(separator: 0x0A).dropFirst().lazy.map { String(decoding: $0, as: UTF8.self) }
        return lines.prefix { $0.hasPrefix("parent ") }.map { String($0.dropFirst("parent ".count)) }
    }
}

// MARK: - Seals

extension CommitText {
    private static let word = Array("\nseal ".utf8)
    /// The seal's length: the word, 64 hexadecimal digits and a line feed.
    private static let length = word.count + 65

    /// Returns the same commit with a seal at its end: a keyed hash, which only a holder of the key can compute.
    func sealed(_ key: SyncKey) -> CommitText {
        CommitText(bytes + Self.word + Array((key.seal(of: bytes) + "\n").utf8))
    }

    /// Returns whether the commit ends with the seal of all the bytes before it.
    func isSealed(_ key: SyncKey) -> Bool {
        guard bytes.count > Self.length else { return false }
        let plain = CommitText(Array(bytes.dropLast(Self.length)))
        return plain.sealed(key) == self
    }
}
