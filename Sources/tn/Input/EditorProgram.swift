import Foundation
import Interface
import Processes

/// The user's own editor.
struct EditorProgram {
    /// As the shell reads it: `code --wait`.
    let command: String

    /// The editor that the configuration, `$VISUAL` or `$EDITOR` names.
    static var configured: EditorProgram? {
        let environment = Configuration.processEnvironment
        let chosen = Configuration.readFromUser().configuration.editorProgram
        let named = [chosen, environment["VISUAL"], environment["EDITOR"]].compactMap { $0 }.first { !$0.isBlank }
        return named.map { EditorProgram(command: $0) }
    }

    /// The editor that is configured, else one that is installed.
    ///
    /// - Throws: `Failure` if there is none.
    static func find() throws -> EditorProgram {
        if let configured { return configured }
        for name in ["sensible-editor", "nano", "vi"] where isInstalled(name) { return EditorProgram(command: name) }
        throw Failure.noEditor
    }

    /// Runs it on a file to its end, in the terminal that the program has.
    ///
    /// The editor has the terminal until it ends, so it is waited for whatever `whileRunning` meets; that is thrown
    /// after it.
    ///
    /// - Parameter whileRunning: called about ten times a second, until it throws.
    /// - Throws: `Failure` if it cannot be started or ends with an error; what `whileRunning` threw.
    func edit(_ file: String, whileRunning: () throws -> Void = {}) throws {
        // The terminal's Ctrl-C and Ctrl-\ are for the editor.
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
        // A shell says 126 and 127 of a program that it cannot start.
        case .exited(status: 126), .exited(status: 127): throw Failure.noEditor(command)
        default:
            throw Failure.editorFailed(command)
        }
    }

    /// Whether the program is there, as far as that can be told without asking the shell, which would say so itself.
    private var mayExist: Bool {
        guard let name = command.split(separator: " ").first.map(String.init),
            name.allSatisfy({ $0.isLetter || $0.isNumber || "/.-_+,@:".contains($0) }),
            !command.contains(where: { ";|&".contains($0) }), !Self.shellWords.contains(name)
        else { return true }
        return name.contains("/") ? Self.isProgram(name) : Self.isInstalled(name)
    }

    /// Words of the shell's own that a command can begin with.
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

    /// Microseconds between two looks at the file: too short to be noticed, too long to cost anything.
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
