import Foundation
import NoteStore
import Sync

/// The remote of a synchronisation, and all commits, in memory.
///
/// It does the same as `GitRepository`, in microseconds: commits are named by their content, the branch moves only
/// forward, and `failures` makes a call fail like a broken connection.
package final class MemoryCommits: CommitStore, SharedRemote {
    package struct Commit {
        package let parents: [String]
        let date: Int64
        package let tree: Tree
        /// The commit as git would store it.
        package let text: CommitText

        /// The author and the message.
        package var words: String { String(decoding: text.bytes, as: UTF8.self) }
    }

    package private(set) var commits: [String: Commit] = [:]
    package private(set) var blobs: [String: [UInt8]] = [:]
    /// The branch of the remote; `nil` if it is empty.
    package var branch: String?
    /// Called before each push, to let another machine push first.
    package var beforePush: () -> Void = {}
    package var isReachable = true
    /// The date of commits by hand, in seconds.
    package var handDate: Int64 = 1
    package var url: String { "memory" }

    package init() {}

    package func has(_ commit: String) -> Bool { commits[commit] != nil }

    package func isAncestor(_ one: String, of other: String) -> Bool { ancestors(of: other).contains(one) }

    private func ancestors(of commit: String) -> Set<String> {
        var found: Set<String> = []
        var waiting = [commit]
        while let next = waiting.popLast() {
            if found.insert(next).inserted { waiting += commits[next]?.parents ?? [] }
        }
        return found
    }

    package func mergeBase(_ one: String, _ other: String) -> String? {
        let common = ancestors(of: one).intersection(ancestors(of: other))
        return common.filter { candidate in
            !common.contains { $0 != candidate && ancestors(of: $0).contains(candidate) }
        }.min()
    }

    package func facts(of commit: String) -> CommitFacts {
        CommitFacts(date: commits[commit]?.date ?? 0, isOwn: lastOwn(upTo: commit) == commit)
    }

    package func tree(of commit: String) -> Tree { commits[commit]?.tree ?? [:] }

    package func lastOwn(upTo commit: String) -> String? {
        var next: String? = commit
        while let here = next.flatMap({ commits[$0] }), !here.words.contains(" <\(Draft.ownAddress)> ") {
            next = here.parents.first
        }
        return next
    }

    package func changes(from one: String, to other: String) -> TreeChange {
        let (before, after) = (tree(of: one), tree(of: other))
        var change = TreeChange()
        for path in before.keys where after[path] == nil { change.entries[path] = .some(nil) }
        for (path, entry) in after where before[path] != entry { change.entries[path] = entry }
        return change
    }

    package func deletions(from base: String?, to commit: String) -> [(path: TreePath, entry: TreeEntry)] {
        var found: [(path: TreePath, entry: TreeEntry)] = []
        for one in newestFirst(commit, notIn: base.map { ancestors(of: $0) } ?? []) {
            for parent in commits[one]?.parents ?? [] {
                let (before, after) = (tree(of: parent), tree(of: one))
                found += before.filter { after[$0.key] == nil }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            }
        }
        return found
    }

    /// Returns a commit and its ancestors without the given ones, each before its parents.
    private func newestFirst(_ commit: String, notIn older: Set<String>) -> [String] {
        var (seen, order) = (older, [String]())
        func visit(_ commit: String) {
            guard seen.insert(commit).inserted else { return }
            for parent in commits[commit]?.parents ?? [] { visit(parent) }
            order.append(commit)
        }
        visit(commit)
        return order.reversed()
    }

    package func contents(of objects: Set<String>) -> [String: [UInt8]] {
        blobs.filter { objects.contains($0.key) }
    }

    package func sizes(of objects: Set<String>) -> [String: Int] { contents(of: objects).mapValues(\.count) }
    package func contents(ofSized objects: Set<String>) -> [String: [UInt8]] { contents(of: objects) }

    package func store(_ contents: [[UInt8]]) {
        for bytes in contents { blobs[GitObject.name(ofBlob: bytes)] = bytes }
    }

    package func commit(_ draft: Draft, _ change: TreeChange) -> String {
        blobs.merge(change.contents) { first, _ in first }
        let tree = change.applied(to: draft.parents.first.map { self.tree(of: $0) } ?? [:])
        let listing = tree.sorted { $0.key < $1.key }.map { "\($0.key.bytes) \($0.value.mode) \($0.value.object)" }
        var text = "tree \(GitObject.name(ofBlob: Array(listing.joined(separator: "\n").utf8)))\n"
        for parent in draft.parents { text += "parent \(parent)\n" }
        text += CommitText.people(draft) + "\n" + draft.message + "\n"
        return add(Commit(parents: draft.parents, date: draft.date, tree: tree, text: CommitText(Array(text.utf8))))
    }

    private func add(_ commit: Commit) -> String {
        let name = GitObject.name(ofBlob: commit.text.bytes)
        commits[name] = commit
        return name
    }

    /// Makes a commit that differs from an existing one only in its message.
    package func commit(_ text: CommitText) -> String {
        let like = commits.values.first { text.bytes.starts(with: $0.text.bytes) }
        guard let like else { preconditionFailure("no commit has this tree") }
        return add(Commit(parents: like.parents, date: like.date, tree: like.tree, text: text))
    }

    package func text(of commit: String) -> CommitText { commits[commit]?.text ?? CommitText([]) }

    package func keep(_ commit: String, as name: String) {}

    package func fetch(_ url: String) throws(GitError) -> String? {
        guard isReachable else { throw GitError.unreachable("cut") }
        return branch
    }

    package func push(_ commit: String, to url: String) throws(GitError) {
        beforePush()
        guard isReachable else { throw GitError.unreachable("cut") }
        if let branch, !isAncestor(branch, of: commit) { throw GitError.moved }
        branch = commit
    }

    /// Makes a commit as another program would.
    package func foreign(_ change: TreeChange) {
        branch = commit(
            Draft(
                parents: branch.map { [$0] } ?? [], message: "by hand", author: "somebody", address: "somebody",
                date: handDate), change)
    }

    /// Makes a commit that writes or removes one file, as another program would.
    ///
    /// - Parameter bytes: `nil` to remove the file.
    package func put(_ bytes: [UInt8]?, at path: TreePath) {
        var change = TreeChange()
        if let bytes {
            let object = GitObject.name(ofBlob: bytes)
            (change.contents[object], change.entries[path]) = (bytes, TreeEntry(object: object))
        } else {
            change.entries[path] = .some(nil)
        }
        foreign(change)
    }

    package func put(_ text: String, at path: TreePath) { put(Array(text.utf8), at: path) }

    package func commits(in folder: URL) -> any CommitStore { self }
    package func entries(of commit: String) -> Tree { tree(of: commit) }
    package func bytes(of object: String) -> [UInt8] { blobs[object] ?? [] }
    package func parents(of commit: String) -> [String] { commits[commit]?.parents ?? [] }
    package func setBranch(_ commit: String?) { branch = commit }
    package func rest() {}
    package func problems() -> [String] { [] }
}
