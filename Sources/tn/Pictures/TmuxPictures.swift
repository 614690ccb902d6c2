import Interface
import Processes
import Terminal

/// The facts about the terminal around tmux on which pictures depend.
struct TmuxPictures: Equatable, Sendable {
    /// The process of tmux's client, which stands for the terminal; empty while nobody is attached.
    ///
    /// A terminal that is attached later has none of the pictures that were sent to another one.
    var client = ""
    /// Whether the terminal draws pictures, and tmux passes them on to it.
    var arePassedOn = false
    /// The size of a cell in pixels; nil where tmux does not know it.
    var cell: Capabilities.CellPixels?
    /// Whether tmux passes on all colours, as it finds out by itself where nothing in the environment says so.
    var hasAllColors = false
    /// Whether the terminal has told tmux its name; right after it was attached it has not.
    var isNamed = false

    /// tmux answers within milliseconds, but on a busy machine it takes seconds to start its client.
    ///
    /// Nobody waits for the answer: until it comes, and where tmux hangs, pictures are half blocks.
    private static let deadline = Duration.seconds(20)

    private static let question =
        "#{client_pid}|#{client_cell_width}|#{client_cell_height}|#{allow-passthrough}|#{client_termfeatures}"
        + "|#{client_termtype}"

    /// Asks the tmux that the program runs in; nil outside of it.
    ///
    /// It waits for another program, for as long as `deadline` says.
    static func ask(
        in environment: [String: String] = Configuration.processEnvironment, deadline: Duration = deadline
    ) -> TmuxPictures? {
        guard environment["TMUX"]?.isEmpty == false,
            let path = Command.path(of: "tmux", in: environment["PATH"] ?? "")
        else { return nil }
        var command = Command(path: path, words: ["tmux", "display-message", "-p", question])
        command.output = .collected(limit: 256)
        // A tmux that does not answer is taken for one that passes no pictures on.
        guard let result = try? command.run(deadline: deadline), result.isSuccess else { return TmuxPictures() }
        return TmuxPictures(String(decoding: result.output, as: UTF8.self))
    }
}

extension TmuxPictures {
    /// Reads the answer: `4711|10|21|on|256,RGB|kitty(0.41.1)`; older ones write a number for the option.
    ///
    /// What tmux does not know is empty.
    init(_ answer: String) {
        let parts = answer.prefix { !$0.isNewline }
            .split(separator: "|", maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 6 else { return }
        client = String(parts[0])
        if let width = Int(parts[1]), let height = Int(parts[2]) {
            cell = Capabilities.CellPixels(told: width, by: height)
        }
        hasAllColors = parts[4].split(separator: ",").contains("RGB")
        isNamed = !parts[5].isEmpty
        arePassedOn = ["on", "all", "1", "2"].contains(parts[3]) && Probe.drawsPictures(parts[5].lowercased())
    }
}
