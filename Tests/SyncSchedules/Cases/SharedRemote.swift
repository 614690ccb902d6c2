import Foundation
import Sync

/// The remote of a schedule: one branch that all machines share, and what a person can do to it by hand.
package protocol SharedRemote: AnyObject {
    /// The branch's newest commit, or `nil` if the remote is empty; it may be set back.
    var branch: String? { get }
    /// The address that machines synchronise with at this moment.
    var url: String { get }
    /// Whether machines can connect to it.
    var isReachable: Bool { get set }
    /// Called before each push, to let another machine push first.
    var beforePush: () -> Void { get set }
    /// Prepares the commits as seen by a machine whose files lie in `folder`, and returns them.
    func commits(in folder: URL) throws -> any CommitStore
    func entries(of commit: String) throws -> Tree
    func bytes(of object: String) throws -> [UInt8]
    func parents(of commit: String) throws -> [String]
    /// Moves the branch, as somebody with full access to the remote may; `nil` deletes it.
    func setBranch(_ commit: String?) throws
    /// Makes a commit as another program would.
    func foreign(_ change: TreeChange) throws
    /// Called once all people rest: from then on nothing is killed.
    func rest() throws
    /// Returns what is wrong with the remote's own files.
    func problems() throws -> [String]
}
