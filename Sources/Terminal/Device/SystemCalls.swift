import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What a terminal needs of the operating system and swift-system does not have: waiting, attributes, size, names.
///
/// All else is read, written and opened by `FileDescriptor`. Beside this file only the signal handlers call the system
/// by themselves (`SignalPipe`, `CrashGuard`): a handler may call nothing that allocates, locks or throws.

/// What a descriptor is waited for.
struct Readiness: OptionSet {
    let rawValue: Int16

    static let input = Readiness(rawValue: Int16(POLLIN))
    static let output = Readiness(rawValue: Int16(POLLOUT))
}

/// Descriptors that are waited for together.
struct DescriptorSet {
    private var entries: [pollfd]

    init(_ descriptors: [FileDescriptor]) {
        entries = descriptors.map { pollfd(fd: $0.rawValue, events: Readiness.input.rawValue, revents: 0) }
    }

    /// Sleeps until one of them is ready for what is wanted of it, or the time has passed; false for the latter, and when
    /// a signal came.
    ///
    /// - Parameter milliseconds: How long to sleep at most; -1 for as long as it takes.
    mutating func wait(milliseconds: Int32) -> Bool { poll(&entries, nfds_t(entries.count), milliseconds) > 0 }

    /// What the one at `index` is waited for, input unless set.
    mutating func setWanted(_ readiness: Readiness, at index: Int) { entries[index].events = readiness.rawValue }

    /// What the one at `index` was found ready for by the last wait.
    func readiness(at index: Int) -> Readiness { Readiness(rawValue: entries[index].revents) }
}

/// How a terminal treats what is typed and printed.
struct TerminalAttributes {
    fileprivate var system: termios

    /// Every byte as it comes, none echoed, none turned into a signal, none changed on the way out.
    var raw: TerminalAttributes {
        var raw = system
        raw.c_iflag &= ~tcflag_t(IXON | IXOFF | ICRNL | INLCR | IGNCR | ISTRIP | BRKINT | INPCK)
        raw.c_oflag &= ~tcflag_t(OPOST)
        raw.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        raw.c_cflag &= ~tcflag_t(CSIZE | PARENB)
        raw.c_cflag |= tcflag_t(CS8)
        withUnsafeMutableBytes(of: &raw.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        return TerminalAttributes(system: raw)
    }

    /// The character that erases: what the Backspace key sends.
    var eraseCharacter: UInt8 { withUnsafeBytes(of: system.c_cc) { $0[Int(VERASE)] } }

    /// For a handler of signals, which may only set them.
    var forHandlers: termios { system }
}

extension FileDescriptor {
    /// Nil where it is no terminal.
    var terminalAttributes: TerminalAttributes? {
        var attributes = termios()
        return tcgetattr(rawValue, &attributes) == 0 ? TerminalAttributes(system: attributes) : nil
    }

    /// Sets attributes at once, without waiting for output: a dead line would never drain.
    func set(_ attributes: TerminalAttributes) {
        var attributes = attributes.system
        while tcsetattr(rawValue, TCSANOW, &attributes) != 0 {
            if Errno(rawValue: errno) != .interrupted { return }
        }
    }

    /// Drops what was typed and not read.
    func discardInput() {
        tcflush(rawValue, TCIFLUSH)
    }

    /// The columns and rows of the terminal; nil when it does not know them.
    var terminalSize: (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The path of the terminal that it leads to; nil where it is none.
    var terminalPath: FilePath? {
        var name = [CChar](repeating: 0, count: 256)
        guard ttyname_r(rawValue, &name, name.count) == 0 else { return nil }
        return FilePath(platformString: name)
    }

    /// Makes reads and writes return at once, and keeps it from programs that are started.
    func makeNonBlockingAndPrivate() {
        _ = fcntl(rawValue, F_SETFD, FD_CLOEXEC)
        _ = fcntl(rawValue, F_SETFL, O_NONBLOCK)
    }

    /// The same file under a number above the standard ones, kept from programs that are started.
    func duplicateForItself() throws(Errno) -> FileDescriptor {
        let copy = fcntl(rawValue, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: copy)
    }
}

extension FileDescriptor.OpenOptions {
    /// A terminal that is opened does not become the program's own.
    static var notControllingTerminal: Self { Self(rawValue: O_NOCTTY) }
}

/// The monotonic clock, in nanoseconds.
func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
