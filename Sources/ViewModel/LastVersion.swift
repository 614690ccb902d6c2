import NoteStore
import SystemPackage

/// The version of the program whose window was open last.
///
/// It is kept in a file of its own, because a window of an older version drops what it does not know from the state.
public struct LastVersion: Sendable {
    public enum Change: Equatable, Sendable {
        /// No window was ever open here, as far as the state tells.
        case firstStart
        /// The last window was of an older version.
        case updated
        /// The last window was of this version or of a newer one.
        case none
    }

    private let folder: FilePath

    public init(in folder: FilePath = FilePath(Notebook.stateFolder())) { self.folder = folder }

    private var file: FilePath { folder.appending("version") }

    /// Returns how `version` compares with that of the last window.
    public func change(to version: String) -> Change {
        // Most versions leave no such file; an unreadable one is replaced.
        guard let bytes = try? PrivateFile.read(file) else {
            return PrivateFile.exists(folder.appending("state.json")) ? .updated : .firstStart
        }
        // An editor or a script ends the file with a line feed.
        let last = String(decoding: bytes.prefix(64), as: UTF8.self).filter { !$0.isWhitespace }
        if last == version { return .none }
        guard let old = Self.numbers(of: last), let new = Self.numbers(of: version) else { return .firstStart }
        return old.lexicographicallyPrecedes(new) ? .updated : .none
    }

    /// Stores `version` as that of the last window.
    ///
    /// - Throws: the file system's error.
    public func keep(_ version: String) throws { try PrivateFile.write(Array(version.utf8), to: file) }

    private static func numbers(of version: String) -> [Int]? {
        let parts = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        return parts.contains(nil) ? nil : parts.compactMap { $0 }
    }
}
