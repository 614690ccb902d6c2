import ArgumentParser
import Foundation
import NoteStore

/// Reports the skipped items on standard error, each distinct one on one line.
///
/// - Throws: the exit status of a command that had to skip something.
func report(_ problems: [String]) throws {
    guard !problems.isEmpty else { return }
    var seen: Set<String> = []
    for problem in problems where seen.insert(problem).inserted { StandardError.notice(problem) }
    throw ExitCode(Failure.Status.badData.rawValue)
}

/// Reports what an import left out, and what it remarked about complete notes.
///
/// - Throws: the exit status of a command that had to skip something.
func report(_ problems: [ImportProblem]) throws {
    var seen: Set<String> = []
    for problem in problems where seen.insert(problem.sentence).inserted { StandardError.notice(problem.sentence) }
    if problems.contains(where: { !$0.isRemark }) { throw ExitCode(Failure.Status.badData.rawValue) }
}

/// Shows progress on standard error if that is a terminal.
enum Progress {
    static func show(_ done: Int, of all: Int) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        StandardError.write(part: "\r\(Texts.progress(done, of: all))")
    }

    static func clear() {
        guard isatty(STDERR_FILENO) == 1 else { return }
        StandardError.write(part: "\r\u{1B}[K")
    }
}
