import Interface
import Processes
import Terminal

/// Asks tmux whether the terminal around it draws pictures, and whether it passes them on.
enum TmuxPictures {
    /// tmux answers within milliseconds; one that hangs leaves half blocks.
    private static let deadline = Duration.seconds(2)

    /// Whether pictures can be sent through tmux; nil outside of it.
    ///
    /// It waits for another program.
    static func arePassedOn() -> Bool? {
        let environment = Configuration.processEnvironment
        guard environment["TMUX"]?.isEmpty == false,
            let path = Command.path(of: "tmux", in: environment["PATH"] ?? "")
        else { return nil }
        let question = "#{allow-passthrough} #{client_termtype}"
        var command = Command(path: path, words: ["tmux", "display-message", "-p", question])
        command.output = .collected(limit: 256)
        // A tmux that does not answer passes nothing on.
        guard let result = try? command.run(deadline: deadline), result.isSuccess else { return false }
        return arePassedOn(String(decoding: result.output, as: UTF8.self))
    }

    /// Reads the answer: `on kitty(0.41.1)`; older ones write a number for the option.
    static func arePassedOn(_ answer: String) -> Bool {
        let parts = answer.lowercased().split(whereSeparator: \.isWhitespace)
        guard parts.count > 1, ["on", "all", "1", "2"].contains(parts[0]) else { return false }
        return Probe.drawsPictures(parts[1...].joined(separator: " "))
    }
}
