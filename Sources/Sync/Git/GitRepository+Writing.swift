import Foundation

extension GitRepository {
    /// Stores blobs without a commit, so that large ones need not be in memory together.
    package func store(_ contents: [[UInt8]]) throws(GitError) {
        if contents.isEmpty { return }
        let stream = ImportStream(
            contents.map { .init(header: "blob\ndata \($0.count)\n", contents: $0) } + [.init(header: "done\n")])
        try output(["fast-import", "--quiet", "--done"], pieces: stream.next)
    }

    /// Makes a commit that applies a change to the first parent's tree, and returns the commit's name.
    ///
    /// A truncated stream changes no branch, since its `done` is missing.
    package func commit(_ draft: Draft, _ change: TreeChange) throws(GitError) -> String {
        try importCommits(Self.parts(draft, change, mark: 1), last: 1)
    }

    package func commit(
        _ draft: Draft, _ change: TreeChange, then merge: Draft, _ merged: TreeChange
    ) throws(GitError) -> String {
        var merge = merge
        merge.parents.append(":1")
        return try importCommits(
            Self.parts(draft, change, mark: 1) + [.init(header: "\n")] + Self.parts(merge, merged, mark: 2), last: 2)
    }

    /// Makes the commits of a stream, and returns the name of the last one.
    private func importCommits(_ parts: [ImportStream.Part], last mark: Int) throws(GitError) -> String {
        let stream = ImportStream(
            [.init(header: "feature done\n")] + parts + [.init(header: "\nget-mark :\(mark)\ndone\n")])
        return try Self.name(
            in: try output(["fast-import", "--quiet", "--force", "--done"], pieces: stream.next))
    }

    /// Returns the part of a stream that makes a commit, under a mark by which others of the stream can name it.
    private static func parts(_ draft: Draft, _ change: TreeChange, mark: Int) -> [ImportStream.Part] {
        var head = "reset \(Self.draftBranch)\n"
        if let parent = draft.parents.first { head += "from \(parent)\n" }
        head += "\ncommit \(Self.draftBranch)\nmark :\(mark)\n" + CommitText.people(draft)
        head += "data \(draft.message.utf8.count)\n\(draft.message)\n"
        if let parent = draft.parents.first { head += "from \(parent)\n" }
        for parent in draft.parents.dropFirst() { head += "merge \(parent)\n" }
        let entries = change.entries.sorted { $0.key < $1.key }
        // Deletions come first, since a folder may take the name of a deleted file.
        let deleted = entries.filter { $0.value == nil }.map { ImportStream.Part(header: "D \(Self.quoted($0.key))\n") }
        let written = entries.compactMap { path, entry -> ImportStream.Part? in
            guard let entry else { return nil }
            guard let bytes = change.contents[entry.object] else {
                return .init(header: "M \(entry.mode) \(entry.object) \(Self.quoted(path))\n")
            }
            return .init(
                header: "M \(entry.mode) inline \(Self.quoted(path))\ndata \(bytes.count)\n", contents: bytes)
        }
        return [.init(header: head)] + deleted + written
    }

    /// Makes a commit with an existing tree.
    package func commit(_ text: CommitText) throws(GitError) -> String {
        try Self.name(in: try output(["hash-object", "-t", "commit", "-w", "--stdin"], input: text.bytes))
    }

    /// Returns the name of the new commit from git's output.
    private static func name(in output: [UInt8]) throws(GitError) -> String {
        let name = String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard name.count >= 40 else { throw GitError.failed(Texts.Git.noCommit) }
        return name
    }

    /// Returns a path as fast-import reads it, quoted and with every byte outside of printable ASCII as an octal
    /// escape.
    static func quoted(_ path: TreePath) -> String {
        var text = "\""
        for byte in path.bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += "\\" + String(UnicodeScalar(byte))
            case 0x20..<0x7F: text += String(UnicodeScalar(byte))
            default:
                let octal = String(byte, radix: 8)
                text += "\\" + String(repeating: "0", count: 3 - octal.count) + octal
            }
        }
        return text + "\""
    }

    /// Keeps a commit from being garbage-collected, by a reference.
    package func keep(_ commit: String, as name: String) throws(GitError) {
        // The newest draft has a reference, and is an ancestor of those that follow.
        if target(of: Self.draftBranch) == commit { return }
        try output(["update-ref", "refs/tn/" + name, commit])
    }
}
