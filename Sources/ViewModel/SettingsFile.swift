import NoteStore
import SystemPackage

/// Reads a file of settings that the user wrote: the configuration, a theme or the own dictionary.
public enum SettingsFile {
    /// The largest size in bytes: a hundred times that of a hand-written file, and more would take seconds to read.
    public static let limit = 1_000_000

    /// The reason why an existing file gives no settings.
    public enum Problem: Error {
        case unreadable, tooLarge
    }

    /// Returns the file's bytes; nil if there is no such file.
    ///
    /// The size is checked before the file is read, and a pipe or device is not read.
    public static func bytes(of path: String) throws(Problem) -> [UInt8]? {
        guard PrivateFile.exists(FilePath(path)) else { return nil }
        do throws(StoreError) {
            return try PrivateFile.read(FilePath(path), limit: limit)
        } catch .tooLarge {
            throw .tooLarge
        } catch {
            throw .unreadable
        }
    }
}
