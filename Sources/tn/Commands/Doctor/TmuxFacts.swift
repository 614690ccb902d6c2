import Interface
import Processes

/// Queries tmux when the program runs in it.
enum TmuxFacts {
    /// The time limit of a query.
    ///
    /// tmux answers within milliseconds, on a busy machine within seconds; a server that hangs must not block the other
    /// checks for ever.
    private static let deadline = Duration.seconds(10)
    /// The longest harmless escape time, in milliseconds.
    ///
    /// A key that begins with ESC arrives completely within this time, and nobody presses two keys within it.
    private static let maximumEscapeTime = 50

    /// The time that tmux waits after ESC for the rest of a key, in words, or that tmux did not answer; nil outside tmux
    /// or if tmux has no such option.
    static var escapeTime: (isWell: Bool, words: String)? {
        let environment = Configuration.processEnvironment
        guard environment["TMUX"]?.isEmpty == false,
            let path = Command.path(of: "tmux", in: environment["PATH"] ?? "")
        else { return nil }
        var command = Command(path: path, words: ["tmux", "show", "-sv", "escape-time"])
        command.output = .collected(limit: 64)
        // A tmux that cannot be queried is not a fault of the notebook.
        guard let result = try? command.run(deadline: deadline) else { return nil }  // tmux cannot be started
        guard !result.isStopped else { return (true, DoctorTexts.silentTmux) }
        guard result.isSuccess else { return nil }
        return finding(of: String(decoding: result.output, as: UTF8.self))
    }

    static func finding(of answer: String) -> (isWell: Bool, words: String)? {
        guard let milliseconds = Int(answer.filter { !$0.isWhitespace }) else { return nil }
        let isWell = milliseconds <= maximumEscapeTime
        return (isWell, DoctorTexts.escapeTime(milliseconds, isWell: isWell))
    }
}
