import Foundation
import SystemPackage

/// Whether git is changing the files of a folder.
///
/// While git checks out another commit, files that it will write again are missing, and files of other notes have come
/// already. Its lock tells how long that takes.
enum WorkOfGit {
    /// The age in seconds from which a lock counts as left by a git that was killed; git itself never breaks one.
    private static let maximumAge = 600.0

    /// - Parameter folder: the path from the root, without links.
    static func isUnderWay(in folder: FilePath) -> Bool {
        var folder = folder
        while true {
            if let repository = repository(of: folder) {
                // No lock: git is not at work.
                guard let lock = try? FileStatus(repository.appending("index.lock"), followsLinks: false) else {
                    return false
                }
                return abs(lock.modified.timeIntervalSinceNow) < maximumAge
            }
            guard folder.removeLastComponent(), !folder.isEmpty else { return false }
        }
    }

    /// Returns the folder in which git keeps what belongs to a work tree; nil if the folder is none.
    private static func repository(of folder: FilePath) -> FilePath? {
        let path = folder.appending(".git")
        guard let status = try? FileStatus(path, followsLinks: true) else { return nil }  // no repository
        if status.kind == .folder { return path }
        // A work tree of its own has a file that tells where the rest is; see gitrepository-layout(5).
        // One that cannot be read is taken for no repository.
        guard let content = try? RegularFile.read(path, limit: 10_000), !content.isTooLarge else { return nil }
        let line = String(decoding: content.bytes, as: UTF8.self).prefix { !$0.isNewline }
        guard line.hasPrefix("gitdir: ") else { return nil }
        return folder.pushing(FilePath(String(line.dropFirst("gitdir: ".count))))
    }
}
