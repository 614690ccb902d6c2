extension Texts {
    /// The messages about user-defined commands.
    enum Custom {
        static func allow(_ title: String) -> String { "Run “\(title)”?" }
        static let willRun = "The configuration has this line for the shell, which can do whatever you can do:"
        static let willRunFilter = "The shell runs this line, which can do whatever you can do:"
        static let run = "Run it, now and later"
        static let doNotRun = "Do not run it"
        static let pipeSelection = "Pipe the selection through"
        static let pipeNote = "Pipe the text, show the answer"
        static let noCommandLine = "Type a command of the shell, like sort"
        static let nothingRuns = "No command is running"
        static let oneRuns = "A command is running already"
        static func running(_ title: String) -> String { "Running “\(title)”…" }
        /// The fact of the status line while the command runs.
        static func runs(_ title: String) -> String { "“\(title)” runs" }
        static func done(_ title: String) -> String { "“\(title)” is done" }
        static func saidNothing(_ title: String) -> String { "“\(title)” printed nothing" }
        static func stopped(_ title: String) -> String { "“\(title)” was stopped; nothing was changed" }
        /// - Parameter line: the last line that the command printed as its errors.
        static func failed(_ title: String, _ reason: String, _ line: String?) -> String {
            "“\(title)” \(reason)" + (line.map { ": \($0)" } ?? "") + "; nothing was changed"
        }
        static func errors(_ title: String) -> String { "Errors of “\(title)”" }
        static let nothingFailed = "No command has failed"
        static func textHasChanged(_ title: String, paste: String?) -> String {
            "The text has changed meanwhile; the answer of “\(title)” waits to be pasted"
                + (paste.map { " with \($0)" } ?? "")
        }
    }
}
