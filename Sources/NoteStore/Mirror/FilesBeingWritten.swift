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
            try? FolderListing.forEachName(of: FilePath("/proc/\(id)/fd")) { file, files in  // as above
                // The link is read and not followed: a file on a disk that does not answer would hold up the round.
                let count = readlinkat(files, file, &target, target.count)
                guard count > prefix.count, target.withUnsafeBytes({ $0.starts(with: prefix) }),
                    Self.isForWriting(FilePath("/proc/\(id)/fdinfo/\(atoi(file))")),
                    let path = String(validating: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
                else { return }
                paths.insert(path)
            }
        }
        #endif
    }

    func contains(_ path: String) -> Bool { paths.contains(path) }

    #if os(Linux)
    /// Whether a file is open for writing, by the octal flags in a file such as `/proc/1/fdinfo/3`; see proc(5).
    private static func isForWriting(_ information: FilePath) -> Bool {
        // A file that was closed meanwhile has no information, and gives none to read.
        guard let file = try? FileDescriptor.open(information, .readOnly, options: .closeOnExec) else { return false }
        defer { try? file.close() }  // nothing was written
        var bytes = [UInt8](repeating: 0, count: 256)
        // As above.
        guard let count = try? bytes.withUnsafeMutableBytes({ try file.read(into: $0) }) else { return false }
        let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
        let flags = lines.first { $0.hasPrefix("flags:") }?.drop { !$0.isNumber }
        return flags.flatMap { Int32($0, radix: 8) }.map { $0 & O_ACCMODE != O_RDONLY } ?? false
    }
    #endif
}
