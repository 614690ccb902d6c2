import NoteStore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The folder of the sockets by which other programs reach the open windows of a user, one for each window.
struct WindowFolder: Sendable {
    let path: FilePath
    private let process: pid_t

    /// - Parameter process: the process of this window, which does not count among the others.
    init(_ path: FilePath = FilePath(Notebook.stateFolder()).appending("windows"), process: pid_t = getpid()) {
        (self.path, self.process) = (path, process)
    }

    /// The path of this process's own socket.
    var own: FilePath { path.appending("\(process).socket") }

    /// Makes the folder, accessible only to its owner.
    ///
    /// - Throws: if something else has the name, or the folder belongs to another user.
    func make() throws {
        try PrivateFile.makeFolder(path)
        var facts = stat()
        guard lstat(path.string, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == geteuid() else {
            throw Errno.notPermitted
        }
        if facts.st_mode & 0o077 != 0, chmod(path.string, 0o700) != 0 { throw Errno(rawValue: errno) }
    }

    /// Returns the sockets of other processes, the newest first.
    ///
    /// It leaves out anything that is not a socket of this user, and sockets beyond a number that nobody needs.
    func others() -> [FilePath] {
        // Usually no window is open, and then the folder may not exist.
        guard PrivateFile.exists(path), let names = try? PrivateFile.names(in: path) else { return [] }
        let own = own
        let sockets = names.map { path.appending($0) }.filter { $0.extension == "socket" && $0 != own }
            .compactMap { socket in Self.age(of: socket).map { (socket, $0) } }
        return sockets.sorted { $0.1 > $1.1 }.prefix(Self.maximumSockets).map(\.0)
    }

    private static let maximumSockets = 64

    /// Returns the time when a socket of this user was made, in nanoseconds since 1970; nil for anything else.
    private static func age(of socket: FilePath) -> Int? {
        var facts = stat()
        guard lstat(socket.string, &facts) == 0, facts.st_mode & S_IFMT == S_IFSOCK, facts.st_uid == geteuid() else {
            return nil
        }
        return facts.modified
    }

    /// Removes the socket of a window that ended without removing it.
    static func remove(_ socket: FilePath) { unlink(socket.string) }
}
