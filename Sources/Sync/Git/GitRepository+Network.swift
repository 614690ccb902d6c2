import Foundation

extension GitRepository {
    /// Returns whether git may be given this URL, which must neither start a program nor be read as an option.
    static func isAddress(_ url: String) -> Bool {
        if url.isEmpty || url.hasPrefix("-") || url.contains("::") || url.contains("\n") || url.contains("\0") {
            return false
        }
        guard let scheme = url.range(of: "://") else {
            // The form "host:path". A host that begins with a hyphen would be an option of ssh.
            return url.split(separator: "@").last?.hasPrefix("-") != true
        }
        let name = url[..<scheme.lowerBound].lowercased()
        return ["file", "ssh", "https", "git+ssh", "ssh+git"].contains(name)
            && !url[scheme.upperBound...].split(separator: "@", maxSplits: 1).contains { $0.hasPrefix("-") }
    }

    /// Fetches the remote's branch and returns its commit, or `nil` if the remote is empty.
    package func fetch(_ url: String) throws(GitError) -> String? {
        // With a pattern a missing branch is not a failure, and a deleted one is pruned.
        try output(
            ["fetch", "--progress", "--no-tags", "--prune", "--no-write-fetch-head", "--no-auto-maintenance"]
                + uploadPack(of: url) + ["--", url, "+\(Self.branch)*:\(Self.remoteBranch)*"], remote: url)
        if let commit = target(of: Self.remoteBranch) { return commit }
        let result = try run(["rev-parse", "--verify", "--quiet", Self.remoteBranch + "^{commit}"])
        let name = String(decoding: result.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return result.isSuccess && !name.isEmpty ? name : nil
    }

    /// Returns the name of one of the remote's branches, if possible of the one that HEAD names, or `nil` if there is
    /// none.
    func anyBranch(of url: String) throws(GitError) -> String? {
        let answer = try output(
            ["ls-remote", "--symref"] + uploadPack(of: url) + ["--", url, "HEAD", "refs/heads/*"], remote: url)
        let prefix = "refs/heads/"
        var (names, head) = ([String](), String?.none)
        for line in String(decoding: answer, as: UTF8.self).split(separator: "\n") {
            // "ref: refs/heads/master", a tab and "HEAD", or else a commit, a tab and the name.
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count == 2 else { continue }
            if fields[0].hasPrefix("ref: " + prefix) {
                head = String(fields[0].dropFirst("ref: \(prefix)".count))
            } else if fields[1].hasPrefix(prefix) {
                names.append(String(fields[1].dropFirst(prefix.count)))
            }
        }
        return head.flatMap { names.contains($0) ? $0 : nil } ?? names.first
    }

    /// Pushes a commit to the remote's branch.
    ///
    /// This is a compare-and-swap: git refuses unless the commit is a descendant of the branch.
    ///
    /// - Throws: `moved` if another machine was faster.
    package func push(_ commit: String, to url: String) throws(GitError) {
        let isLocal = isLocal(url)
        try output(
            (isLocal ? ["-c", Self.wholeFiles] : []) + ["push", "--progress", "--porcelain", "--no-verify"]
                + (isLocal ? ["--receive-pack=" + Self.serving("receive-pack")] : [])
                + ["--", url, "\(commit):\(Self.branch)"], remote: url)
    }

    /// The setting with which git sends whole files instead of their differences.
    ///
    /// Within a machine it takes longer to find the differences than to send the files.
    static let wholeFiles = "pack.window=0"

    private func uploadPack(of url: String) -> [String] {
        isLocal(url) ? ["--upload-pack=" + Self.serving("upload-pack")] : []
    }

    /// Sets the remote's HEAD to the branch if HEAD names a branch that does not exist and can be set from this
    /// machine.
    ///
    /// A repository that was made for another first branch, usually `master`, has such a HEAD: `git clone` of it shows
    /// no files. Git cannot push HEAD, so it is set only in a bare repository on this machine. A HEAD that names an
    /// existing branch stays.
    ///
    /// - Returns: whether HEAD names a branch that does not exist and could not be set.
    func settleHead(of url: String) throws(GitError) -> Bool {
        let answer = try output(["ls-remote"] + uploadPack(of: url) + ["--", url, "HEAD", Self.branch], remote: url)
        let lines = String(decoding: answer, as: UTF8.self).split(separator: "\n")
        let names = Set(lines.compactMap { $0.split(separator: "\t").last.map(String.init) })
        guard names.contains(Self.branch), !names.contains("HEAD") else { return false }
        let folder = url.hasPrefix("file://") ? String(url.dropFirst(7)) : url
        guard folder.hasPrefix("/") else { return true }
        var remote = try GitRepository(path: folder, asks: false)
        remote.stop = stop
        guard try remote.line(["rev-parse", "--is-bare-repository"]) == "true" else { return true }
        try remote.output(["symbolic-ref", "HEAD", Self.branch])
        return false
    }

    /// Returns whether the remote is a folder of this machine, where the user's global setting of hooks would apply to
    /// the receiving side too.
    func isLocal(_ url: String) -> Bool { url.hasPrefix("/") || url.hasPrefix("file://") || url.hasPrefix(".") }
}
