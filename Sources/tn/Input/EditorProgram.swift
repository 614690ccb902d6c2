import Foundation
import Interface

/// The user's own editor.
struct EditorProgram {
    /// As the shell reads it: `code --wait`.
    let command: String

    /// The editor that the configuration, `$VISUAL` or `$EDITOR` names.
    static var configured: EditorProgram? {
        let environment = ProcessInfo.processInfo.environment
        let chosen = Configuration.readFromUser().configuration.editorProgram
        let named = [chosen, environment["VISUAL"], environment["EDITOR"]].compactMap { $0 }.first { !$0.isBlank }
        return named.map { EditorProgram(command: $0) }
    }

    /// The editor that is configured, else one that is installed.
    ///
    /// - Throws: `Failure` if there is none.
    static func find() throws -> EditorProgram {
        if let configured { return configured }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        for name in ["sensible-editor", "nano", "vi"] {
            let isInstalled = path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
            if isInstalled { return EditorProgram(command: name) }
        }
        throw Failure("no editor is known; set EDITOR, for example to vi", status: .usage)
    }

    /// Runs it on a file to its end, in the terminal that the program has.
    ///
    /// - Parameter whileRunning: called about ten times a second.
    /// - Throws: `Failure` if it cannot be started or ends with an error.
    func edit(_ file: String, whileRunning: () throws -> Void = {}) throws {
        // The terminal's Ctrl-C and Ctrl-\ are for the editor.
        let ignored = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { ignored.forEach { _ = signal($0.0, $0.1) } }
        let process = try start(file)
        var status: Int32 = 0
        var result = waitpid(process, &status, WNOHANG)
        while result == 0 || result < 0 && errno == EINTR {
            usleep(Self.pause)
            try whileRunning()
            result = waitpid(process, &status, WNOHANG)
        }
        let code = status >> 8 & 0xFF
        // A shell says 126 and 127 of a program that it cannot start.
        if code == 126 || code == 127 {
            throw Failure("the editor “\(command)” cannot be started; check VISUAL and EDITOR", status: .noInput)
        }
        if result < 0 || status & 0x7F != 0 || code != 0 {
            throw Failure("the editor “\(command)” ended with an error; what it saved is kept", status: .inputOutput)
        }
    }

    /// Microseconds between two looks at the file: too short to be noticed, too long to cost anything.
    private static let pause: useconds_t = 100_000

    private func start(_ file: String) throws -> pid_t {
        let words = ["/bin/sh", "-c", "exec \(command) \"$1\"", "tn", file]
        let arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        #else
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGINT)
        sigaddset(&defaults, SIGQUIT)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var process = pid_t()
        let error = posix_spawn(&process, words[0], nil, &attributes, arguments, environ)
        guard error == 0 else {
            throw Failure(
                "the editor “\(command)” cannot be started: \(String(cString: strerror(error)))", status: .noInput)
        }
        return process
    }
}
