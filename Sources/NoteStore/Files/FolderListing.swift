import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The names in a folder as bytes: not every name is UTF-8, and Foundation loses those that are not.
enum FolderListing {
    /// Returns the names in a folder, sorted by characters, without `.` and `..`.
    static func names(of folder: FilePath) throws(Errno) -> [FilePath.Component] {
        guard let stream = folder.withPlatformString({ opendir($0) }) else { throw Errno(rawValue: errno) }
        defer { closedir(stream) }
        return try names(in: stream)
    }

    /// Returns the names in an open folder, which stays open.
    static func names(of folder: FileDescriptor) throws(Errno) -> [FilePath.Component] {
        // A stream closes its descriptor, and shares its position with every copy, so it gets a separate one.
        let own = openat(folder.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { throw Errno(rawValue: errno) }
        guard let stream = fdopendir(own) else {
            close(own)
            throw Errno(rawValue: errno)
        }
        defer { closedir(stream) }
        return try names(in: stream)
    }

    /// Calls `body` for each name in a folder, in the system's order and with `.` and `..`, without making paths of them.
    ///
    /// - Parameter body: Gets the name, and the descriptor of the folder; both are valid during the call only.
    static func forEachName(of folder: FilePath, _ body: (UnsafePointer<CChar>, Int32) -> Void) throws(Errno) {
        guard let stream = folder.withPlatformString({ opendir($0) }) else { throw Errno(rawValue: errno) }
        defer { closedir(stream) }
        let descriptor = dirfd(stream)
        try forEachName(in: stream) { body($0, descriptor) }
    }

    #if canImport(Darwin)
    private typealias Stream = UnsafeMutablePointer<DIR>
    #else
    private typealias Stream = OpaquePointer
    #endif

    private static func forEachName(in stream: Stream, _ body: (UnsafePointer<CChar>) -> Void) throws(Errno) {
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw Errno(rawValue: errno) }
                return
            }
            withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { body($0) }
            }
        }
    }

    private static func names(in stream: Stream) throws(Errno) -> [FilePath.Component] {
        var names: [FilePath.Component] = []
        try forEachName(in: stream) { name in
            if let name = FilePath.Component(platformString: name), name.kind == .regular { names.append(name) }
        }
        // Names that are not UTF-8 can look the same; their bytes decide.
        let keyed: [(key: String, name: FilePath.Component)] = names.map {
            (FilePath(root: nil, components: $0).key, $0)
        }
        return keyed.sorted { one, other in one.key < other.key }.map(\.name)
    }
}
