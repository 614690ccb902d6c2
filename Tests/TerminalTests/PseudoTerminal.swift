@testable import Terminal

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A terminal line whose other end the test holds: what is written there was typed, what is read was sent.
final class PseudoTerminal {
    let path: String
    private var master: Int32
    /// Held open, so that the line outlives the device and can be looked at after it.
    private let slave: Int32

    init(size: Size) {
        #if canImport(Glibc)
        // Glibc's module leaves out posix_openpt and its kin; these are the requests behind them.
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        var (unlocked, number): (Int32, Int32) = (0, 0)
        let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        precondition(ioctl(master, setLock, &unlocked) == 0 && ioctl(master, getNumber, &number) == 0)
        path = "/dev/pts/\(number)"
        #else
        master = posix_openpt(O_RDWR | O_NOCTTY)
        precondition(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        path = ptsname(master).map { String(cString: $0) } ?? ""
        #endif
        slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        resize(size)
    }

    deinit {
        hangUp()
        close(slave)
    }

    func resize(_ size: Size) {
        var extent = winsize(
            ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(slave, UInt(TIOCSWINSZ), &extent)
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        precondition(write(master, bytes, bytes.count) == bytes.count)
    }

    /// All that has been sent and not read.
    func received() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    func hangUp() {
        if master >= 0 { close(master) }
        master = -1
    }

    /// The line's settings as numbers that can be compared.
    var settings: [UInt32] {
        var attributes = termios()
        tcgetattr(slave, &attributes)
        let characters = withUnsafeBytes(of: attributes.c_cc) { $0.map { UInt32($0) } }
        return [attributes.c_iflag, attributes.c_oflag, attributes.c_cflag, attributes.c_lflag].map { UInt32($0) }
            + characters
    }
}
