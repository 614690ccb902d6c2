import Foundation
import Processes
import Sync
import SystemPackage
import Terminal

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Asks for a passphrase at the terminal, which does not show what is typed.
enum PassphrasePrompt {
    /// - Parameter stop: a handle that ends the question; with it, the caller has taken the signals that end a program.
    /// - Returns: the passphrase; nil if nothing was typed.
    static func ask(_ purpose: PassphraseSource.Purpose, until stop: CommandStop? = nil) throws -> String? {
        switch purpose {
        case .open: return try ask(Texts.passphrase, stop)
        case .renew: return try ask(Texts.renewedPassphrase, stop)
        case .choose:
            guard let first = try ask(Texts.newPassphrase, stop) else { return nil }
            guard try ask(Texts.samePassphrase, stop) == first else {
                throw Failure(Texts.differentPassphrases, status: .usage)
            }
            return first
        }
    }

    private static func ask(_ question: String, _ stop: CommandStop?) throws -> String? {
        try StandardOutput.flush()
        // The user may type as soon as the question is visible, so echo must be off by then, and nothing may be
        // discarded later.
        guard let terminal = SilentTerminal(stop: stop) else { return nil }
        StandardError.write(part: question)
        defer {
            terminal.restore()
            StandardError.write(part: "\n")
        }
        var line = PassphraseLine(backspaceIsControlH: terminal.backspaceIsControlH)
        while true {
            guard let bytes = try terminal.read(until: line.deadline) else {
                throw Failure(Texts.noPassphrase, status: .stopped)
            }
            switch line.take(bytes, at: .now) {
            case .goOn(let isRefused): if isRefused { StandardError.write(part: "\u{7}") }
            case .done(let text): return text.isEmpty ? nil : text
            case .stopped: throw Failure(Texts.noPassphrase, status: .stopped)
            }
        }
    }
}

/// A line that is typed without being shown; keys other than letters and editing keys leave nothing in it.
struct PassphraseLine {
    enum Outcome {
        /// The line is not finished; `isRefused` tells whether a key had no meaning here.
        case goOn(isRefused: Bool)
        case done(String)
        case stopped
    }

    private var text = ""
    private var decoder: InputDecoder

    /// - Parameter backspaceIsControlH: whether the Backspace key sends 0x08.
    init(backspaceIsControlH: Bool) {
        var configuration = InputDecoder.Configuration()
        configuration.backspaceIsControlH = backspaceIsControlH
        decoder = InputDecoder(configuration: configuration)
    }

    /// The time at which `take` must be called even without bytes; nil if no key is incomplete.
    var deadline: Timestamp? { decoder.deadline }

    /// Takes the bytes of keys; none if the time for the rest of a key is over.
    mutating func take(_ bytes: [UInt8], at now: Timestamp) -> Outcome {
        var events: [InputEvent] = []
        if bytes.isEmpty { decoder.expire(at: now, into: &events) }
        decoder.decode(bytes, at: now, into: &events)
        var isRefused = false
        for event in events {
            switch event {
            case .key(let key):
                if let end = end(key) { return end }
                if key.phase != .release, !edit(key) { isRefused = true }
            case .paste(let pasted):
                // A copied line usually includes its line end.
                if !add(pasted.hasSuffix("\n") ? String(pasted.dropLast()) : pasted) { isRefused = true }
            default: break
            }
        }
        return .goOn(isRefused: isRefused)
    }

    /// Returns the outcome of a key that ends the line; nil for any other key.
    private func end(_ key: KeyPress) -> Outcome? {
        switch (key.key, key.modifiers) {
        case (.enter, []), (.keypad(.enter), []), (.character("j"), .control): .done(text)
        case (.character("c"), .control), (.character("\\"), .control): .stopped
        case (.character("d"), .control) where text.isEmpty: .stopped
        default: nil
        }
    }

    /// Changes the line by a key; false if the key has no meaning here.
    private mutating func edit(_ key: KeyPress) -> Bool {
        switch (key.key, key.modifiers) {
        case (.backspace, []), (.backspace, .shift), (.character("h"), .control): text = String(text.dropLast())
        case (.character("u"), .control): text = ""
        case (.character("w"), .control), (.backspace, .control), (.backspace, .alt):
            while text.last?.isWhitespace == true { text.removeLast() }
            while text.last?.isWhitespace == false { text.removeLast() }
        default:
            guard key.modifiers.isSubset(of: .shift), let typed = key.text else { return false }
            return add(typed)
        }
        return true
    }

    /// Adds text; false for characters that nobody could type again: control characters, and bytes that are not letters.
    private mutating func add(_ typed: String) -> Bool {
        let isPlain = typed.unicodeScalars.allSatisfy {
            $0.properties.generalCategory != .control && $0 != "\u{FFFD}" && $0 != "\u{2028}" && $0 != "\u{2029}"
        }
        if isPlain { text += typed }
        return isPlain
    }
}

/// The terminal while it does not show typed characters and sends each key at once, including Ctrl-C.
private struct SilentTerminal {
    private let before: termios
    private let handlers: [(number: Int32, before: sigaction)]
    private let stop: CommandStop?
    /// The time between two looks at `stop`, in milliseconds.
    private static let interval: Int32 = 50

    /// Nil if there is no terminal.
    init?(stop: CommandStop?) {
        self.stop = stop
        var present = termios()
        guard tcgetattr(STDIN_FILENO, &present) == 0 else { return nil }
        (before, settingsBefore) = (present, present)
        // A caller that ignores a signal wants it to stay ignored.
        let signals = stop == nil ? [SIGINT, SIGTERM, SIGHUP, SIGQUIT] : [SIGQUIT]
        handlers = signals.filter { !StopSignal.isIgnored($0) }.map { number in
            var old = sigaction()
            sigaction(number, nil, &old)
            signal(number, endSilence)
            return (number, old)
        }
        var silent = present
        silent.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        silent.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | ISTRIP)
        withUnsafeMutableBytes(of: &silent.c_cc) { ($0[Int(VMIN)], $0[Int(VTIME)]) = (1, 0) }
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else {
            restoreHandlers()
            return nil
        }
    }

    var backspaceIsControlH: Bool {
        var settings = before
        return withUnsafeBytes(of: &settings.c_cc) { $0[Int(VERASE)] == 8 }
    }

    /// Restores the settings, and discards typed characters so that the next program does not read them.
    func restore() {
        var before = before
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
        restoreHandlers()
    }

    private func restoreHandlers() {
        for handler in handlers {
            var before = handler.before
            sigaction(handler.number, &before, nil)
        }
    }

    /// Reads the bytes of the next keys; empty once the deadline has passed, nil if there is no keyboard any more.
    ///
    /// - Throws: `GitError.stopped` once it is to stop.
    func read(until deadline: Timestamp?) throws -> [UInt8]? {
        while true {
            if stop?.isRequested == true { throw GitError.stopped }
            let wait = deadline.map { Int32($0.since(.now) / .milliseconds(1) + 1) } ?? -1
            var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let count = poll(&entry, 1, stop == nil || 0..<Self.interval ~= wait ? wait : Self.interval)
            if count < 0, errno == EINTR { continue }
            if count == 0 {
                if let deadline, deadline <= .now { return [] }
                continue
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            do {
                let count = try buffer.withUnsafeMutableBytes { try FileDescriptor.standardInput.read(into: $0) }
                return count > 0 ? Array(buffer[..<count]) : nil
            } catch Errno.interrupted {
                continue
            } catch {
                return nil
            }
        }
    }
}

/// The terminal's settings before a passphrase was asked for.
private nonisolated(unsafe) var settingsBefore = termios()  // set before the handler is

/// Restores the terminal's settings when a signal ends the program.
private func endSilence(_ number: Int32) {
    // If a shell has taken the terminal back, this process must not be stopped now.
    signal(SIGTTOU, SIG_IGN)
    // The rest of a passphrase must not be left for the shell to run.
    tcflush(STDIN_FILENO, TCIFLUSH)
    tcsetattr(STDIN_FILENO, TCSANOW, &settingsBefore)
    var line = UInt8(ascii: "\n")
    _ = write(STDERR_FILENO, &line, 1)
    signal(number, SIG_DFL)
    raise(number)
}
