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

    /// Returns the letter of the answer; nil without a terminal to ask on, or for any other answer.
    static func choice(_ question: String, of letters: Set<Character>) -> Character? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        StandardError.write(part: Sanitizer.visible(question))
        return answer?.first.flatMap { letters.contains($0) ? $0 : nil }
    }

    /// The typed line in lower case; nil if the input ends, which leaves the question without a line end.
    private static var answer: String? {
        guard let line = readLine() else {
            StandardError.write(part: "\n")
            return nil
        }
        return line.trimmingCharacters(in: .whitespaces).lowercased()
    }
}
