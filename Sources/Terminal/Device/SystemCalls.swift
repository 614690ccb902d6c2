import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// System calls for terminals that swift-system lacks: waiting, attributes, size, names.
///
/// `FileDescriptor` does all other reading, writing and opening. Apart from this file only the signal handlers call the
/// system directly (`SignalPipe`, `CrashGuard`): a handler may call nothing that allocates, locks or throws.

/// The events on a descriptor that can be waited for.
struct Readiness: OptionSet {
    let rawValue: Int16

    static let input = Readiness(rawValue: Int16(POLLIN))
    static let output = Readiness(rawValue: Int16(POLLOUT))
}

/// A set of descriptors that are waited for together.
struct DescriptorSet {
    private var entries: [pollfd]

    init(_ descriptors: [FileDescriptor]) {
        entries = descriptors.map { pollfd(fd: $0.rawValue, events: Readiness.input.rawValue, revents: 0) }
    }

    /// Sleeps until a descriptor is ready for the events that it is waited for, or the time has passed.
    ///
    /// - Parameter milliseconds: The longest time to sleep; -1 for no limit.
    /// - Returns: False if the time has passed or a signal arrived.
    mutating func wait(milliseconds: Int32) -> Bool { poll(&entries, nfds_t(entries.count), milliseconds) > 0 }

    /// Sets the events to wait for on the descriptor at `index`; input by default.
    mutating func setWanted(_ readiness: Readiness, at index: Int) { entries[index].events = readiness.rawValue }

    /// The events that the last wait found on the descriptor at `index`.
    func readiness(at index: Int) -> Readiness { Readiness(rawValue: entries[index].revents) }
}

/// The settings of a terminal's input and output processing.
struct TerminalAttributes {
    fileprivate var system: termios

    /// Raw mode: no byte is changed, echoed or turned into a signal, in input or output.
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

    /// The erase character, which the Backspace key sends.
    var eraseCharacter: UInt8 { withUnsafeBytes(of: system.c_cc) { $0[Int(VERASE)] } }

    /// The attributes as the system's structure, for signal handlers, which can do no more than set them.
    var forHandlers: termios { system }
}

extension FileDescriptor {
    /// The terminal's attributes; nil if the descriptor is not a terminal.
    var terminalAttributes: TerminalAttributes? {
        var attributes = termios()
        return tcgetattr(rawValue, &attributes) == 0 ? TerminalAttributes(system: attributes) : nil
    }

    /// Sets attributes at once, without waiting for output: a dead connection would never take it.
    func set(_ attributes: TerminalAttributes) {
        var attributes = attributes.system
        while tcsetattr(rawValue, TCSANOW, &attributes) != 0 {
            if Errno(rawValue: errno) != .interrupted { return }
        }
    }

    /// Discards the input that has arrived but was not read.
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

    /// Whether the terminal belongs to another process group of the session, such as the shell after Ctrl-Z.
    var isInBackground: Bool {
        // It is 0 if that group is outside of the container, and -1 if the terminal is not that of the session.
        let foreground = tcgetpgrp(rawValue)
        return foreground > 0 && foreground != getpgrp()
    }

    /// The path of the terminal behind the descriptor; nil if it is not a terminal.
    var terminalPath: FilePath? {
        var name = [CChar](repeating: 0, count: 256)
        guard ttyname_r(rawValue, &name, name.count) == 0 else { return nil }
        return FilePath(platformString: name)
    }

    /// Makes reads and writes return at once, and keeps started programs from inheriting the descriptor.
    func makeNonBlockingAndPrivate() {
        _ = fcntl(rawValue, F_SETFD, FD_CLOEXEC)
        _ = fcntl(rawValue, F_SETFL, O_NONBLOCK)
    }

    /// A copy of the descriptor with a number above the standard ones, which started programs do not inherit.
    func duplicateForItself() throws(Errno) -> FileDescriptor {
        let copy = fcntl(rawValue, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: copy)
    }
}

extension FileDescriptor.OpenOptions {
    /// The option by which an opened terminal does not become the program's controlling terminal.
    static var notControllingTerminal: Self { Self(rawValue: O_NOCTTY) }
}

/// The time on the monotonic clock, in nanoseconds.
func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
