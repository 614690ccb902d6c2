/// How a commit is related to another one.
package struct Ancestry: Equatable, Sendable {
    /// Whether it is an ancestor of the other one, or the same.
    package var isAncestor = false
    /// Whether it is a descendant of the other one, or the same.
    package var isDescendant = false
    /// What the other one says of its origin, if that was found out too.
    package var facts: CommitFacts?
}

/// What a commit says of its origin.
package struct CommitFacts: Equatable, Sendable {
    /// The date in seconds since 1970.
    package var date: Int64
    /// Whether tn has made it.
    package var isOwn: Bool

    package init(date: Int64, isOwn: Bool) { (self.date, self.isOwn) = (date, isOwn) }
}

/// The operations of git that a synchronisation uses: commits, their trees, and a remote with one branch.
///
/// `GitRepository` implements it. Tests use one in memory, so that thousands of schedules take seconds.
package protocol CommitStore {
    func has(_ commit: String) -> Bool
    /// Returns whether commits or files that were here cannot be read any more.
    func isDamaged() throws(GitError) -> Bool
    func isAncestor(_ one: String, of other: String) throws(GitError) -> Bool
    /// Returns how a commit is related to another one, or `nil` if it is not here.
    func ancestry(of commit: String, to other: String) throws(GitError) -> Ancestry?
    func mergeBase(_ one: String, _ other: String) throws(GitError) -> String?
    func facts(of commit: String) throws(GitError) -> CommitFacts
    /// Returns the newest commit that tn has made among a commit and its ancestors in the line of first parents, or `nil`
    /// if there is none.
    func lastOwn(upTo commit: String) throws(GitError) -> String?
    func tree(of commit: String) throws(GitError) -> Tree
    /// Returns the change that turns one commit's tree into another's, without reading both trees.
    func changes(from one: String, to other: String) throws(GitError) -> TreeChange
    /// Returns the files that were deleted or moved by the commits from `base` to `commit`, as they were before, those
    /// of the newest commits first; without `base` by all commits up to `commit`.
    func deletions(from base: String?, to commit: String) throws(GitError) -> [(path: TreePath, entry: TreeEntry)]
    func contents(of objects: Set<String>) throws(GitError) -> [String: [UInt8]]
    /// Returns the sizes of those objects that are not too large to be read.
    func sizes(of objects: Set<String>) throws(GitError) -> [String: Int]
    /// Returns the bytes of objects whose sizes are known.
    func contents(ofSized objects: Set<String>) throws(GitError) -> [String: [UInt8]]
    func store(_ contents: [[UInt8]]) throws(GitError)
    func commit(_ draft: Draft, _ change: TreeChange) throws(GitError) -> String
    /// Makes a commit, and then a merge whose last parent it is; returns the name of the merge.
    func commit(
        _ draft: Draft, _ change: TreeChange, then merge: Draft, _ merged: TreeChange
    ) throws(GitError) -> String
    /// Makes a commit with an existing tree.
    func commit(_ text: CommitText) throws(GitError) -> String
    func text(of commit: String) throws(GitError) -> CommitText
    /// Checks that a commit of the remote may be merged.
    func check(_ commit: String) throws(GitError)
    /// Returns the newest commit that may be merged in a history whose latest commits may not, or `nil` if there is no
    /// single one.
    func lastChecked(before commit: String) throws(GitError) -> String?
    func keep(_ commit: String, as name: String) throws(GitError)
    func fetch(_ url: String) throws(GitError) -> String?
    func push(_ commit: String, to url: String) throws(GitError)
}

extension CommitStore {
    package func isDamaged() -> Bool { false }

    package func ancestry(of commit: String, to other: String) throws(GitError) -> Ancestry? {
        if !has(commit) { return nil }
        return Ancestry(
            isAncestor: try isAncestor(commit, of: other), isDescendant: try isAncestor(other, of: commit))
    }

    package func commit(
        _ draft: Draft, _ change: TreeChange, then merge: Draft, _ merged: TreeChange
    ) throws(GitError) -> String {
        var merge = merge
        merge.parents.append(try commit(draft, change))
        return try commit(merge, merged)
    }

    /// An unencrypted repository accepts commits of everybody who may push.
    package func check(_ commit: String) {}
    package func lastChecked(before commit: String) -> String? { commit }
}

extension GitRepository: CommitStore {}
