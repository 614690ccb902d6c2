import Foundation
import TerminalDriver

/// A private folder for one test: the notebook, the configuration and the state of the `tn` that it drives.
final class Workplace: Sendable {
    let folder: URL
    let environment: [String: String]

    init() throws {
        folder = URL(filePath: NSTemporaryDirectory()).appending(path: "tn-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var environment = ProcessInfo.processInfo.environment
        for name in [
            "TAKENOTE_DATABASE", "TMUX", "TMUX_PANE", "NO_COLOR", "VISUAL", "EDITOR", "SSH_CONNECTION", "SSH_TTY",
        ] {
            environment[name] = nil
        }
        environment["HOME"] = folder.path
        environment["XDG_DATA_HOME"] = folder.appending(path: "data").path
        environment["XDG_CONFIG_HOME"] = folder.appending(path: "config").path
        environment["XDG_STATE_HOME"] = folder.appending(path: "state").path
        environment["LANG"] = "C.UTF-8"
        environment["TZ"] = "UTC"
        self.environment = environment
    }

    deinit {
        // A folder that remains in the temporary folder does no harm.
        try? FileManager.default.removeItem(at: folder)
    }

    /// The notebook's file, at the program's default location.
    var database: URL {
        let data = folder.appending(path: "data")
        let names = ["takenote-dev", "takenote"]
        let name = names.first { FileManager.default.fileExists(atPath: data.appending(path: $0).path) } ?? names[0]
        return data.appending(path: name).appending(path: "notes.sqlite")
    }

    /// Writes the configuration by replacing the file, as an editor does.
    func configure(_ text: String) throws {
        let folder = folder.appending(path: "config/takenote")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: "config.toml"), options: .atomic)
    }

    /// The program under test: `TN_BINARY`, or else the one built with the tests, which stands beside them.
    static let program: String = {
        if let given = ProcessInfo.processInfo.environment["TN_BINARY"] { return given }
        let beside = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "tn").path
        if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return root.appending(path: ".build/debug/tn").path
    }()

    typealias Result = ProgramRun.Result

    /// Runs `tn` to its end.
    func tn(_ arguments: String..., input: String = "", environment extra: [String: String] = [:]) throws -> Result {
        try run(Self.program, arguments, input: input, environment: extra)
    }

    /// Runs a program to its end.
    func run(
        _ program: String, _ arguments: [String], input: String = "", environment extra: [String: String] = [:]
    ) throws -> Result {
        try ProgramRun.run(program, arguments, input: input, environment: environment.merging(extra) { $1 })
    }
}

extension Workplace {
    /// Whether the program has a command.
    func hasCommand(_ name: String) throws -> Bool {
        try tn(name, "--help").output.contains("USAGE: tn \(name)")
    }

    /// Queries the notebook with the `sqlite3` tool, which waits for a lock as long as a test does.
    func query(_ sql: String) throws -> String {
        let result = try run("/usr/bin/env", ["sqlite3", "-cmd", ".timeout 60000", database.path, sql])
        guard result.status == 0 else { return "sqlite3: \(result.error)" }
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Commands of the shell for an editor's script, which wait until the program that started it has looked at the file
    /// and the terminal again.
    ///
    /// The program sleeps between two looks, and the system counts how often it began to sleep.
    static let untilLookedAgain = """
        looks() { sed -n 's/^voluntary_ctxt_switches:[[:space:]]*//p' "/proc/$PPID/status"; }
        if [ -e "/proc/$PPID/status" ]; then
            before=$(looks); until [ $(($(looks) - before)) -ge 5 ]; do sleep 0.02; done
        else
            sleep 2
        fi

        """
}
