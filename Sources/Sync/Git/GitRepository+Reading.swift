import Foundation
import NoteStore

extension GitRepository {
    /// Returns whether the repository has this commit and its tree.
    package func has(_ commit: String) -> Bool {
        (try? run(["cat-file", "-e", commit + "^{tree}"]))?.isSuccess ?? false  // on an error it is fetched again
    }

    package func isAncestor(_ one: String, of other: String) throws(GitError) -> Bool {
        try run(["merge-base", "--is-ancestor", one, other]).isSuccess
    }

    package func ancestry(of commit: String, to other: String) throws(GitError) -> Ancestry? {
        let commits: String
        do {
            commits = String(
                decoding: try output([
                    "log", "--left-right", "--no-mailmap", "--format=%m%H \(Self.factsFormat)", "\(commit)...\(other)",
                    "--",
                ]), as: UTF8.self)
        } catch {
            if has(commit) { throw error }
            return nil
        }
        // "<" stands before a commit that only the history of the one has, ">" before one of the other.
        let lines = commits.split(separator: "\n")
        let last = lines.first { $0.hasPrefix(">\(other) ") }
        return Ancestry(
            isAncestor: !lines.contains { $0.hasPrefix("<") }, isDescendant: !lines.contains { $0.hasPrefix(">") },
            facts: last.map { Self.facts($0.dropFirst(other.utf8.count + 2)) })
    }

    package func mergeBase(_ one: String, _ other: String) throws(GitError) -> String? {
        let found = String(decoding: try run(["merge-base", "--all", one, other]).output, as: UTF8.self)
        return found.split(separator: "\n").map(String.init).min()
    }

    package func facts(of commit: String) throws(GitError) -> CommitFacts {
        Self.facts(try line(["show", "-s", "--no-show-signature", "--format=\(Self.factsFormat)", commit])[...])
    }

    /// The date of a commit in seconds, and the committer's address.
    private static let factsFormat = "%ct %ce"

    private static func facts(_ text: Substring) -> CommitFacts {
        let words = text.split(separator: " ", maxSplits: 1)
        return CommitFacts(
            date: words.first.flatMap { Int64($0) } ?? 0, isOwn: words.count == 2 && words[1] == Draft.ownAddress)
    }

    package func lastOwn(upTo commit: String) throws(GitError) -> String? {
        let name = try line([
            "log", "--first-parent", "--no-mailmap", "--fixed-strings", "--committer=<\(Draft.ownAddress)>",
            "--format=%H", "--max-count=1", commit,
        ])
        return name.isEmpty ? nil : name
    }

    package func text(of commit: String) throws(GitError) -> CommitText {
        CommitText(try output(["cat-file", "commit", commit]))
    }

    /// The most entries that a tree may have.
    private static let maximumEntries = 1_000_000

    /// Returns all entries of a commit, without those whose paths would lead out of a folder.
    package func tree(of commit: String) throws(GitError) -> Tree {
        let bytes = try output(["ls-tree", "-r", "-z", "--full-tree", commit])
        let lines = bytes.split(separator: 0)
        var tree = Tree(minimumCapacity: min(lines.count, Self.maximumEntries))
        for line in lines {
            // "100644 blob OBJECT\tPATH"
            guard let tab = line.firstIndex(of: 0x09), let first = line[..<tab].firstIndex(of: 0x20),
                let last = line[..<tab].lastIndex(of: 0x20), first < last
            else { continue }
            if tree.count >= Self.maximumEntries {
                throw GitError.hostile(Texts.Git.tooLarge("a tree", Self.maximumEntries, "files"))
            }
            let path = TreePath(Array(line[(tab + 1)...]))
            // Such a file stays in the commit but is never written anywhere.
            if path.isUnsafe { continue }
            tree[path] = TreeEntry(
                mode: String(decoding: line[..<first], as: UTF8.self),
                object: String(decoding: line[(last + 1)..<tab], as: UTF8.self))
        }
        return tree
    }

    /// Returns the paths in a commit that would lead out of a folder or that git reserves, of which nothing is read.
    func unsafePaths(of commit: String) throws(GitError) -> [TreePath] {
        let names = try output(["ls-tree", "-r", "-z", "--full-tree", "--name-only", commit])
        return names.split(separator: 0).lazy.map { TreePath(Array($0)) }.filter(\.isUnsafe)
    }

    package func changes(from one: String, to other: String) throws(GitError) -> TreeChange {
        let bytes = try output(["diff-tree", "-r", "-z", "--no-renames", one, other])
        // ":100644 100644 OBJECT OBJECT M" and the path, each followed by NUL.
        let fields = bytes.split(separator: 0)
        var change = TreeChange()
        for start in stride(from: 0, to: fields.count - 1, by: 2) {
            let words = fields[start].split(separator: 0x20)
            guard words.count == 5 else { throw GitError.failed(Texts.Git.unreadable("diff-tree")) }
            if change.entries.count >= Self.maximumEntries {
                throw GitError.hostile(Texts.Git.tooLarge("a change", Self.maximumEntries, "files"))
            }
            let path = TreePath(Array(fields[start + 1]))
            if path.isUnsafe { continue }
            let isDeleted = words[4].first == UInt8(ascii: "D")
            change.entries[path] =
                isDeleted
                ? .some(nil)
                : TreeEntry(
                    mode: String(decoding: words[1], as: UTF8.self), object: String(decoding: words[3], as: UTF8.self))
        }
        return change
    }

    package func deletions(
        from base: String?, to commit: String
    ) throws(GitError) -> [(path: TreePath, entry: TreeEntry)] {
        let bytes = try output([
            "log", "--topo-order", "-m", "--raw", "-z", "--no-abbrev", "--no-renames", "--diff-filter=D", "--format=",
            base.map { "\($0)..\(commit)" } ?? commit,
        ])
        var deletions: [(path: TreePath, entry: TreeEntry)] = []
        var entry: TreeEntry?
        // ":100644 000000 OBJECT OBJECT D" and the path, each followed by NUL. Between commits there may be another one.
        for field in bytes.split(separator: 0) {
            if let deleted = entry {
                let path = TreePath(Array(field))
                entry = nil
                if !path.isUnsafe { deletions.append((path, deleted)) }
            } else {
                let words = field.split(whereSeparator: { $0 == 0x20 || $0 == 0x0A })
                guard words.count == 5 else { throw GitError.failed(Texts.Git.unreadable("log")) }
                if deletions.count >= Self.maximumEntries {
                    throw GitError.hostile(Texts.Git.tooLarge("a history", Self.maximumEntries, "deleted files"))
                }
                entry = TreeEntry(
                    mode: String(decoding: words[0].drop { $0 == UInt8(ascii: ":") }, as: UTF8.self),
                    object: String(decoding: words[2], as: UTF8.self))
            }
        }
        return deletions
    }

    /// Returns the bytes of a small file at the top of a commit, or `nil` if there is none of this name.
    func file(_ name: String, of commit: String) throws(GitError) -> [UInt8]? {
        let result = try run(["cat-file", "blob", "\(commit):\(name)"], limit: 1 << 16)
        return result.isSuccess ? result.output : nil
    }

    /// The largest file that is read, in bytes, with a margin since encrypted files are a little larger than their
    /// content.
    private static let maximumBlobSize = Notebook.Sync.maximumFileSize + 1 << 22

    /// Returns the bytes of objects, without those that are too large.
    package func contents(of objects: Set<String>) throws(GitError) -> [String: [UInt8]] {
        if objects.isEmpty { return [:] }
        // Starting git costs more than reading most files, so their sizes are only asked for where they are much.
        let result = try run(["cat-file", "--batch"], input: Self.lines(objects), limit: Self.usualSize)
        if result.isSuccess, !result.isCut { return Self.blobs(in: result.output) }
        return try contents(ofSized: Set(try sizes(of: objects).keys))
    }

    /// The size of files that are read together without a question for their sizes, in bytes.
    private static let usualSize = 32_000_000

    package func sizes(of objects: Set<String>) throws(GitError) -> [String: Int] {
        if objects.isEmpty { return [:] }
        var sizes: [String: Int] = [:]
        for line in try output(["cat-file", "--batch-check"], input: Self.lines(objects)).split(separator: 0x0A) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard words.count == 3, words[1] == "blob", let size = Int(words[2]), size <= Self.maximumBlobSize else {
                continue
            }
            sizes[String(words[0])] = size
        }
        return sizes
    }

    private static func lines(_ objects: Set<String>) -> [UInt8] {
        Array(objects.sorted().joined(separator: "\n").utf8) + [0x0A]
    }

    package func contents(ofSized objects: Set<String>) throws(GitError) -> [String: [UInt8]] {
        if objects.isEmpty { return [:] }
        return Self.blobs(in: try output(["cat-file", "--batch"], input: Self.lines(objects)))
    }

    /// Reads what `git cat-file --batch` has written: for each blob a line with its name, its kind and its size, and its
    /// bytes; for each object that is missing, a line of two words.
    private static func blobs(in bytes: [UInt8]) -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        var offset = bytes.startIndex
        while offset < bytes.endIndex, let end = bytes[offset...].firstIndex(of: 0x0A) {
            let words = String(decoding: bytes[offset..<end], as: UTF8.self).split(separator: " ")
            offset = end + 1
            if words.count == 2 { continue }
            guard words.count == 3, let size = Int(words[2]), offset + size <= bytes.endIndex else { break }
            if words[1] == "blob" { contents[String(words[0])] = Array(bytes[offset..<(offset + size)]) }
            offset += size + 1
        }
        return contents
    }

    /// Returns a line for each of the last commits, with its date, its author and its message.
    public func log(_ commit: String, count: Int) throws(GitError) -> [String] {
        let bytes = try output([
            "log", "--first-parent", "--date=format-local:%Y-%m-%d %H:%M", "--format=%ad  %an  %s", "-n", "\(count)",
            commit,
        ])
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
