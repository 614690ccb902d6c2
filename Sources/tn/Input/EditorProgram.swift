import Foundation
import Interface
import NoteStore
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
    /// - Returns: whether the editor may have handed the file to another program, as `code` without `--wait` does: it
    ///   has ended soon, and never changed the terminal that it was given, which an editor in a terminal does. Without
    ///   a terminal any editor that ends soon may have.
    /// - Throws: `Failure` if the editor cannot be started or ends with an error; the error of `whileRunning`.
    @discardableResult
    func edit(_ file: String, whileRunning: () throws -> Void = {}) throws -> Bool {
        // Ctrl-C and Ctrl-\ in the terminal are meant for the editor.
        let ignored = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { ignored.forEach { _ = signal($0.0, $0.1) } }
        let began = ContinuousClock.now
        let usual = Self.inputModes
        var hasUsedTerminal = false
        var process = try start(file)
        var problem: (any Error)?
        var end = process.end()
        while end == nil, problem == nil {
            usleep(Self.pause)
            do { try whileRunning() } catch { problem = error }
            hasUsedTerminal = hasUsedTerminal || Self.inputModes != usual
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
        return !hasUsedTerminal && !doesNothing && ContinuousClock.now - began < Self.soon
    }

    /// Whether the command is one that scripts name to leave a text as it is.
    private var doesNothing: Bool { ["true", ":", "/bin/true", "/usr/bin/true"].contains(command) }

    /// The terminal's modes of input, as an editor in the terminal changes them; nil without a terminal.
    private static var inputModes: tcflag_t? {
        var attributes = termios()
        return tcgetattr(STDIN_FILENO, &attributes) == 0 ? attributes.c_lflag : nil
    }

    /// The time in which a program that hands a file over ends, even when it has to start the other one.
    private static let soon = Duration.seconds(10)

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
        let kind = PathKind(path)
        return kind != nil && kind != .folder && access(path, X_OK) == 0
    }

    /// The pause in microseconds between two checks of the file: too short to be noticed, too long to cost anything.
    private static let pause: useconds_t = 100_000

    /// Whether the command begins with a variable for the editor: `NVIM_APPNAME=mini nvim`.
    private var setsVariable: Bool {
        let words = command.drop(while: \.isWhitespace)
        let name = words.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        return !name.isEmpty && words[name.endIndex...].first == "="
    }

    private func start(_ file: String) throws -> ChildProcess {
        guard mayExist else { throw Failure.noEditor(command) }
        // The shell's `exec` takes no variables.
        let words = setsVariable ? "env \(command)" : command
        do {
            return try ChildProcess.start(
                interactive: "/bin/sh", ["/bin/sh", "-c", "exec \(words) \"$1\"", "tn", file])
        } catch {
            throw Failure.noEditor(command, error)
        }
    }
}
