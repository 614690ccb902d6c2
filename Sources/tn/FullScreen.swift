import Foundation
import Interface

/// Runs the notebook full-screen.
enum FullScreen {
    /// Runs the notebook until the user leaves it.
    ///
    /// - Parameters:
    ///   - reference: the note to open, in the form that commands accept; nil reopens the last location.
    ///   - isReader: shows it for a screen reader, whatever the settings say.
    ///   - takesTerminal: uses the controlling terminal of the process, whatever standard input and output are
    ///     connected to.
    /// - Throws: `Failure`, or the exit status of a signal.
    static func run(
        _ options: NotebookOptions, opening reference: String? = nil, isReader: Bool = false,
        takesTerminal: Bool = false
    ) throws {
        guard takesTerminal || isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 else {
            let isRemote = Configuration.processEnvironment["SSH_CONNECTION"] != nil
            throw Failure.noScreen(isRemote: isRemote)
        }
        try ThreadLimit.require(ThreadLimit.window)
        // Every command runs on the main thread.
        try MainActor.assumeIsolated {
            var program = try NotebookProgram(options, opening: reference, isReader: isReader)
            var here = options
            while let next = try program.run() {
                let left = program.leavingProblem
                do {
                    program = try NotebookProgram(next, opening: nil, isReader: isReader)
                    here = next
                } catch {
                    // The window stays with its present notebook.
                    program = try NotebookProgram(here, opening: nil, isReader: isReader)
                    program.say(Texts.notebookNotOpened(error))
                }
                if let left { program.say(Texts.notebookNotClosed(left)) }
            }
        }
    }
}
