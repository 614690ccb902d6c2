import ArgumentParser
import Foundation

/// From the words of the command line to an exit status.
enum Program {
    /// Runs the command that `words` ask for.
    ///
    /// - Returns: the exit status of DESIGN: 0 done, 1 nothing found, 64 and above as in `sysexits.h`, 128 + n for a
    ///   signal n.
    @MainActor
    static func run(_ words: [String]) -> Int32 {
        do {
            var command = try TakeNote.parseAsRoot(CommandWords.arranged(words))
            try command.run()
            return 0
        } catch let failure as Failure {
            failure.print()
            return failure.status
        } catch let code as ExitCode {
            return code.rawValue
        } catch  where isUsage(error) {
            return explainUsage(error)
        } catch {
            let failure = Failure(error)
            failure.print()
            return failure.status
        }
    }

    private static func isUsage(_ error: any Error) -> Bool {
        TakeNote.exitCode(for: error) == .validationFailure || TakeNote.exitCode(for: error) == .success
    }

    /// Help goes to standard output and is no error; wrong usage goes to standard error.
    private static func explainUsage(_ error: any Error) -> Int32 {
        let text = TakeNote.fullMessage(for: error)
        if TakeNote.exitCode(for: error) == .success {
            print(text)
            return 0
        }
        StandardError.write(text)
        return 64
    }
}

/// The words of the command line in the order that the parser takes.
enum CommandWords {
    /// Turns `--new TEXT` into `new TEXT` and `takenote://…` into `open takenote://…`, and puts options that stand
    /// before the command's name behind it, so that a text is never taken for a command.
    static func arranged(_ words: [String]) -> [String] {
        var words = words
        var leading: [String] = []
        while let word = words.first, word == "--database" || word.hasPrefix("--database=") {
            let length = word == "--database" ? min(2, words.count) : 1
            leading += words.prefix(length)
            words.removeFirst(length)
        }
        guard let first = words.first else { return leading }
        if first == "--new" {
            words[0] = "new"
        } else if first.lowercased().hasPrefix("takenote://") {
            words.insert("open", at: 0)
        } else if first.hasPrefix("-") {
            return leading + words
        }
        words.insert(contentsOf: leading, at: 1)
        return words
    }
}
