import Foundation
import TerminalDriver
import Testing

/// Tests that an update is reported once, in the first window after it.
struct UpdateTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    /// Opens a window, waits for what it says first, and leaves it.
    private func visit() throws -> Bool {
        let terminal = try PseudoTerminal(
            Workplace.program, environment: workplace.environment, columns: 120, rows: 40, as: .full)
        // The note and the message come with the same frame.
        try terminal.wait(for: "First")
        try terminal.settle()
        let isTold = terminal.screen.lines.contains { $0.contains("Updated to version") }
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
        return isTold
    }

    /// The file of the version whose window was open last.
    private func versionFile() throws -> URL {
        let state = workplace.folder.appending(path: "state")
        let folders = try FileManager.default.contentsOfDirectory(atPath: state.path)
        let files = folders.map { state.appending(path: $0).appending(path: "version") }
        return try #require(files.first { FileManager.default.fileExists(atPath: $0.path) })
    }

    @Test func `an update is reported in the first window after it, and never again`() throws {
        _ = try workplace.tn("--new", "First")
        #expect(try !visit(), "the first start of all is no update")
        try Data("0.1.0\n".utf8).write(to: versionFile())
        #expect(try visit())
        #expect(try !visit())
        #expect(try String(contentsOf: versionFile(), encoding: .utf8) != "0.1.0\n")
    }
}
