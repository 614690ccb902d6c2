import Processes

/// The clipboard of the desktop to read.
public enum ClipboardName: Sendable {
    /// The text that was cut or copied.
    case copied
    /// The text selected with the mouse, where the desktop keeps it apart; elsewhere the copied text.
    case selected
}

extension TerminalDevice {
    /// The programs that print the clipboard's text, the best first.
    ///
    /// Over SSH they would print another machine's clipboard, so only tmux is asked there.
    func clipboardReaders(_ name: ClipboardName) -> [Command] {
        var programs: [[String]] = []
        if !capabilities.isRemote {
            #if canImport(Darwin)
            programs.append(["pbpaste"])
            #else
            if options.environment["WAYLAND_DISPLAY"]?.isEmpty == false {
                programs.append(["wl-paste", "--no-newline"] + (name == .selected ? ["--primary"] : []))
            }
            if options.environment["DISPLAY"]?.isEmpty == false {
                let isSelected = name == .selected
                programs.append(["xclip", "-selection", isSelected ? "primary" : "clipboard", "-o"])
                programs.append(["xsel", isSelected ? "--primary" : "--clipboard", "--output"])
            }
            #endif
        }
        if capabilities.multiplexer == .tmux { programs.append(["tmux", "save-buffer", "-"]) }
        return programs.compactMap { words in
            Command.path(of: words[0], in: options.environment["PATH"] ?? "").map { path in
                var command = Command(path: path, words: words)
                command.output = .collected(limit: TerminalDevice.maximumPaste)
                return command
            }
        }
    }

    /// The longest text that is taken from a clipboard, in bytes.
    static let maximumPaste = 16 << 20
}

/// A query for the terminal's clipboard that has no answer yet.
struct ClipboardQuery {
    let completion: @MainActor (String?) -> Void
    /// Ends the wait.
    var deadline: TimerID
}

extension EventLoop {
    /// Reads the clipboard nearest to the user and passes its text to `completion`; `nil` if it cannot be read, is
    /// empty, or is not text.
    ///
    /// The programs run beside the loop, one after the other, each with a deadline; where there is none, as over SSH,
    /// the terminal is asked. While a copy is still running, the clipboard does not hold yet what the user copied last,
    /// and nothing is read.
    public func readClipboard(_ name: ClipboardName, completion: @escaping @MainActor (String?) -> Void) {
        guard clipboard.run == nil else { return completion(nil) }
        let programs = device.clipboardReaders(name)
        if programs.isEmpty { return askTerminal(for: name, completion) }
        tryReading(programs[...], completion)
    }

    private func tryReading(_ programs: ArraySlice<Command>, _ completion: @escaping @MainActor (String?) -> Void) {
        guard let program = programs.first else { return completion(nil) }
        _ = program.runInBackground(deadline: clipboard.readDeadline) { [mailbox, weak self] result in
            mailbox.post {
                guard let self else { return }
                guard let result, result.isSuccess, !result.output.isEmpty else {
                    return self.tryReading(programs.dropFirst(), completion)
                }
                // The clipboard holds a picture, or a text that is too long. A program that answers after this one
                // would only give an older text, so none is asked.
                let text = result.isCut ? nil : String(validating: result.output, as: UTF8.self)
                completion(text?.withPlainLineBreaks)
            }
        }
    }

    // MARK: - The terminal's own clipboard

    /// Asks the terminal for its clipboard by OSC 52.
    ///
    /// Terminals answer in order, so the reply to the query sent after it shows that no clipboard can be read,
    /// and the terminal is not asked again. One that first asks the user answers later, and is waited for longer.
    private func askTerminal(for name: ClipboardName, _ completion: @escaping @MainActor (String?) -> Void) {
        guard device.canAskForClipboard, !clipboard.isRefused, clipboard.query == nil else { return completion(nil) }
        let patience = device.asksUserForClipboard ? clipboard.permissionDeadline : clipboard.readDeadline
        clipboard.query = ClipboardQuery(completion: completion, deadline: awaitClipboard(patience))
        decoder.configuration.clipboardLimit = TerminalDevice.maximumClipboardReply
        device.send(Array("\u{1B}]52;\(name == .selected ? "p" : "c");?\u{1B}\\".utf8))
        device.send(TerminalModes.attributesQuery)
    }

    /// Ends the wait after a time in which nothing of an answer has come; a long text takes longer on a slow line.
    ///
    /// - Parameter delay: the time to the next look; by default the whole patience.
    private func awaitClipboard(_ patience: Duration, after delay: Duration? = nil) -> TimerID {
        schedule(after: delay ?? patience) { [weak self] in
            guard let self else { return }
            if decoder.isReceivingClipboard {
                clipboard.query?.deadline = awaitClipboard(patience)
            } else if hasPendingInput {
                // The answer came in time if this process did not run in time to read it.
                clipboard.query?.deadline = awaitClipboard(patience, after: .zero)
            } else {
                clipboard.isRefused = true
                endClipboardQuery(with: nil)
            }
        }
    }

    /// Takes a reply that may answer the query for the clipboard; without one it is dropped.
    func receiveForClipboard(_ reply: TerminalReply) {
        guard clipboard.query != nil else { return }
        switch reply {
        case .clipboard(let bytes):
            let text = bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
            endClipboardQuery(with: text?.withPlainLineBreaks)
        case .attributes where !device.asksUserForClipboard:
            clipboard.isRefused = true
            endClipboardQuery(with: nil)
        default: break
        }
    }

    private func endClipboardQuery(with text: String?) {
        guard let query = clipboard.query else { return }
        clipboard.query = nil
        cancel(query.deadline)
        decoder.configuration.clipboardLimit = 0
        query.completion(text)
    }
}

extension TerminalDevice {
    /// The longest reply with a clipboard, in bytes of base64: a text of 3 MB.
    static let maximumClipboardReply = 4 << 20

    /// Whether a query for the clipboard reaches the user's terminal; multiplexers have a clipboard of their own.
    var canAskForClipboard: Bool {
        capabilities.canWriteClipboard && capabilities.isProbed && capabilities.multiplexer == .none
    }

    /// Whether the terminal asks the user before it gives its clipboard away, as kitty and Ghostty do by default.
    var asksUserForClipboard: Bool {
        let name = capabilities.version?.lowercased() ?? ""
        return name.hasPrefix("kitty(") || name.hasPrefix("ghostty ")
    }
}

extension String {
    /// The text with every CR and CR LF turned into LF, as in a paste.
    fileprivate var withPlainLineBreaks: String {
        guard utf8.contains(0x0D) else { return self }
        return replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }
}
