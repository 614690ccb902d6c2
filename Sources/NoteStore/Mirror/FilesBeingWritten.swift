import SystemPackage

#if canImport(Glibc)
import Glibc
#endif

/// The files below a folder that other programs have open for writing.
///
/// A program that has a file open goes on writing into it after another file has taken its name, where nobody finds the
/// text, and what it has written so far may be half of it. Linux tells of the programs of the same user in `/proc`; on
/// other systems no file counts as open.
struct FilesBeingWritten {
    private var paths: Set<String> = []

    /// - Parameter folder: the path of the folder from the root, without links.
    init(below folder: String) {
        #if os(Linux)
        let prefix = Array((folder.hasSuffix("/") ? folder : folder + "/").utf8)
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Some of the thousands of open files are closed meanwhile, and those of other users cannot be examined.
        try? FolderListing.forEachName(of: "/proc") { process, _ in
            let id = atoi(process)
            guard id > 0, id != getpid() else { return }
            var isCopy: Bool?
            try? FolderListing.forEachName(of: FilePath("/proc/\(id)/fd")) { file, files in  // as above
                // The link is read and not followed: a file on a disk that does not answer would hold up the round.
                let count = readlinkat(files, file, &target, target.count)
                guard count > prefix.count, target.withUnsafeBytes({ $0.starts(with: prefix) }),
                    Self.isForWriting(FilePath("/proc/\(id)/fdinfo/\(atoi(file))")),
                    let path = String(validating: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
                else { return }
                let isOurs = isCopy ?? Self.isCopyOfThisProcess(id)
                isCopy = isOurs
                if !isOurs { paths.insert(path) }
            }
        }
        #endif
    }

    func contains(_ path: String) -> Bool { paths.contains(path) }

    #if os(Linux)
    /// Whether a process is a child of this one that has not begun its own program.
    ///
    /// Until then it has copies of this process's descriptors, and writes to none of them.
    private static func isCopyOfThisProcess(_ id: Int32) -> Bool {
        // `4711 (name of the program) S 4710 …`: the parent follows the state; see proc(5).
        guard let status = content(of: FilePath("/proc/\(id)/stat")),
            let end = status.lastIndex(of: ")"),
            let parent = status[end...].split(separator: " ").dropFirst(2).first, Int32(parent) == getpid()
        else { return false }
        var (own, other) = (stat(), stat())
        return stat("/proc/self/exe", &own) == 0 && stat("/proc/\(id)/exe", &other) == 0
            && own.st_dev == other.st_dev && own.st_ino == other.st_ino
    }

    /// Returns the first 1,024 bytes of a file in `/proc`, or nil if its process has ended.
    private static func content(of path: FilePath) -> String? {
        // A failure says that it has ended.
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return nil }
        defer { try? file.close() }  // nothing was written
        var bytes = [UInt8](repeating: 0, count: 1024)
        // As above.
        guard let count = try? bytes.withUnsafeMutableBytes({ try file.read(into: $0) }) else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Whether a file is open for writing, by the octal flags in a file such as `/proc/1/fdinfo/3`; see proc(5).
    private static func isForWriting(_ information: FilePath) -> Bool {
        // A file that was closed meanwhile has no information.
        let lines = content(of: information)?.split(separator: "\n")
        let flags = lines?.first { $0.hasPrefix("flags:") }?.drop { !$0.isNumber }
        return flags.flatMap { Int32($0, radix: 8) }.map { $0 & O_ACCMODE != O_RDONLY } ?? false
    }
    #endif
}
