import Foundation
import SystemPackage

#if canImport(Glibc)
import CAttributes
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The name under which the notes of a file with several names (hard links) are saved.
///
/// SQLite finds the log and the locks of a file by its name, so two programs that use different names would overwrite
/// each other's notes. The name is therefore recorded with the file itself, in an extended attribute, which is the same
/// under every name and is in no log. A name is recorded only while it is the file's only one. While a file has several
/// names, notes are saved only under the recorded one; under the others the notebook is read-only.
///
/// A name is recorded as the inode of its folder and the name in it, so it stays the same name when the folder is moved
/// or mounted elsewhere. Hard links lie on one device, which need not be recorded.
struct SavingName: Equatable {
    /// The inode of the folder.
    let folder: UInt64
    /// The path at the time of recording; its last component is the name.
    let path: FilePath

    /// Makes the name of a path without symbolic links; returns `nil` if its folder cannot be examined.
    init?(of path: String) {
        let path = FilePath(Notebook.absolute(path))
        guard let folder = FileIdentity(of: path.parent.string) else { return nil }
        (self.folder, self.path) = (folder.number, path)
    }

    /// Reads the name that is recorded with the file at a path; returns `nil` if there is none.
    init?(recordedWith path: String) {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX) + 32)
        let count = readAttribute(path, Self.attribute, &bytes, bytes.count)
        guard count > 0, let text = String(validating: bytes.prefix(count), as: UTF8.self) else { return nil }
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let folder = UInt64(parts[0]) else { return nil }
        (self.folder, self.path) = (folder, FilePath(String(parts[1])))
    }

    /// Records the name with its file.
    ///
    /// - Returns: whether it is recorded; a file system may not support extended attributes.
    func record() -> Bool {
        if let recorded = SavingName(recordedWith: path.string), recorded == self, recorded.path == path { return true }
        let text = Array("\(folder) \(path.string)".utf8)
        return writeAttribute(path.string, Self.attribute, text, text.count) == 0
    }

    static func == (one: SavingName, other: SavingName) -> Bool {
        one.folder == other.folder && one.path.lastComponent == other.path.lastComponent
    }

    private static let attribute = "user.takenote.name"
}

/// One of several names (hard links) of a notebook's file.
public struct HardLinkName: Equatable, Sendable {
    public let path: String
    /// The size in bytes of this name's own log, whose notes may be missing under every other name.
    public let logBytes: Int
    /// The time of the last write to the log; nil if the log is empty.
    public let logChanged: Date?

    /// Returns the names of a file in its own folder, the one with the newest log first.
    static func all(of path: String) -> [HardLinkName] {
        let folder = FilePath(path).parent
        let found = (try? FolderListing.names(of: folder)) ?? []  // a folder that cannot be read tells no names
        let paths = found.map { folder.appending($0) }.filter { file in
            // A symbolic link is not a name of its own.
            (try? FileStatus(file, followsLinks: false))?.kind == .file && DiskFile.isSame(file.string, path)
        }
        let names = paths.map(\.string).map { name in
            let log = name + "-wal"
            let size = DiskFile.size(of: log)
            return HardLinkName(path: name, logBytes: size, logChanged: size == 0 ? nil : DiskFile.modified(log))
        }
        return names.sorted { one, other in
            (one.logChanged ?? .distantPast, other.path) > (other.logChanged ?? .distantPast, one.path)
        }
    }

    /// Returns whether another name in the folder has a log of its own that is not empty.
    ///
    /// A copy of the folder by hard links shares the log too, which does no harm.
    static func hasOtherLog(than path: String) -> Bool {
        all(of: path).contains { name in
            name.logBytes > 0 && FilePath(name.path).lastComponent != FilePath(path).lastComponent
                && !DiskFile.isSame(name.path + "-wal", path + "-wal")
        }
    }
}

extension Notebook {
    /// Returns the names of the notebook's file in its folder, first the one with the newest log, which is to be kept.
    ///
    /// More names may lie elsewhere on the same disk.
    public func namesInFolder() -> [HardLinkName] { HardLinkName.all(of: path) }

    /// The error that each write throws if the file has several names (hard links) and notes are not saved under this
    /// one; nil if they are.
    ///
    /// Reading still works, but text that was saved under another name may be missing.
    public var otherNames: StoreError? {
        do {
            try files.claimName()
            return nil
        } catch {
            return error
        }
    }

    /// Whether the notebook's file has several names (hard links).
    public var hasSeveralNames: Bool { DiskFile.names(of: path) > 1 }

    /// Makes notes be saved under this one of several names, if that is safe.
    ///
    /// It is safe if all names are in the notebook's folder, no other name has a log of its own, and either no name is
    /// recorded or the recorded one is gone.
    ///
    /// - Returns: whether notes are saved under this name now.
    public func saveUnderThisName() -> Bool {
        guard otherNames != nil else { return true }
        let names = namesInFolder()
        guard names.count == DiskFile.names(of: path), !HardLinkName.hasOtherLog(than: path) else { return false }
        if let recorded = SavingName(recordedWith: path), names.contains(where: { SavingName(of: $0.path) == recorded })
        {
            return false
        }
        return SavingName(of: path)?.record() == true && otherNames == nil
    }
}

#if canImport(Darwin)
private func readAttribute(_ path: String, _ name: String, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    getxattr(path, name, bytes, count, 0, 0)
}

private func writeAttribute(_ path: String, _ name: String, _ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    setxattr(path, name, bytes, count, 0, 0)
}
#else
private func readAttribute(_ path: String, _ name: String, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    getxattr(path, name, bytes, count)
}

private func writeAttribute(_ path: String, _ name: String, _ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    setxattr(path, name, bytes, count, 0)
}
#endif
