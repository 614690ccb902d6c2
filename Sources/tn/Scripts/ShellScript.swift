import Foundation
import Interface
import NoteStore
import Processes
import SystemPackage

/// Runs a script of the user with the shell, in its own process group and session, with a deadline.
enum ShellScript {
    /// The maximum size of the output in bytes.
    private static let answerLimit = 16 << 20
    /// The maximum size of an error message in bytes.
    private static let messageLimit = 64 << 10

    /// Runs a script to its end; blocks this thread.
    static func run(_ script: ShellRun, stop: CommandStop) -> ShellOutcome {
        var run = script
        var folder: FilePath?
        defer { if let folder { remove(folder) } }
        if let text = script.fileText {
            let made = FilePath(Notebook.stateFolder()).appending("commands").appending(UUID.random().uuidString)
            folder = made
            let file = made.appending("note.md")
            do {
                try PrivateFile.write(text.utf8, to: file)
            } catch {
                return .failed(Texts.Script.noFile(error.sentence), details: "")
            }
            run.environment["TN_FILE"] = file.string
        }
        do {
            return outcome(
                of: try command(run).run(deadline: .seconds(script.timeout), stop: stop), stop, script.timeout)
        } catch {
            return .failed(Texts.Script.notStarted("\(error)"), details: "")
        }
    }

    private static func command(_ run: ShellRun) -> Processes.Command {
        var command = Processes.Command(path: "/bin/sh", words: ["sh", "-c", run.script])
        command.input = .bytes(run.input)
        command.output = .collected(limit: answerLimit)
        command.errorOutput = .collected(limit: messageLimit)
        // A value of the environment ends at a zero byte.
        let added = run.environment.mapValues { $0.replacing("\0", with: "") }
        command.environment = Configuration.processEnvironment.merging(added) { $1 }
        // Without a terminal the script cannot draw over the window, or wait for an answer that never comes.
        command.hasOwnSession = true
        return command
    }

    private static func outcome(of result: CommandResult, _ stop: CommandStop, _ timeout: Int) -> ShellOutcome {
        let details = String(decoding: result.errorOutput, as: UTF8.self)
        if stop.isRequested { return .stopped }
        if result.isStopped { return .failed(Texts.Script.tookTooLong(timeout), details: details) }
        switch result.end {
        case .exited(status: 0): break
        case .exited(let status): return .failed(Texts.Script.ended(status: status), details: details)
        default: return .failed(Texts.Script.killed, details: details)
        }
        guard result.output.count < answerLimit else {
            return .failed(Texts.Script.tooLong(answerLimit >> 20), details: "")
        }
        guard let answer = String(validating: result.output, as: UTF8.self) else {
            return .failed(Texts.Script.notText, details: details)
        }
        return .answer(answer)
    }

    private static func remove(_ folder: FilePath) {
        // If it cannot be removed, it stays private, and no other script uses it.
        try? PrivateFile.removeAll(folder)
    }
}
