#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where a copied text went, so that the user can be told.
public enum ClipboardOutcome: Equatable, Sendable {
    /// A program of this machine took it: its name.
    case tool(String)
    /// tmux keeps it, and passes it to its terminal if that is allowed.
    case tmux
    /// The terminal was asked by OSC 52; whether it took it is not known.
    case terminal
    /// Nothing was copied: the text is larger than terminals take, in bytes.
    case tooLarge(limit: Int)
    /// Nothing was copied: there is no way from here.
    case unavailable
}

extension TerminalDevice {
    /// Longest text for OSC 52, in bytes: 100,000 when encoded, which is what terminals are known to take.
    static let longestClipboard = 74_994

    /// Copies text to the clipboard that is nearest to the user.
    ///
    /// Over SSH a clipboard program would reach the wrong machine, so there the terminal, or tmux, is asked. Waits for
    /// the program that takes the text: some milliseconds.
    public func copyToClipboard(_ text: String) -> ClipboardOutcome {
        if !capabilities.isRemote, let tool = clipboardTool, run(tool, input: text) { return .tool(tool[0]) }
        guard text.utf8.count <= TerminalDevice.longestClipboard else {
            return .tooLarge(limit: TerminalDevice.longestClipboard)
        }
        // tmux 3.3 drops OSC 52 of programs unless it is configured; its own command always works.
        if capabilities.multiplexer == .tmux, run(["tmux", "load-buffer", "-w", "-"], input: text) { return .tmux }
        guard capabilities.canWriteClipboard else { return .unavailable }
        send(TerminalDevice.clipboardBytes(text, in: capabilities.multiplexer))
        return .terminal
    }

    /// OSC 52, in the envelope that a multiplexer asks for.
    static func clipboardBytes(_ text: String, in multiplexer: Capabilities.Multiplexer) -> [UInt8] {
        let start = Array("\u{1B}]52;c;".utf8)
        let encoded = base64(Array(text.utf8))
        switch multiplexer {
        case .none: return start + encoded + ControlBytes.stringTerminator
        case .tmux:
            // Every ESC inside is doubled.
            return Array("\u{1B}Ptmux;\u{1B}".utf8) + start + encoded + [0x07] + ControlBytes.stringTerminator
        case .screen:
            // screen takes strings of 768 bytes; it passes them on one after the other.
            let whole = start + encoded + [0x07]
            var bytes: [UInt8] = []
            for place in stride(from: 0, to: whole.count, by: 760) {
                bytes += [0x1B, UInt8(ascii: "P")] + whole[place..<min(place + 760, whole.count)]
                bytes += ControlBytes.stringTerminator
            }
            return bytes
        }
    }

    static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            bits <<= 8
            for index in 0..<4 {
                output.append(index <= group.count ? alphabet[Int(bits >> 26)] : UInt8(ascii: "="))
                bits <<= 6
            }
        }
        return output
    }

    // MARK: - Programs

    /// The clipboard program of the desktop that this runs on, with its arguments.
    private var clipboardTool: [String]? {
        #if canImport(Darwin)
        let candidates = [["pbcopy"]]
        #else
        var candidates: [[String]] = []
        if options.environment["WAYLAND_DISPLAY"]?.isEmpty == false { candidates.append(["wl-copy"]) }
        if options.environment["DISPLAY"]?.isEmpty == false {
            candidates += [["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"]]
        }
        #endif
        return candidates.first { path(of: $0[0]) != nil }
    }

    private func path(of program: String) -> String? {
        (options.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(program)" }
            .first { access($0, X_OK) == 0 }
    }

    /// Runs a program with `input` as its standard input, and nothing of ours besides; true when it succeeds.
    private func run(_ command: [String], input: String) -> Bool {
        guard let path = path(of: command[0]) else { return false }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child = try? ChildProcess.start(path, command, .quiet(input: ends[0]))  // then the next way is taken
        close(ends[0])
        if child != nil { write(Array(input.utf8), to: ends[1]) }
        close(ends[1])
        return child?.wait() == .exited(status: 0)
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                #if canImport(Glibc)
                Glibc.write(descriptor, buffer.baseAddress?.advanced(by: sent), bytes.count - sent)
                #else
                Darwin.write(descriptor, buffer.baseAddress?.advanced(by: sent), bytes.count - sent)
                #endif
            }
            if count > 0 { sent += count } else if errno != EINTR { return }
        }
    }
}
