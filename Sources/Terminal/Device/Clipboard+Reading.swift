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

extension EventLoop {
    /// Reads the clipboard nearest to the user and passes its text to `told`; nil if it cannot be read, is empty, or is
    /// not text.
    ///
    /// The programs run beside the loop, one after the other, each with a deadline. While a copy is still running, the
    /// clipboard does not hold yet what the user copied last, and nothing is read.
    public func readClipboard(_ name: ClipboardName, told: @escaping @MainActor (String?) -> Void) {
        guard clipboardRun == nil else { return told(nil) }
        tryReading(device.clipboardReaders(name)[...], told)
    }

    private func tryReading(_ programs: ArraySlice<Command>, _ told: @escaping @MainActor (String?) -> Void) {
        guard let program = programs.first else { return told(nil) }
        _ = program.runInBackground(deadline: clipboardReadDeadline) { [mailbox, weak self] result in
            mailbox.post {
                guard let self else { return }
                guard let result, result.isSuccess, !result.output.isEmpty else {
                    return self.tryReading(programs.dropFirst(), told)
                }
                // The clipboard holds a picture, or a text that is too long. A program that answers after this one
                // would only give an older text, so none is asked.
                let text = result.isCut ? nil : String(validating: result.output, as: UTF8.self)
                told(text?.withPlainLineBreaks)
            }
        }
    }
}

extension String {
    /// The text with every CR and CR LF turned into LF, as in a paste.
    fileprivate var withPlainLineBreaks: String {
        guard utf8.contains(0x0D) else { return self }
        return replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }
}
