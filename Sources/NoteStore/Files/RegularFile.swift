import Foundation
import SystemPackage
import TextPrimitives

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The status of the file, folder or link at a path.
struct FileStatus {
    enum Kind {
        case file, folder, link
        /// A pipe, a device, a socket.
        case other
    }

    /// The identity of a file or folder, equal for all its names.
    struct Identity: Hashable {
        let device: UInt64
        let number: UInt64
    }

    let kind: Kind
    let identity: Identity
    /// The size in bytes.
    let size: Int
    /// The number of the file's names; 0 if it was removed while it was open.
    let names: Int
    let modified: Date

    /// - Parameter followsLinks: whether to follow a symbolic link to its target.
    init(_ path: FilePath, followsLinks: Bool) throws(Errno) {
        var status = stat()
        let result = path.withPlatformString { followsLinks ? stat($0, &status) : lstat($0, &status) }
        guard result == 0 else { throw Errno(rawValue: errno) }
        self.init(status)
    }

    /// The status of an open file.
    init(_ file: FileDescriptor) throws(Errno) {
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
        self.init(status)
    }

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        identity = Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
        size = Int(status.st_size)
        names = Int(status.st_nlink)
        modified = status.modificationDate
    }
}

/// Reads regular files only, since a pipe or a device would keep its reader waiting for ever.
enum RegularFile {
    struct Content {
        let bytes: [UInt8]
        let modified: Date
        /// The size in bytes; the content of a file beyond the limit is not read.
        let size: Int
        var isTooLarge = false
    }

    /// The reason why a file cannot be read.
    enum Problem: Error, Equatable {
        /// A pipe, a device, a socket.
        case notRegular
        case system(Errno)
    }

    /// Reads the whole file, unless it is larger than `limit` bytes or grows larger while it is read.
    static func read(_ path: FilePath, limit: Int) throws(Problem) -> Content {
        try opened(path) { file, status throws(Errno) in
            if status.size > limit {
                return Content(bytes: [], modified: status.modified, size: status.size, isTooLarge: true)
            }
            // One byte more than the file's size, so that the first read reaches the end.
            let bytes = try file.readToEnd(expecting: status.size + 1, limit: limit)
            return Content(
                bytes: bytes.count > limit ? [] : bytes, modified: status.modified, size: bytes.count,
                isTooLarge: bytes.count > limit)
        }
    }

    /// Reads at most `count` bytes from the start of the file.
    static func head(_ path: FilePath, count: Int) throws(Problem) -> [UInt8] {
        try opened(path) { file, _ throws(Errno) in try file.readToEnd(expecting: count, limit: count - 1) }
    }

    private static func opened<Result>(
        _ path: FilePath, _ body: (FileDescriptor, FileStatus) throws(Errno) -> Result
    ) throws(Problem) -> Result {
        do {
            // Opening a pipe would otherwise wait until another program opens it for writing, which may never happen.
            let file = try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec, .noFollowTTY])
            defer { try? file.close() }  // nothing was written
            let status = try FileStatus(file)
            switch status.kind {
            case .file: return try body(file, status)
            case .folder: throw Errno.isDirectory
            case .link, .other: throw Problem.notRegular
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .system((error as? Errno) ?? .ioError)
        }
    }
}

extension FileDescriptor.OpenOptions {
    /// Keeps an opened terminal from becoming the program's controlling terminal.
    fileprivate static var noFollowTTY: Self { Self(rawValue: O_NOCTTY) }
}

extension FilePath {
    /// The path as one string that no other path has: bytes that are not UTF-8 are written in hexadecimal after U+FFFD.
    var key: String {
        if let string = String(validating: self) { return string }
        return withPlatformString { bytes in
            var result = ""
            var rest = UnsafeRawBufferPointer(start: bytes, count: strlen(bytes))[...]
            while !rest.isEmpty {
                let valid = String(decoding: rest, as: UTF8.self).prefix { $0 != "\u{FFFD}" }
                result += valid
                rest = rest.dropFirst(valid.utf8.count)
                guard let first = rest.popFirst() else { break }
                result += "\u{FFFD}" + Hexadecimal.text([first], uppercase: true)
            }
            return result
        }
    }

    /// The path from the root, without `.` and `..`; links are not followed.
    var absolute: FilePath {
        let path = isAbsolute ? self : Self.workingFolder.pushing(self)
        return path.lexicallyNormalized()
    }

    private static var workingFolder: FilePath {
        guard let folder = getcwd(nil, 0) else { return "/" }
        defer { free(folder) }
        return FilePath(platformString: folder)
    }
}
