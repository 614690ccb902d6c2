import Foundation
import NoteStore
import TerminalDriver

/// Measures what other programs on the same notebook notice of a synchronisation.
extension SyncBenchmark {
    /// - Parameter folders: those of a measurement that is done, with two notebooks in sync.
    func measureOthers(_ folders: Folders) throws -> [[String]] {
        let (during, alone) = try keys(folders)
        let locked = try longestLock(folders)
        return [
            [
                "a typed key", "\(folders.count)", Report.number(during.median), Report.number(alone.median),
                Report.ratio(during.median, to: alone.median), "1.1 x",
                alone.median.map { Report.within(during.median, $0 * 1.1) } ?? "",
            ],
            [
                "longest wait to write while 50 notes are merged", "\(folders.count)", Report.number(locked), "", "",
                "50", Report.within(locked, 50),
            ],
        ]
    }

    /// Types into a window while another program synchronises its notebook without a pause, and while none does.
    private func keys(_ folders: Folders) throws -> (during: Samples, alone: Samples) {
        var prose = Prose(seed: 3)
        let notebook = try Notebook.open(folders.one, mode: .command)
        let note = try notebook.notes.create(NewNote(text: prose.document(bytes: 10_000).text)).id
        try notebook.close()
        // The window itself would synchronise while nothing should.
        let settings = (workshop.environment("tn")["HOME"] ?? "") + "/.config/takenote"
        try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
        let file = URL(filePath: settings + "/config.toml")
        try Data("[sync]\nauto = false\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }  // the folder is removed at the end
        let terminal = try Contender.startNotebook(folders.one, note.description, workshop)
        var (during, alone) = (Samples(), Samples())
        for _ in 0..<rounds {
            try type(into: terminal, &alone)
            let line = "while :; do '\(workshop.program)' sync --quiet --database '\(folders.one)'; done"
            let process = try ProgramRun.spawn(
                "/bin/sh", ["-c", line], environment: environment, streams: [.opened(0, "/dev/null", O_RDONLY)],
                isSession: true)
            try type(into: terminal, &during)
            kill(-process, SIGTERM)
            var status: Int32 = 0
            waitpid(process, &status, 0)
        }
        return (during, alone)
    }

    private func type(into terminal: PseudoTerminal, _ samples: inout Samples) throws {
        for index in 0..<40 {
            let (nanoseconds, _) = try terminal.timeToPrint(UInt8(ascii: "A") + UInt8(index % 26))
            samples.values.append(Double(nanoseconds) / 1e6)
            try terminal.settle(quiet: 20, atMost: 0.1)
            if index % 7 == 6 { _ = try terminal.timeToSettle([0x20], quiet: 6) }
        }
    }

    /// Returns the longest time in milliseconds for which another program cannot write while fifty notes are merged.
    private func longestLock(_ folders: Folders) throws -> Double {
        let changed = Array(0..<min(50, folders.count))
        for notebook in [folders.one, folders.other] { _ = try sync(notebook, ["--quiet"]) }
        try edit(folders.one, changed) { "# once more\n\n" + $0 }
        _ = try sync(folders.one, ["--quiet"])
        try edit(folders.other, changed) { $0 + "\nonce more\n" }
        let raw = try RawSQLite(folders.other)
        let process = try ProgramRun.spawn(
            workshop.program, ["sync", "--quiet", "--database", folders.other], environment: environment,
            streams: [.opened(0, "/dev/null", O_RDONLY)])
        var (status, longest, refused) = (Int32(0), UInt64(0), UInt64?.none)
        while waitpid(process, &status, WNOHANG) == 0 {
            do {
                try raw.run("BEGIN IMMEDIATE")
                try raw.run("ROLLBACK")
                if let refused { longest = max(longest, PseudoTerminal.now - refused) }
                refused = nil
            } catch {
                // Another program holds the lock.
                refused = refused ?? PseudoTerminal.now
            }
            usleep(500)
        }
        guard status == 0 else { throw PseudoTerminal.Failure(description: "tn sync: status \(status)") }
        return Double(longest) / 1e6
    }
}
