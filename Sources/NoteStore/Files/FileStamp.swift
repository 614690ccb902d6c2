import Foundation
import SystemPackage

/// The size and the times of a file's last write, by which a later state of the same file is known.
struct FileStamp: Equatable, Sendable {
    private let size: Int
    private let modified: Date

    private init(_ status: FileStatus) { (size, modified) = (status.size, status.modified) }

    /// The stamp of the file at a path; nil if there is none.
    init?(of path: String) {
        guard let status = try? FileStatus(FilePath(path), followsLinks: true) else { return nil }  // there is none
        self.init(status)
    }

    /// The stamp of a file that this process has open, wherever its name is now; nil if it is not open.
    init?(ofOpen file: FileIdentity) {
        // SQLite tells nobody its descriptors; a notebook has a few dozen of them.
        for descriptor in 0..<Self.descriptors {
            guard let status = try? FileStatus(FileDescriptor(rawValue: descriptor)),  // not open
                status.identity.device == file.device, status.identity.number == file.number
            else { continue }
            self.init(status)
            return
        }
        return nil
    }

    /// The number of descriptors that are examined, which takes less than a millisecond.
    private static let descriptors: Int32 = 1024
}
