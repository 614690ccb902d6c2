import Foundation
import TerminalDriver

@testable import Terminal

/// A tmux pane that shows the bytes written to it, and reports its contents.
final class TmuxScreen {
    private let terminal: TmuxTerminal
    private let fifo: String
    private let output: FileHandle
    private var frame = 0
    let size: Size

    init(size: Size) throws {
        self.size = size
        fifo = NSTemporaryDirectory() + "tn-\(UUID().uuidString)"
        guard mkfifo(fifo, 0o600) == 0 else { throw TmuxTerminal.Failure(description: "no pipe at \(fifo)") }
        terminal = try TmuxTerminal(
            columns: size.columns, rows: size.rows, running: "stty raw -echo; cat '\(fifo)'",
            environment: ProcessInfo.processInfo.environment)
        try terminal.tmux("set-option", "-g", "status", "off")
        try terminal.resize(columns: size.columns, rows: size.rows)
        output = try FileHandle(forWritingTo: URL(filePath: fifo))
    }

    deinit {
        try? output.close()  // everything has been shown already
        unlink(fifo)
    }

    /// Writes bytes and waits until tmux has processed them: a title set after them shows it.
    func feed(_ bytes: [UInt8]) throws {
        frame += 1
        let title = "frame\(frame)"
        try output.write(contentsOf: bytes + Array("\u{1B}]2;\(title)\u{1B}\\".utf8))
        try terminal.wait(for: title) { try terminal.fact("pane_title") == title }
    }

    struct Picture {
        var rows: [[TerminalCell]]
        var cursor: Position
        var isCursorVisible: Bool
    }

    /// Returns the pane's present contents.
    func picture() throws -> Picture {
        let facts = "#{cursor_x} #{cursor_y} #{cursor_flag}"
        let text = try terminal.tmux("display-message", "-p", facts, ";", "capture-pane", "-e", "-p", "-N")
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let cursor = lines.removeFirst().split(separator: " ").compactMap { Int($0) }
        var style = TerminalStyle()
        let rows = lines.prefix(size.rows).map { cells(of: $0, &style) }
        return Picture(
            rows: rows, cursor: Position(column: cursor[0], row: cursor[1]), isCursorVisible: cursor[2] == 1)
    }

    /// Returns the cells of a captured line: text with SGR sequences, whose styles continue from line to line.
    private func cells(of line: Substring, _ style: inout TerminalStyle) -> [TerminalCell] {
        var cells: [TerminalCell] = []
        // Split by scalars, because a mark after a sequence would join the sequence's last letter.
        for (index, part) in line.unicodeScalars.split(separator: "\u{1B}", omittingEmptySubsequences: false)
            .enumerated()
        {
            var text = part
            if index > 0, let end = part.firstIndex(of: "m") {
                style.apply(String(part[..<end].dropFirst()))
                text = part[part.index(after: end)...]
            }
            // tmux distributes the scalars of a cluster over the cells that it counts for them.
            var pieces = Screen(size: Size(columns: 2 * size.columns, rows: 1))
            pieces.fixedModel = .tmux
            for column in 0..<pieces.write(String(text), at: Position(column: 0, row: 0), style: .default) {
                let piece = pieces[column, 0]
                cells.append(TerminalCell(text: piece.columns == 0 ? "" : piece.text, style: style))
            }
        }
        while cells.count < size.columns { cells.append(TerminalCell()) }
        return cells
    }
}
