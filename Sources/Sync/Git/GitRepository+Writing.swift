import Foundation

extension GitRepository {
    /// Stores blobs without a commit, so that large ones need not be in memory together.
    package func store(_ contents: [[UInt8]]) throws(GitError) {
        if contents.isEmpty { return }
        var stream: [UInt8] = []
        for bytes in contents { stream += Array("blob\ndata \(bytes.count)\n".utf8) + bytes + [0x0A] }
        try output(["fast-import", "--quiet", "--done"], input: stream + Array("done\n".utf8))
    }

    /// Makes a commit that applies a change to the first parent's tree, and returns the commit's name.
    ///
    /// A truncated stream changes no branch, since its `done` is missing.
    package func commit(_ draft: Draft, _ change: TreeChange) throws(GitError) -> String {
        var stream: [UInt8] = []
        func write(_ text: String) { stream += Array(text.utf8) }
        write("feature done\n")
        write("reset \(Self.draftBranch)\n")
        if let parent = draft.parents.first { write("from \(parent)\n") }
        write("\ncommit \(Self.draftBranch)\nmark :1\n")
        write(CommitText.people(draft))
        write("data \(draft.message.utf8.count)\n\(draft.message)\n")
        if let parent = draft.parents.first { write("from \(parent)\n") }
        for parent in draft.parents.dropFirst() { write("merge \(parent)\n") }
        // Deletions come first, since a folder may take the name of a deleted file.
        for (path, entry) in change.entries.sorted(by: { $0.key < $1.key }) where entry == nil {
            write("D \(Self.quoted(path))\n")
        }
        for case (let path, let entry?) in change.entries.sorted(by: { $0.key < $1.key }) {
            if let bytes = change.contents[entry.object] {
                write("M \(entry.mode) inline \(Self.quoted(path))\ndata \(bytes.count)\n")
                stream += bytes
                write("\n")
            } else {
                write("M \(entry.mode) \(entry.object) \(Self.quoted(path))\n")
            }
        }
        write("\nget-mark :1\ndone\n")
        return try Self.name(in: try output(["fast-import", "--quiet", "--force", "--done"], input: stream))
    }

    /// Makes a commit with an existing tree.
    package func commit(_ text: CommitText) throws(GitError) -> String {
        try Self.name(in: try output(["hash-object", "-t", "commit", "-w", "--stdin"], input: text.bytes))
    }

    /// Returns the name of the new commit from git's output.
    private static func name(in output: [UInt8]) throws(GitError) -> String {
        let name = String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard name.count >= 40 else { throw GitError.failed("no commit was made") }
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
        try output(["update-ref", "refs/tn/" + name, commit])
    }
}
