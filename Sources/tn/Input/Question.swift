import Foundation

/// Asks the user at the terminal a question; the safe answer is no.
enum Question {
    /// - Returns: whether the answer was yes.
    /// - Throws: `Failure` if there is no terminal to ask on.
    static func ask(_ question: String) throws -> Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw Failure.noAnswer(to: question)
        }
        try StandardOutput.flush()
        StandardError.write(part: Texts.question(question))
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
        return Texts.yes.contains(answer)
    }

    /// Returns the letter of the answer; nil without a terminal to ask on, or for any other answer.
    static func choice(_ question: String, of letters: Set<Character>) -> Character? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        StandardError.write(part: question)
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased().first
        return answer.flatMap { letters.contains($0) ? $0 : nil }
    }
}
