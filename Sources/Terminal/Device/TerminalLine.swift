#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A terminal as the operating system sees it: the one place that opens, reads, writes and configures it.
///
/// The line is opened anew, so that its non-blocking mode is ours alone: on a descriptor that was inherited it would
/// be the shell's too, and stay after us.
final class TerminalLine {
    let descriptor: Int32

    /// Opens the terminal at a path; without one the controlling terminal, or else where a standard descriptor leads.
    init(path: String? = nil) throws(TerminalError) {
        let flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
        for path in path.map({ [$0] }) ?? TerminalLine.candidates {
            let opened = open(path, flags)
            if opened >= 0 {
                descriptor = opened
                return
            }
        }
        throw .noTerminal
    }

    deinit {
        close(descriptor)
    }

    /// Darwin's `poll` fails on /dev/tty, so the terminal's own name comes first there.
    private static var candidates: [String] {
        #if canImport(Darwin)
        standardNames + ["/dev/tty"]
        #else
        ["/dev/tty"] + standardNames
        #endif
    }

    private static var standardNames: [String] {
        [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].compactMap { descriptor in
            var name = [CChar](repeating: 0, count: 256)
            guard ttyname_r(descriptor, &name, name.count) == 0 else { return nil }
            return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    // MARK: - Bytes

    enum Outcome: Equatable {
        case bytes(Int)
        /// Nothing now; `poll` tells when.
        case wouldBlock
        /// The terminal is gone, for ever.
        case lost
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        outcome(endIsLoss: true) {
            #if canImport(Glibc)
            Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #else
            Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        outcome(endIsLoss: false) {
            #if canImport(Glibc)
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            #else
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
            #endif
        }
    }

    /// What a call's result means; a call that a signal interrupted is made again.
    private func outcome(endIsLoss: Bool, _ call: () -> Int) -> Outcome {
        while true {
            let count = call()
            if count > 0 || count == 0 && !endIsLoss { return .bytes(count) }
            if count == 0 { return .lost }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .wouldBlock
            // EIO, ENXIO, EBADF and what else a dead line says.
            default: return .lost
            }
        }
    }

    /// Waits until the line can take or give bytes; false when the time has passed.
    func wait(for events: Int32, milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    // MARK: - Settings

    /// The size, cut to what is drawn; nil when the terminal does not know it.
    var size: Size? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row)).drawable
    }

    var attributes: termios? {
        var attributes = termios()
        return tcgetattr(descriptor, &attributes) == 0 ? attributes : nil
    }

    /// Sets attributes at once, without waiting for output: a dead line would never drain.
    func set(_ attributes: termios) {
        var attributes = attributes
        for _ in 0..<10 where tcsetattr(descriptor, TCSANOW, &attributes) != 0 {
            if errno != EINTR { return }
        }
    }

    /// Drops what was typed and not read.
    func discardInput() {
        tcflush(descriptor, TCIFLUSH)
    }
}

extension termios {
    /// Every byte as it comes, none echoed, none turned into a signal, none changed on the way out.
    var raw: termios {
        var raw = self
        raw.c_iflag &= ~tcflag_t(IXON | IXOFF | ICRNL | INLCR | IGNCR | ISTRIP | BRKINT | INPCK)
        raw.c_oflag &= ~tcflag_t(OPOST)
        raw.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        raw.c_cflag &= ~tcflag_t(CSIZE | PARENB)
        raw.c_cflag |= tcflag_t(CS8)
        withUnsafeMutableBytes(of: &raw.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        return raw
    }

    /// The character that erases: what the Backspace key sends.
    var eraseCharacter: UInt8 {
        withUnsafeBytes(of: c_cc) { $0[Int(VERASE)] }
    }
}
