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
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        // Programs of other users cannot be examined, and some end meanwhile.
        for process in (try? FolderListing.names(of: "/proc")) ?? [] {
            guard let id = Int32(process.string), id != getpid() else { continue }
            let root = FilePath("/proc").appending(process)
            for file in (try? FolderListing.names(of: root.appending("fd"))) ?? [] {  // see above
                // The link is read and not followed: a file on a disk that does not answer would hold up the round.
                guard let path = Self.target(of: root.appending("fd").appending(file)), path.hasPrefix(prefix),
                    Self.isForWriting(root.appending("fdinfo").appending(file))
                else { continue }
                paths.insert(path)
            }
        }
        #endif
    }

    func contains(_ path: String) -> Bool { paths.contains(path) }

    #if os(Linux)
    private static func target(of link: FilePath) -> String? {
        let bytes = UnsafeMutablePointer<CChar>.allocate(capacity: Int(PATH_MAX))
        defer { bytes.deallocate() }
        let count = readlink(link.string, bytes, Int(PATH_MAX))
        guard count > 0 else { return nil }
        return String(validating: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

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
