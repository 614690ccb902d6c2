/// What a synchronisation needs of git: commits, their trees, and another end that has one branch.
///
/// `GitRepository` is the real one; tests have one in memory, so that many thousand schedules take seconds.
protocol CommitStore {
    func has(_ commit: String) -> Bool
    func isAncestor(_ one: String, of other: String) throws(GitError) -> Bool
    func mergeBase(_ one: String, _ other: String) throws(GitError) -> String?
    func date(of commit: String) throws(GitError) -> Int64
    func tree(of commit: String) throws(GitError) -> Tree
    func contents(of objects: Set<String>) throws(GitError) -> [String: [UInt8]]
    /// The sizes of those objects that are not too large to be read.
    func sizes(of objects: Set<String>) throws(GitError) -> [String: Int]
    /// The bytes of objects whose sizes are known.
    func contents(ofSized objects: Set<String>) throws(GitError) -> [String: [UInt8]]
    func store(_ contents: [[UInt8]]) throws(GitError)
    func commit(_ draft: Draft, _ change: TreeChange) throws(GitError) -> String
    /// Makes a commit with a tree that is there already.
    func commit(_ text: CommitText) throws(GitError) -> String
    func text(of commit: String) throws(GitError) -> CommitText
    /// Makes sure that a commit of the other end may be taken over.
    func check(_ commit: String) throws(GitError)
    /// The newest commit that may be taken over in a history whose end may not; nil if none is clearly it.
    func lastChecked(before commit: String) throws(GitError) -> String?
    func keep(_ commit: String, as name: String) throws(GitError)
    func fetch(_ url: String) throws(GitError) -> String?
    func push(_ commit: String, to url: String) throws(GitError)
}

extension CommitStore {
    /// In clear anybody who may write may commit.
    func check(_ commit: String) {}
    func lastChecked(before commit: String) -> String? { commit }
}

extension GitRepository: CommitStore {}
