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
}
