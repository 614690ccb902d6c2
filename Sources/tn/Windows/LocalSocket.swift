import NoteStore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A connected or listening local socket; it is closed when it is no longer used.
///
/// swift-system has no sockets. No call waits longer than the caller's deadline.
final class LocalSocket: Sendable {
    let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Listens at a new path, which only this user can connect to.
    ///
    /// The socket gets its name after its permissions, so that another user can connect at no moment.
    static func listening(at path: FilePath) throws(Errno) -> LocalSocket {
        let socket = try make()
        let unfinished = path.string + ".part"
        unlink(unfinished)
        try withAddress(FilePath(unfinished)) { bind(socket.descriptor, $0, $1) }
        guard chmod(unfinished, 0o600) == 0, listen(socket.descriptor, 16) == 0, rename(unfinished, path.string) == 0
        else {
            let error = Errno(rawValue: errno)
            unlink(unfinished)
            throw error
        }
        return socket
    }

    /// Connects to the socket at a path.
    static func connected(to path: FilePath) throws(Errno) -> LocalSocket {
        let socket = try make()
        try withAddress(path) { connect(socket.descriptor, $0, $1) }
        return socket
    }

    /// Accepts the next waiting connection; nil if there is none.
    func accepted() -> LocalSocket? {
        let found = accept(descriptor, nil, nil)
        guard found >= 0 else { return nil }
        let connection = LocalSocket(found)
        return Self.configure(found) ? connection : nil
    }

    /// Whether the connected process belongs to this user.
    var isOfThisUser: Bool {
        #if canImport(Glibc)
        // The system's `struct ucred`: process, user, group.
        var peer: [UInt32] = [0, .max, 0]
        var size = socklen_t(peer.count * MemoryLayout<UInt32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer[1] == geteuid()
        #else
        var (user, group) = (uid_t(), gid_t())
        return getpeereid(descriptor, &user, &group) == 0 && user == geteuid()
        #endif
    }

    // MARK: Messages

    /// Reads up to the end of a line, which is not part of the result.
    ///
    /// - Returns: nil if the line is longer than `limit`, does not end, or has not arrived at the deadline.
    func line(limit: Int, before deadline: ContinuousClock.Instant) -> [UInt8]? {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while line.count <= limit, wait(POLLIN, before: deadline) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, [EAGAIN, EINTR].contains(errno) { continue }
            guard count > 0 else { return nil }
            if let end = buffer[..<count].firstIndex(of: UInt8(ascii: "\n")) {
                line += buffer[..<end]
                return line.count <= limit ? line : nil
            }
            line += buffer[..<count]
        }
        return nil
    }

    /// Writes bytes; false if the peer has not received all of them at the deadline.
    func write(_ bytes: [UInt8], before deadline: ContinuousClock.Instant) -> Bool {
        var sent = 0
        while sent < bytes.count {
            guard wait(POLLOUT, before: deadline) else { return false }
            let count = bytes[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Self.noSignal) }
            if count < 0, ![EAGAIN, EINTR].contains(errno) { return false }
            sent += max(0, count)
        }
        return true
    }

    /// Sleeps until the socket is ready; false once the deadline has passed.
    private func wait(_ event: some BinaryInteger, before deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { return false }
            let (seconds, attoseconds) = rest.components
            let milliseconds = min(60_000, seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
            var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            if poll(&entry, 1, Int32(milliseconds)) > 0 { return true }
        }
    }

    // MARK: Making

    private static func make() throws(Errno) -> LocalSocket {
        #if canImport(Glibc)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        let made = LocalSocket(descriptor)
        guard configure(descriptor) else { throw Errno(rawValue: errno) }
        return made
    }

    /// Closes the descriptor in programs that are started, and makes all calls on it non-blocking.
    private static func configure(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
            && fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
    }

    #if canImport(Glibc)
    private static let noSignal = Int32(MSG_NOSIGNAL)
    #else
    private static let noSignal: Int32 = 0
    #endif

    /// Calls the system with the address of a path.
    ///
    /// An address holds about a hundred bytes. On Linux, a longer path is replaced by one through a descriptor of its
    /// folder.
    private static func withAddress(
        _ path: FilePath, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(Errno) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        var bytes = Array(path.string.utf8)
        var folder: FileDescriptor?
        defer { try? folder?.close() }  // nothing was written through it
        #if os(Linux)
        if bytes.count >= room {
            let name = path.lastComponent?.string ?? ""
            do {
                let opened = try FileDescriptor.open(
                    path.parent, .readOnly, options: [.directory, .closeOnExec])
                folder = opened
                bytes = Array("/proc/self/fd/\(opened.rawValue)/\(name)".utf8)
            } catch {
                throw (error as? Errno) ?? .ioError
            }
        }
        #endif
        guard bytes.count < room else { throw .fileNameTooLong }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
    }
}
