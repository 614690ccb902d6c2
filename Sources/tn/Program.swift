import ArgumentParser
import DecodedPictures
import Foundation
import NoteStore

/// Runs a command line and returns its exit status.
enum Program {
    /// Runs the command given by `words`.
    ///
    /// - Returns: the exit status: 0 done, 1 nothing found, 64 and above as in `sysexits.h`, 128 + n for a signal n.
    @MainActor
    static func run(_ words: [String]) -> Int32 {
        // The child process that decodes a picture does nothing else, and must start fast.
        if words.first == PictureChild.word { return PictureChild.run(Array(words.dropFirst())) }
        PictureIntake.use(PictureIntake.inChild)
        var lostOutput: Failure?
        do {
            defer { lostOutput = flush() }
            try CommandWords.requireText()
            if let capture = Capture(plainly: words) {
                try capture.run()
            } else if let opening = Opening(plainly: words) {
                try opening.run()
            } else {
                try parseAndRun(words)
            }
            try StandardOutput.flush()
            CommandNotebook.tellOfOtherNames()
            CommandNotebook.makeDailyBackup()
            return 0
        } catch let failure as Failure {
            failure.print()
            return failure.status
        } catch let code as ExitCode {
            // The command has printed no other message that would tell of the lost output.
            lostOutput?.print()
            return lostOutput?.status ?? code.rawValue
        } catch  where TakeNote.exitCode(for: error) == .success {
            // The error is the requested output: help, the version or a completion script.
            return tell(TakeNote.fullMessage(for: error))
        } catch  where TakeNote.exitCode(for: error) == .validationFailure {
            let failure = CommandWords.failure(for: error, in: CommandWords.arranged(words))
            failure.print()
            return failure.status
        } catch {
            let failure = Failure(error)
            failure.print()
            return failure.status
        }
    }

    private static func parseAndRun(_ words: [String]) throws {
        if let shell = CompletionScript.shell(in: words) {
            return try StandardOutput.write(CompletionScript.text(for: shell).utf8)
        }
        let words = CommandWords.arranged(words)
        try CommandWords.check(words)
        do {
            var command = try TakeNote.parseAsRoot(words)
            if command is any ThreadedCommand { try ThreadLimit.require(ThreadLimit.command) }
            try command.run()
        } catch {
            // The parser formats its help when it is asked about the error, so its width is set first.
            HelpText.widen()
            throw error
        }
    }

    /// Prints the text that a command line asked for instead of a command: help or the version.
    ///
    /// - Returns: the exit status.
    private static func tell(_ text: String) -> Int32 {
        do {
            try StandardOutput.write(
                line: StandardOutput.isTerminal ? HelpText.fitted(text, columns: StandardOutput.columns) : text)
            try StandardOutput.flush()
            return 0
        } catch {
            let failure = Failure(error)
            failure.print()
            return failure.status
        }
    }

    /// Flushes the output before an error, so that it is not lost; returns the reason if it is.
    private static func flush() -> Failure? {
        do {
            try StandardOutput.flush()
            return nil
        } catch {
            return Failure(error)
        }
    }
}
