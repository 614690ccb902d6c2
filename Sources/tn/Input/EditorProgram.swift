import Foundation
import Interface
import Processes

/// The user's external editor.
struct EditorProgram {
    /// The command line, as the shell reads it: `code --wait`.
    let command: String

    /// The editor named by the configuration, `$VISUAL` or `$EDITOR`.
    static var configured: EditorProgram? {
        let environment = Configuration.processEnvironment
        let chosen = Configuration.readFromUser().configuration.editorProgram
        let named = [chosen, environment["VISUAL"], environment["EDITOR"]].compactMap { $0 }.first { !$0.isBlank }
        return named.map { EditorProgram(command: $0) }
    }

    /// The configured editor, or else an installed one.
    ///
    /// - Throws: `Failure` if there is none.
    static func find() throws -> EditorProgram {
        if let configured { return configured }
        for name in ["sensible-editor", "nano", "vi"] where isInstalled(name) { return EditorProgram(command: name) }
        throw Failure.noEditor
    }

    /// Runs the editor on a file until it ends, in the program's terminal.
    ///
    /// The editor has the terminal until it ends, so this waits for it even if `whileRunning` throws, and rethrows that
    /// error afterwards.
    ///
    /// - Parameter whileRunning: called about ten times a second, until it throws.
    /// - Throws: `Failure` if the editor cannot be started or ends with an error; the error of `whileRunning`.
    func edit(_ file: String, whileRunning: () throws -> Void = {}) throws {
        // Ctrl-C and Ctrl-\ in the terminal are meant for the editor.
        let ignored = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { ignored.forEach { _ = signal($0.0, $0.1) } }
        var process = try start(file)
        var problem: (any Error)?
        var end = process.end()
        while end == nil, problem == nil {
            usleep(Self.pause)
            do { try whileRunning() } catch { problem = error }
            end = process.end()
        }
        end = process.wait()
        if let problem { throw problem }
        switch end {
        case .exited(status: 0): break
        // A shell exits with 126 or 127 if it cannot start a program.
        case .exited(status: 126), .exited(status: 127): throw Failure.noEditor(command)
        default:
            throw Failure.editorFailed(command)
        }
    }

    /// Whether the program may exist; true if only the shell, which reports an error itself, can tell.
    private var mayExist: Bool {
        guard let name = command.split(separator: " ").first.map(String.init),
            name.allSatisfy({ $0.isLetter || $0.isNumber || "/.-_+,@:".contains($0) }),
            !command.contains(where: { ";|&".contains($0) }), !Self.shellWords.contains(name)
        else { return true }
        return name.contains("/") ? Self.isProgram(name) : Self.isInstalled(name)
    }

    /// Built-in words of the shell that a command can begin with.
    private static let shellWords: Set<String> = [".", "command", "eval", "exec"]

    private static func isInstalled(_ name: String) -> Bool {
        let path = Configuration.processEnvironment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains { isProgram("\($0)/\(name)") }
    }

    private static func isProgram(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
            && access(path, X_OK) == 0
    }

    /// The pause in microseconds between two checks of the file: too short to be noticed, too long to cost anything.
    private static let pause: useconds_t = 100_000

    private func start(_ file: String) throws -> ChildProcess {
        guard mayExist else { throw Failure.noEditor(command) }
        do {
            return try ChildProcess.start(
                interactive: "/bin/sh", ["/bin/sh", "-c", "exec \(command) \"$1\"", "tn", file])
        } catch {
            throw Failure.noEditor(command, error)
        }
    }
}
