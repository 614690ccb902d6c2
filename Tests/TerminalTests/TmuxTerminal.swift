@testable import Terminal

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A pane of tmux that shows what is written to it, and can be asked what it shows.
final class TmuxTerminal {
    private let socket: String
    private let fifo: String
    private let output: Int32
    private var frame = 0
    let size: Size

    static let isInstalled = shell("tmux -V") != nil

    init(size: Size) throws {
        self.size = size
        let name = "tn-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        socket = name
        fifo = "/tmp/\(name)"
        guard mkfifo(fifo, 0o600) == 0 else { throw Failure.noPipe }
        let extent = "-x \(size.columns) -y \(size.rows)"
        let started = TmuxTerminal.shell(
            """
            tmux -L \(socket) -f /dev/null new-session -d \(extent) "stty raw -echo; cat '\(fifo)'" \\; \
            set -g status off \\; resize-window \(extent)
            """)
        output = started == nil ? -1 : open(fifo, O_WRONLY)
        guard output >= 0 else { throw Failure.noPipe }
    }

    deinit {
        close(output)
        _ = TmuxTerminal.shell("tmux -L \(socket) kill-server")
        unlink(fifo)
    }

    enum Failure: Error {
        case noPipe
        case noAnswer(String)
    }

    /// What a command prints; nil when it fails.
    private static func shell(_ command: String) -> String? {
        guard let stream = popen(command + " 2>/dev/null", "r") else { return nil }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, stream)
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return pclose(stream) == 0 ? String(decoding: bytes, as: UTF8.self) : nil
    }

    private func tmux(_ command: String) throws -> String {
        guard let answer = TmuxTerminal.shell("tmux -L \(socket) \(command)") else { throw Failure.noAnswer(command) }
        return answer
    }

    /// Writes bytes and waits until tmux has taken them: a title set after them shows it.
    func feed(_ bytes: [UInt8]) throws {
        frame += 1
        let title = "frame\(frame)"
        let all = bytes + Array("\u{1B}]2;\(title)\u{1B}\\".utf8)
        var sent = 0
        while sent < all.count {
            let count = all.withUnsafeBytes { write(output, $0.baseAddress?.advanced(by: sent), all.count - sent) }
            guard count > 0 else { throw Failure.noPipe }
            sent += count
        }
        for _ in 0..<2000 where try tmux("display -p '#{pane_title}'") == title + "\n" { return }
        throw Failure.noAnswer(title)
    }

    struct Picture {
        var rows: [[TerminalEmulator.Cell]]
        var cursor: Position
        var isCursorVisible: Bool
    }

    /// What the pane shows now.
    func picture() throws -> Picture {
        let text = try tmux("display -p '#{cursor_x} #{cursor_y} #{cursor_flag}' \\; capture-pane -e -p -N")
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let facts = lines.removeFirst().split(separator: " ").compactMap { Int($0) }
        var style = TerminalEmulator(size: Size(columns: 1, rows: 1), widths: .clusters)
        let rows = lines.prefix(size.rows).map { cells(of: $0, &style) }
        return Picture(
            rows: rows, cursor: Position(column: facts[0], row: facts[1]), isCursorVisible: facts[2] == 1)
    }

    /// A captured line: text with SGR sequences, styles going over from line to line.
    private func cells(of line: Substring, _ styles: inout TerminalEmulator) -> [TerminalEmulator.Cell] {
        var cells: [TerminalEmulator.Cell] = []
        // By scalars: a mark after a sequence would join the sequence's last letter.
        for (index, part) in line.unicodeScalars.split(separator: "\u{1B}", omittingEmptySubsequences: false)
            .enumerated()
        {
            var text = part
            if index > 0, let end = part.firstIndex(of: "m") {
                styles.feed([0x1B] + Array(String(part[...end]).utf8))
                text = part[part.index(after: end)...]
            }
            // tmux keeps the scalars of a cluster in the cells that it counts for them.
            var pieces = Screen(size: Size(columns: 2 * size.columns, rows: 1))
            pieces.fixedModel = .tmux
            for column in 0..<pieces.write(String(text), at: Position(column: 0, row: 0), style: .default) {
                let piece = pieces[column, 0]
                cells.append(
                    TerminalEmulator.Cell(text: piece.text, style: styles.penStyle, isRightHalf: piece.columns == 0))
            }
        }
        while cells.count < size.columns { cells.append(TerminalEmulator.Cell()) }
        return cells
    }
}
