import Foundation
import NoteStore
import Synchronization
import SystemPackage
import Terminal

/// What is printed: bytes into a pipe, text that no terminal can obey onto a terminal.
///
/// Gathered and written in large pieces; `Program` flushes the last one.
enum StandardOutput {
    private static let waiting = Mutex<[UInt8]>([])
    /// Bytes; large enough that a list costs few system calls.
    private static let pieceSize = 1 << 16

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Colour is wanted on a terminal, and never with `NO_COLOR` or `TERM=dumb`.
    static var wantsColor: Bool {
        isTerminal && environment("NO_COLOR").isEmpty && environment("TERM") != "dumb"
    }

    private static func environment(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }

    /// The width of the terminal in cells, or 80 where it is not known.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// - Throws: `Failure` when a full disk or a closed pipe takes no more.
    static func write(_ bytes: some Sequence<UInt8>) throws {
        let isLarge = waiting.withLock { waiting in
            waiting.append(contentsOf: bytes)
            return waiting.count >= pieceSize
        }
        if isLarge { try flush() }
    }

    static func write(line: String) throws {
        try write((line + "\n").utf8)
    }

    /// Writes a note's text: byte for byte into a pipe or file; on a terminal with control characters made visible,
    /// and a line end after it.
    static func write(text: String) throws {
        guard isTerminal else { return try write(text.utf8) }
        // A tab is harmless, and code is read better with it.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines.dropLast(text.hasSuffix("\n") ? 1 : 0) {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map { Sanitizer.visible($0) }
            try write(line: cells.joined(separator: "\t"))
        }
    }

    /// Hands all that is waiting to the system.
    static func flush() throws {
        let bytes = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        do {
            try FileDescriptor.standardOutput.writeWaiting(bytes)
        } catch {
            throw Failure.cannotPrint(error)
        }
    }
}

enum StandardStreams {
    /// Keeps the numbers of closed standard streams from going to the next file that is opened, which would get what is
    /// printed: something takes their place that can be neither read nor written as the stream would be.
    static func holdClosedOnes() {
        for (stream, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(stream, F_GETFD) < 0 {
            // The lowest free number is the stream's own, since those below it are taken.
            _ = open("/dev/null", flags)
        }
    }
}
