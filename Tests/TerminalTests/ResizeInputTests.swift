import TerminalDriver
import Testing

@testable import Terminal

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Tests that a resize between any two bytes of the input changes nothing of what was typed.
extension EventLoopTests {
    /// Keys, text of several bytes, sequences, a click and a paste, which ends the loop: keys right after a paste belong
    /// to it.
    private static let script =
        "aé日👩‍🌾\r\t\u{1B}[A\u{1B}[1;5C\u{1B}OP\u{1B}x\u{1B}[<0;3;4M\u{1B}[<0;3;4m\u{1B}[200~p\ré\u{1B}[201~"

    private static let never = Duration.seconds(10_000)

    /// Types the script and resizes the terminal after the given numbers of bytes; returns the other events and the
    /// number of resizes.
    private func events(resizingAfter cuts: [Int]) throws -> (typed: [InputEvent], resizes: Int) {
        let bytes = Array(Self.script.utf8)
        let loop = try makeLoop {
            $0.probes = false
            $0.escapeTimeout = Self.never
        }
        // No pause of a busy machine may end a character or a sequence.
        loop.decoder.configuration.sequenceTimeout = Self.never
        loop.decoder.configuration.characterTimeout = Self.never
        loop.decoder.configuration.burstIsPaste = false
        loop.schedule(after: .seconds(600)) { loop.stop(.quit(status: 1)) }
        let recorder = Recorder()
        var pieces = (cuts + [bytes.count])[...]
        var (begun, read, turn) = (0, 0, 0)
        func typeNext() {
            guard let end = pieces.popFirst() else { return }
            terminal.type(bytes: bytes[begun..<end])
            begun = end
        }
        loop.onInput = { [terminal] bytes in
            read += bytes.count
            guard read == begun, !pieces.isEmpty else { return }
            turn += 1
            terminal.setSize(columns: 30 + turn % 50, rows: 5 + turn % 20)
            raise(SIGWINCH)
            typeNext()
        }
        recorder.beforeFrame = { recorder in if recorder.frames == 1 { typeNext() } }
        recorder.onEvents = { recorder in
            if recorder.events.contains(where: \.isPaste) { loop.stop(.quit(status: 0)) }
        }
        try loop.run(recorder)
        let typed = recorder.events.filter { !$0.isResize && !$0.isPasteStatus }
        return (typed, recorder.events.count { $0.isResize })
    }

    @Test func `a resize at each byte of what is typed leaves every key, click and paste as it is`() throws {
        let whole = try events(resizingAfter: [])
        #expect(whole.resizes == 0 && whole.typed.count > 8 && whole.typed.contains(where: \.isPaste))
        let count = Self.script.utf8.count
        for place in 1..<count {
            let cut = try events(resizingAfter: [place])
            #expect(cut.typed == whole.typed, "after byte \(place)")
            #expect(cut.resizes > 0, "after byte \(place)")
        }
        let all = try events(resizingAfter: Array(1..<count))
        #expect(all.typed == whole.typed && all.resizes > 0)
    }
}

extension InputEvent {
    fileprivate var isResize: Bool {
        if case .resized = self { true } else { false }
    }

    fileprivate var isPasteStatus: Bool {
        if case .pasteStatus = self { true } else { false }
    }

    fileprivate var isPaste: Bool {
        if case .paste = self { true } else { false }
    }
}
