import Foundation

extension GitRepository {
    /// Stores bytes of files without a commit, so that large ones need not be in memory together.
    func store(_ contents: [[UInt8]]) throws(GitError) {
        if contents.isEmpty { return }
        var stream: [UInt8] = []
        for bytes in contents { stream += Array("blob\ndata \(bytes.count)\n".utf8) + bytes + [0x0A] }
        try output(["fast-import", "--quiet", "--done"], input: stream + Array("done\n".utf8))
    }

    /// Makes a commit: the first parent's tree with a change; returns its name.
    ///
    /// A stream that is cut moves no branch, since `done` is missing.
    func commit(_ draft: Draft, _ change: TreeChange) throws(GitError) -> String {
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
        // Files go before others come: a folder may take a file's name.
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

    /// Makes a commit with a tree that is there already.
    func commit(_ text: CommitText) throws(GitError) -> String {
        try Self.name(in: try output(["hash-object", "-t", "commit", "-w", "--stdin"], input: text.bytes))
    }

    /// The name of the commit that git says it has made.
    private static func name(in output: [UInt8]) throws(GitError) -> String {
        let name = String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard name.count >= 40 else { throw GitError.failed("no commit was made") }
        return name
    }

    /// A path as fast-import reads it: in quotation marks, with all that is not plain as octal numbers.
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

    /// Keeps a commit from being removed as nobody's.
    func keep(_ commit: String, as name: String) throws(GitError) {
        try output(["update-ref", "refs/tn/" + name, commit])
    }
}
