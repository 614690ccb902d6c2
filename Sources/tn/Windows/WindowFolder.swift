import NoteStore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The folder of the sockets by which the open windows of a user are reached, one a window.
struct WindowFolder: Sendable {
    let path: FilePath
    private let process: pid_t

    /// - Parameter process: the process that looks from inside: its own window is none of the others.
    init(_ path: FilePath = FilePath(Notebook.stateFolder()).appending("windows"), process: pid_t = getpid()) {
        (self.path, self.process) = (path, process)
    }

    /// The path of this process's own socket.
    var own: FilePath { path.appending("\(process).socket") }

    /// Makes the folder, for its owner only.
    ///
    /// - Throws: if there is something else of that name, or a folder of another user.
    func make() throws {
        try PrivateFile.makeFolder(path)
        var facts = stat()
        guard lstat(path.string, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == geteuid() else {
            throw Errno.notPermitted
        }
        if facts.st_mode & 0o077 != 0, chmod(path.string, 0o700) != 0 { throw Errno(rawValue: errno) }
    }

    /// The sockets of other processes, the newest first.
    ///
    /// Anything that is not a socket of this user is left out, and so is more than one would have windows.
    func others() -> [FilePath] {
        // If there is no folder, no window is open, which is so most of the time.
        guard PrivateFile.exists(path), let names = try? PrivateFile.names(in: path) else { return [] }
        let own = own
        let sockets = names.map { path.appending($0) }.filter { $0.extension == "socket" && $0 != own }
            .compactMap { socket in Self.age(of: socket).map { (socket, $0) } }
        return sockets.sorted { $0.1 > $1.1 }.prefix(Self.most).map(\.0)
    }

    private static let most = 64

    /// When a socket of this user was made, in nanoseconds since 1970; nil for anything else.
    private static func age(of socket: FilePath) -> Int? {
        var facts = stat()
        guard lstat(socket.string, &facts) == 0, facts.st_mode & S_IFMT == S_IFSOCK, facts.st_uid == geteuid() else {
            return nil
        }
        #if canImport(Darwin)
        let time = facts.st_mtimespec
        #else
        let time = facts.st_mtim
        #endif
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Removes the socket of a window that ended without doing so.
    static func remove(_ socket: FilePath) { unlink(socket.string) }
}
