import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Both ends of a pseudo-terminal: the program's line, and the controller, which is keyboard and screen.
public final class PseudoTerminalPair {
    /// The path at which a program opens the line.
    public let path: String
    /// The controller's end, which does not block: writing to it types, reading from it receives output.
    public let controller: FileDescriptor
    /// The program's end, held open so that the line's settings can be read after the program has ended.
    private let line: FileDescriptor
    private var isLineOpen = true
    private var isControllerOpen = true

    public init(columns: Int, rows: Int) throws {
        let ends = try Self.openEnds()
        (path, controller, line) = (ends.path, FileDescriptor(rawValue: ends.controller), .init(rawValue: ends.line))
        _ = fcntl(ends.controller, F_SETFL, O_NONBLOCK)
        setSize(columns: columns, rows: rows)
    }

    /// Opens both ends in such a way that a program which another thread starts meanwhile does not inherit them.
    ///
    /// An inherited end would keep the line alive when the controller hangs up.
    private static func openEnds() throws -> (path: String, controller: Int32, line: Int32) {
        #if os(Linux)
        // `openpty` does not support `O_CLOEXEC`, and the functions of which it consists are hidden from Swift.
        let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (locked, number): (Int32, UInt32) = (0, 0)
        guard controller >= 0, ioctl(controller, unlockRequest, &locked) == 0,
            ioctl(controller, numberRequest, &number) == 0
        else { throw Errno(rawValue: errno) }
        let path = "/dev/pts/\(number)"
        let line = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard line >= 0 else { throw Errno(rawValue: errno) }
        return (path, controller, line)
        #else
        var (controller, line): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 256)
        guard openpty(&controller, &line, nil, nil, nil) == 0, ttyname_r(line, &name, name.count) == 0 else {
            throw Errno(rawValue: errno)
        }
        for end in [controller, line] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return (path, controller, line)
        #endif
    }

    #if os(Linux)
    /// `TIOCSPTLCK` and `TIOCGPTN` of <asm-generic/ioctls.h>.
    private static let unlockRequest: UInt = 0x4004_5431, numberRequest: UInt = 0x8004_5430
    #endif

    deinit {
        hangUp()
        closeLine()
    }

    /// Whether the program has read all input.
    public var isInputRead: Bool { Self.isInputRead(at: path) }

    /// Whether the programs on the line at a path have read all input; true if there is no such line.
    public static func isInputRead(at path: String) -> Bool {
        let line = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard line >= 0 else { return true }
        defer { close(line) }
        var entry = pollfd(fd: line, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 0
    }

    /// Closes this copy of the program's end; the line then disappears once the program closes its copy.
    public func closeLine() {
        if isLineOpen { try? line.close() }
        isLineOpen = false
    }

    /// Closes the controller's end: a program loses its terminal.
    public func hangUp() {
        if isControllerOpen { try? controller.close() }
        isControllerOpen = false
    }

    public func setSize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(controller.rawValue, UInt(TIOCSWINSZ), &size)
    }

    /// Sends a text as if typed; it must be short enough for the line to accept it at once.
    public func type(_ text: String) { type(bytes: text.utf8) }

    /// Sends bytes as if typed, which may be a part of a character or sequence.
    public func type(bytes: some Sequence<UInt8>) {
        do { try controller.writeAll(bytes) } catch { preconditionFailure("the line takes no text: \(error)") }
    }

    /// Returns all output that has been sent and not read yet.
    public func received() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // Reading fails if no output is waiting.
        while let count = try? buffer.withUnsafeMutableBytes({ try controller.read(into: $0) }), count > 0 {
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The line's settings now, as numbers that can be compared.
    public var settings: [UInt32] {
        var attributes = termios()
        tcgetattr(isLineOpen ? line.rawValue : controller.rawValue, &attributes)
        let characters = withUnsafeBytes(of: attributes.c_cc) { $0.map { UInt32($0) } }
        return [attributes.c_iflag, attributes.c_oflag, attributes.c_cflag, attributes.c_lflag].map { UInt32($0) }
            + characters
    }
}
