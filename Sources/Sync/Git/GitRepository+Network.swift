import Foundation

extension GitRepository {
    /// Whether git may be given this address: none that starts a program or is an option.
    public static func isAddress(_ url: String) -> Bool {
        if url.isEmpty || url.hasPrefix("-") || url.contains("::") || url.contains("\n") || url.contains("\0") {
            return false
        }
        guard let scheme = url.range(of: "://") else {
            // "host:path"; a host that begins with a hyphen would be an option of ssh.
            return url.split(separator: "@").last?.hasPrefix("-") != true
        }
        let name = url[..<scheme.lowerBound].lowercased()
        return ["file", "ssh", "https", "http", "git+ssh", "ssh+git"].contains(name)
            && !url[scheme.upperBound...].split(separator: "@", maxSplits: 1).contains { $0.hasPrefix("-") }
    }

    /// Fetches the other end's branch; returns its commit, or nil if the other end is empty.
    func fetch(_ url: String) throws(GitError) -> String? {
        // A pattern, since a branch that is missing is no failure then, and one that was removed is forgotten.
        try output(
            [
                "fetch", "--progress", "--no-tags", "--prune", "--no-write-fetch-head", "--no-auto-maintenance", "--",
                url, "+\(Self.branch)*:\(Self.remoteBranch)*",
            ], isNetwork: true)
        let result = try run(["rev-parse", "--verify", "--quiet", Self.remoteBranch + "^{commit}"])
        let name = String(decoding: result.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return result.isSuccess && !name.isEmpty ? name : nil
    }

    /// Moves the other end's branch to a commit.
    ///
    /// Git compares and swaps: it refuses unless the commit comes after what is there.
    ///
    /// - Throws: `moved` if somebody else was faster.
    func push(_ commit: String, to url: String) throws(GitError) {
        try output(
            [
                "push", "--progress", "--porcelain", "--no-verify",
                "--receive-pack=git -c core.hooksPath=/dev/null receive-pack",
                "--", url, "\(commit):\(Self.branch)",
            ].filter { isLocal(url) || !$0.hasPrefix("--receive-pack") }, isNetwork: true)
    }

    /// Whether the other end is a folder of this machine, where a global setting of hooks would act too.
    private func isLocal(_ url: String) -> Bool { url.hasPrefix("/") || url.hasPrefix("file://") || url.hasPrefix(".") }
}
