import Foundation
import NoteStore
import Synchronization
import SystemPackage
import Terminal

/// Standard output: bytes to a pipe, text without control characters to a terminal.
///
/// The output is buffered and written in large pieces; `Program` flushes the last one.
enum StandardOutput {
    private static let waiting = Mutex<[UInt8]>([])
    /// What the command has done, as told by lines that are not written yet.
    private static let deeds = Mutex<[String]>([])
    /// The size of a piece in bytes; large enough that a list needs few system calls.
    private static let pieceSize = 1 << 16

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether to use colour: on a terminal that knows escape sequences, and never with `NO_COLOR`.
    static var wantsColor: Bool { isTerminal && allowsColor }

    /// Whether a terminal may get colour, be it standard output or standard error.
    static var allowsColor: Bool { environment("NO_COLOR").isEmpty && !isDumb }

    /// Whether the terminal may know no escape sequences: `TERM` is `dumb` or `unknown`, or is not set.
    static var isDumb: Bool { ["", "dumb", "unknown"].contains(environment("TERM")) }

    private static func environment(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }

    /// The width of the terminal in cells, or 80 if it is unknown.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Measures text from now on as it is probably drawn, since a terminal is not asked before a command prints.
    static func guessWidths() {
        if WidthModel.current.contains(.isMeasured) { return }
        let capabilities =
            isTerminal ? Capabilities(environment: ProcessInfo.processInfo.environment) : Capabilities()
        WidthModel.current = capabilities.printedWidths
    }

    /// - Throws: `Failure` if the disk is full or the pipe is closed.
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

    /// Writes a line that tells what the command has done; if it cannot be written, the error tells it.
    static func write(line: String, after deed: String) throws {
        deeds.withLock { $0.append("\(deed): \(line)") }
        try write(line: line)
    }

    /// Writes a line with a name or a path: as it is to a pipe or file, and with control characters visible to a terminal.
    static func write(name line: String) throws { try write(line: isTerminal ? line.visible : line) }

    /// Writes a note's text: byte for byte to a pipe or file, and as safe lines to a terminal.
    ///
    /// On a terminal, control characters are made visible, and the text ends with a line end.
    static func write(text: String) throws {
        guard isTerminal else { return try write(text.utf8) }
        // A tab is harmless, and makes code easier to read.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines.dropLast(text.hasSuffix("\n") ? 1 : 0) {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map { Sanitizer.visible($0) }
            try write(line: cells.joined(separator: "\t"))
        }
    }

    /// Writes all buffered output.
    static func flush() throws {
        let bytes = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        let deeds = deeds.withLock { deeds in
            defer { deeds = [] }
            return deeds
        }
        do {
            try FileDescriptor.standardOutput.writeWaiting(bytes)
        } catch {
            throw Failure.cannotPrint(error, deeds)
        }
    }
}

enum StandardStreams {
    /// Opens placeholders for closed standard streams.
    ///
    /// Without them, the next file opened would get the number of such a stream, and with it the output. Each
    /// placeholder can be neither read nor written in the stream's direction.
    static func holdClosedOnes() {
        for (stream, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(stream, F_GETFD) < 0 {
            // The lowest free number is that of this stream, because those below it are in use.
            _ = open("/dev/null", flags)
        }
    }
}
