import Foundation
import SystemPackage

/// A file beside the notebook that was kept for the user, or that a dead program has left.
public struct KeptFile: Equatable, Sendable {
    public enum Kind: Sendable {
        /// The content of the open notebook when another file replaced it.
        case replaced
        /// The file from before a repair, or before a backup replaced it.
        case damaged
        /// The notebook with what was saved after a damaged part of its log.
        case behindDamage
        /// A copy that never got its final name.
        case unfinished
    }

    public let kind: Kind
    public let path: String
    /// The size in bytes, including that of its write-ahead log.
    public let bytes: Int
    public let modified: Date
}

extension Notebook.Care {
    /// Returns the files that were kept beside the notebook, and those that dead programs have left, found by their
    /// names.
    ///
    /// The list may include files a few seconds old that are still being written.
    public func keptFiles() -> [KeptFile] {
        let file = FilePath(notebook.path)
        let folder = file.parent
        guard let stem = file.lastComponent?.string,
            let names = try? FolderListing.names(of: folder.isEmpty ? "." : folder)  // everything else fails then, too
        else { return [] }
        return names.map(\.string).compactMap { name in
            guard let kind = Self.kind(ofFile: name, beside: stem) else { return nil }
            let path = folder.appending(name).string
            let bytes = ["", "-wal"].map { DiskFile.size(of: path + $0) }.reduce(0, +)
            return KeptFile(kind: kind, path: path, bytes: bytes, modified: DiskFile.modified(path) ?? .distantPast)
        }
    }

    private static func kind(ofFile name: String, beside notebook: String) -> KeptFile.Kind? {
        if ["-wal", "-shm", "-journal", "-lock"].contains(where: name.hasSuffix) { return nil }
        if name.hasPrefix(UnfinishedFile.start) { return .unfinished }
        guard name.hasPrefix(notebook + ".") else { return nil }
        let rest = name.dropFirst(notebook.count + 1)
        if rest.hasSuffix("part") || rest.hasPrefix("saved-") { return .unfinished }
        if rest.hasPrefix("before-") { return .replaced }
        if rest.hasPrefix("log-") { return .behindDamage }
        return rest.hasPrefix("damaged-") ? .damaged : nil
    }
}
