import Foundation
import SystemPackage

/// A file beside the notebook that was kept for the user, or that a program which died has left.
public struct KeptFile: Equatable, Sendable {
    public enum Kind: Sendable {
        /// What the open notebook held when another file took its place.
        case replaced
        /// What was there before a repair, or before a backup was put in its place.
        case damaged
        /// A copy that never got its name.
        case unfinished
    }

    public let kind: Kind
    public let path: String
    /// With the files of SQLite's that belong to it.
    public let bytes: Int
    public let modified: Date
}

extension Notebook.Care {
    /// The files that were kept beside the notebook, and those that programs which died have left; by their names.
    ///
    /// A few seconds old files that are being written may be among them.
    public func keptFiles() -> [KeptFile] {
        let file = FilePath(notebook.path)
        let folder = file.removingLastComponent()
        guard let stem = file.lastComponent?.string,
            let names = try? FolderListing.names(of: folder.isEmpty ? "." : folder)  // then nothing else works either
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
        return rest.hasPrefix("damaged-") ? .damaged : nil
    }
}
