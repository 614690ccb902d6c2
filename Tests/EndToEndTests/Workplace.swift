import Foundation

/// A folder of its own for one test: the notebook, the configuration and the state of the `tn` that it drives.
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
        // A folder that stays behind in the temporary folder harms nobody.
        try? FileManager.default.removeItem(at: folder)
    }

    /// The notebook's file, where the program puts it by default.
    var database: URL {
        let data = folder.appending(path: "data")
        let names = ["takenote-dev", "takenote"]
        let name = names.first { FileManager.default.fileExists(atPath: data.appending(path: $0).path) } ?? names[0]
        return data.appending(path: name).appending(path: "notes.sqlite")
    }

    /// Writes the configuration, as an editor does.
    func configure(_ text: String) throws {
        let folder = folder.appending(path: "config/takenote")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: "config.toml"), options: .atomic)
    }

    /// The program under test: `TN_BINARY`, else the one built beside the tests.
    static let program: String = {
        if let given = ProcessInfo.processInfo.environment["TN_BINARY"] { return given }
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return root.appending(path: ".build/debug/tn").path
    }()

    /// What a command that has ended has printed.
    struct Result: Equatable {
        let output: String
        let error: String
        let status: Int32
    }

    /// Runs `tn` to its end.
    func tn(_ arguments: String..., input: String = "", environment extra: [String: String] = [:]) throws -> Result {
        try run(Self.program, arguments, input: input, environment: extra)
    }

    /// Runs a program to its end.
    ///
    /// Spawned by hand: `Process` waits for everyone who inherits its pipe, and a tmux server never lets go of it.
    func run(
        _ program: String, _ arguments: [String], input: String = "", environment extra: [String: String] = [:]
    ) throws -> Result {
        let files = ["in", "out", "err"].map { folder.appending(path: "\($0)-\(UUID().uuidString)") }
        try Data(input.utf8).write(to: files[0])
        defer { files.forEach { unlink($0.path) } }
        let status = try spawn(
            program, arguments, environment: environment.merging(extra) { $1 }, files: files.map(\.path))
        let texts = try files[1...].map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return Result(output: texts[0], error: texts[1], status: status)
    }

    /// Runs a program on three files and gives its exit status, or 128 and the number of the signal that ended it.
    private func spawn(
        _ program: String, _ arguments: [String], environment: [String: String], files: [String]
    ) throws -> Int32 {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, files[0], O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, files[1], O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, files[2], O_WRONLY | O_CREAT, 0o600)
        // The test runner's threads block most signals, which must not be handed down.
        #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        #else
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var process = pid_t()
        let error = posix_spawn(&process, program, &actions, &attributes, words, variables)
        guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .ENOENT) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { throw POSIXError(.ECHILD) } }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
}

extension Workplace {
    /// Whether the program has a command.
    func hasCommand(_ name: String) throws -> Bool {
        try tn(name, "--help").output.contains("USAGE: tn \(name)")
    }

    /// Asks the notebook by the plain tool.
    func query(_ sql: String) throws -> String {
        let result = try run("/usr/bin/env", ["sqlite3", database.path, sql])
        guard result.status == 0 else { return "sqlite3: \(result.error)" }
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
