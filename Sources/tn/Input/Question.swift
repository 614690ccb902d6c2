import Foundation
import Terminal

/// Asks the user at the terminal a question; the safe answer is no.
enum Question {
    /// - Returns: whether the answer was yes.
    /// - Throws: `Failure` if there is no terminal to ask on.
    static func ask(_ question: String) throws -> Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw Failure.noAnswer(to: question)
        }
        try StandardOutput.flush()
        StandardError.write(part: Sanitizer.visible(Texts.question(question)))
        return Texts.yes.contains(answer ?? "")
    }

    /// Returns the letter of the answer; nil without a terminal to ask on, for any other answer, or at Ctrl-C.
    ///
    /// - Parameter stop: blocks Ctrl-C, so that it is looked for while nothing is typed.
    static func choice(_ question: String, of letters: Set<Character>, until stop: StopSignal) -> Character? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        StandardError.write(part: Sanitizer.visible(question))
        guard isAnswered(until: stop) else {
            StandardError.write(part: "\n")
            return nil
        }
        return answer?.first.flatMap { letters.contains($0) ? $0 : nil }
    }

    /// Waits for a line, which a terminal gives whole, or for the end of input; false at Ctrl-C.
    private static func isAnswered(until stop: StopSignal) -> Bool {
        while !stop.isRaised {
            var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let count = poll(&entry, 1, interval)
            // If the error lasts, reading reports it.
            if count > 0 || count < 0 && errno != EINTR { return true }
        }
        return false
    }

    /// The time between two looks for Ctrl-C, in milliseconds.
    private static let interval: Int32 = 50

    /// The typed line in lower case; nil if the input ends, which leaves the question without a line end.
    private static var answer: String? {
        guard let line = readLine() else {
            StandardError.write(part: "\n")
            return nil
        }
        return line.trimmingCharacters(in: .whitespaces).lowercased()
    }
}
