import Foundation
import Terminal

/// What is printed: bytes into a pipe, text that no terminal can obey onto a terminal.
enum StandardOutput {
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Colour is wanted on a terminal, and never with `NO_COLOR` or `TERM=dumb`.
    static var wantsColor: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    /// The width of the terminal in cells, or 80 where it is not known.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    static func write(_ data: Data) {
        FileHandle.standardOutput.write(data)
    }

    static func write(line: String) {
        write(Data((line + "\n").utf8))
    }

    /// Writes a note's text: byte for byte into a pipe or file; on a terminal with control characters made visible,
    /// and a line end after it.
    static func write(text: String) {
        guard isTerminal else { return write(Data(text.utf8)) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Sanitizer.visible($0) }
        write(Data(lines.joined(separator: "\n").utf8))
        if !text.hasSuffix("\n") { write(Data("\n".utf8)) }
    }
}
