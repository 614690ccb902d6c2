import Processes
import TextPrimitives

/// The destination of a copied text, or the reason why it was not copied; used to tell the user.
public enum ClipboardOutcome: Equatable, Sendable {
    /// A program on this machine took it; the program's name.
    case tool(String)
    /// tmux keeps it, and passes it to its terminal if configured to.
    case tmux
    /// The terminal was asked by OSC 52; whether it took the text is not known.
    case terminal
    /// Nothing was copied: the text is larger than the limit of terminals, in bytes.
    case tooLarge(limit: Int)
    /// Nothing was copied: the named programs failed or did not answer, and there is no other way.
    case refused(by: [String])
    /// Nothing was copied: no program or terminal is known that takes text for a clipboard.
    case unavailable
}

extension TerminalDevice {
    /// The longest text for OSC 52, in bytes: 100,000 when encoded, which terminals are known to accept.
    static let maximumClipboardLength = 74_994

    /// The programs to try for a text, the best first.
    ///
    /// Over SSH a clipboard program would reach the wrong machine, so the terminal or tmux is asked there.
    func clipboardPrograms(for text: String) -> [ClipboardProgram] {
        var programs: [ClipboardProgram] = []
        if !capabilities.isRemote, let tool = clipboardTool { programs.append(ClipboardProgram(tool, takes: text)) }
        // tmux 3.3 drops OSC 52 from programs unless it is configured; its own command always works.
        if capabilities.multiplexer == .tmux, text.utf8.count <= TerminalDevice.maximumClipboardLength,
            let tmux = path(of: "tmux")
        {
            let words = ["tmux", "load-buffer", "-w", "-"]
            programs.append(ClipboardProgram((tmux, words), takes: text, isTmux: true))
        }
        return programs
    }

    /// Asks the terminal to take a text that no program has taken.
    func copyByTerminal(_ text: String, afterTrying programs: [ClipboardProgram]) -> ClipboardOutcome {
        guard text.utf8.count <= TerminalDevice.maximumClipboardLength else {
            return .tooLarge(limit: TerminalDevice.maximumClipboardLength)
        }
        guard capabilities.canWriteClipboard else {
            return programs.isEmpty ? .unavailable : .refused(by: programs.map(\.name))
        }
        send(TerminalDevice.clipboardBytes(text, in: capabilities.multiplexer))
        return .terminal
    }

    /// The bytes of OSC 52 for a text, wrapped as the multiplexer requires.
    static func clipboardBytes(_ text: String, in multiplexer: Capabilities.Multiplexer) -> [UInt8] {
        let start = Array("\u{1B}]52;c;".utf8)
        let encoded = Base64.encoded(Array(text.utf8))
        switch multiplexer {
        case .none: return start + encoded + ControlBytes.stringTerminator
        case .tmux:
            // Every ESC inside is doubled.
            return Array("\u{1B}Ptmux;\u{1B}".utf8) + start + encoded + [0x07] + ControlBytes.stringTerminator
        case .screen:
            // screen takes strings of at most 768 bytes and passes them on one after another.
            let whole = start + encoded + [0x07]
            var bytes: [UInt8] = []
            for offset in stride(from: 0, to: whole.count, by: 760) {
                bytes += [0x1B, UInt8(ascii: "P")] + whole[offset..<min(offset + 760, whole.count)]
                bytes += ControlBytes.stringTerminator
            }
            return bytes
        }
    }

    // MARK: - Programs

    /// The clipboard program of this desktop: its path, and its name with the arguments.
    private var clipboardTool: (path: String, words: [String])? {
        #if canImport(Darwin)
        let candidates = [["pbcopy"]]
        #else
        var candidates: [[String]] = []
        if options.environment["WAYLAND_DISPLAY"]?.isEmpty == false { candidates.append(["wl-copy"]) }
        if options.environment["DISPLAY"]?.isEmpty == false {
            candidates += [["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"]]
        }
        #endif
        return candidates.lazy.compactMap { words in self.path(of: words[0]).map { ($0, words) } }.first
    }

    private func path(of program: String) -> String? {
        Command.path(of: program, in: options.environment["PATH"] ?? "")
    }
}

/// A program that takes a text for the clipboard.
struct ClipboardProgram: Sendable {
    let name: String
    let isTmux: Bool
    let command: Command

    init(_ program: (path: String, words: [String]), takes text: String, isTmux: Bool = false) {
        name = program.words[0]
        self.isTmux = isTmux
        var command = Command(path: program.path, words: program.words)
        command.input = .bytes(Array(text.utf8))
        self.command = command
    }
}

/// The copies to the clipboard, and the queries for it, that a loop has begun.
struct ClipboardWork {
    /// Stops the program that takes the last copy; nil if none runs.
    var run: CommandStop?
    /// The number of copies that were begun, by which an earlier one is told from the last.
    var copiesBegun = 0
    /// The time after which a program that takes a text is stopped.
    ///
    /// Such programs answer within milliseconds, though a busy machine takes seconds to start one; where the display
    /// server is gone they never do. Nothing waits for it.
    var copyDeadline = Duration.seconds(20)
    /// The time in which a program must print the clipboard's text, and the terminal begin to; the user can give up
    /// sooner.
    ///
    /// What was copied in this program is pasted afterwards, which may be another text.
    var readDeadline = Duration.seconds(5)
    /// The time for a user to answer whether the terminal may tell what is on the clipboard.
    var permissionDeadline = Duration.seconds(20)
    /// The query that the terminal has not answered yet.
    var query: ClipboardQuery?
    /// Whether the terminal did not answer a query for its clipboard, and is not asked again.
    var isRefused = false
}

extension EventLoop {
    /// Copies text to the clipboard nearest to the user, and passes the outcome to `completion` when it is known.
    ///
    /// A program that takes the text runs beside the loop, and is stopped if it does not end. A newer copy stops the
    /// running one, which then reports nothing.
    public func copyToClipboard(_ text: String, completion: @escaping @MainActor (ClipboardOutcome) -> Void) {
        clipboard.run?.stop()
        clipboard.run = nil
        clipboard.copiesBegun += 1
        tryClipboard(text, device.clipboardPrograms(for: text)[...], of: clipboard.copiesBegun, completion)
    }

    private func tryClipboard(
        _ text: String, _ programs: ArraySlice<ClipboardProgram>, of copy: Int,
        _ completion: @escaping @MainActor (ClipboardOutcome) -> Void
    ) {
        guard let program = programs.first else {
            return completion(device.copyByTerminal(text, afterTrying: device.clipboardPrograms(for: text)))
        }
        clipboard.run = program.command.runInBackground(deadline: clipboard.copyDeadline) {
            [mailbox, weak self] result in
            mailbox.post {
                guard let self, copy == self.clipboard.copiesBegun else { return }
                self.clipboard.run = nil
                guard result?.isSuccess == true else {
                    return self.tryClipboard(text, programs.dropFirst(), of: copy, completion)
                }
                completion(program.isTmux ? .tmux : .tool(program.name))
            }
        }
    }
}
