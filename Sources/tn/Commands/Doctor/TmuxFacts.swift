import Interface
import Processes

/// What tmux is asked when the program runs in it.
enum TmuxFacts {
    /// tmux answers within milliseconds; a server that hangs does not keep doctor from the rest.
    private static let deadline = Duration.seconds(2)
    /// Milliseconds; a key that begins with ESC arrives whole within this time, and no hand presses two keys in it.
    private static let longestEscapeTime = 50

    /// How long tmux waits after ESC for the rest of a key, in words; nil outside of tmux, or where it does not say.
    static var escapeTime: (isWell: Bool, words: String)? {
        let environment = Configuration.processEnvironment
        guard environment["TMUX"]?.isEmpty == false,
            let path = Command.path(of: "tmux", in: environment["PATH"] ?? "")
        else { return nil }
        var command = Command(path: path, words: ["tmux", "show", "-sv", "escape-time"])
        command.output = .collected(limit: 64)
        // A tmux that cannot be asked is no fault of the notebook's.
        guard let result = try? command.run(deadline: deadline), result.isSuccess  // no tmux that answers
        else { return nil }
        return finding(of: String(decoding: result.output, as: UTF8.self))
    }

    static func finding(of answer: String) -> (isWell: Bool, words: String)? {
        guard let milliseconds = Int(answer.filter { !$0.isWhitespace }) else { return nil }
        let isWell = milliseconds <= longestEscapeTime
        return (isWell, DoctorTexts.escapeTime(milliseconds, isWell: isWell))
    }
}
