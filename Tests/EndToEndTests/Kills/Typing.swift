import SeededRandom
import TerminalDriver

/// All screens so far, in order.
struct FrameHistory {
    private(set) var frames: [TerminalScreen] = []

    mutating func append(_ screen: TerminalScreen) { frames.append(screen) }
}

/// Types numbered words, undoes some, pastes some, and records every text that the note has had.
struct Typing {
    /// The text after each key, in order.
    private(set) var states = ["", "Proof", "Proof\n"]
    private var text = "Proof\n"
    private var words = 0
    private var waiting: [UInt8] = []
    /// One in this many steps is a paste.
    private let pasteShare: Int

    init(pasteShare: Int) {
        self.pasteShare = pasteShare
    }

    /// The last word of the paste just sent; the next key must not be sent before it is on screen.
    ///
    /// Input within a few milliseconds of a paste's end may belong to the paste, because a text can contain the bytes
    /// of the end.
    private(set) var awaited: String?

    /// Whether the text now has a whole word.
    var hasWord: Bool { !Self.words(of: text).isEmpty }

    /// Returns the bytes of the next key or paste.
    mutating func step(_ chance: inout SeededGenerator) -> [UInt8] {
        awaited = nil
        if waiting.isEmpty { plan(&chance) }
        if waiting.first == 0x1B {
            defer { waiting = [] }
            awaited = "w\(10_000 + words)"
            return waiting
        }
        let byte = waiting.removeFirst()
        if byte == 0x7F {
            text.removeLast()
        } else {
            text.append(byte == 0x0D ? "\n" : Character(Unicode.Scalar(byte)))
        }
        states.append(text)
        return [byte]
    }

    private mutating func plan(_ chance: inout SeededGenerator) {
        if chance.number(in: 1...pasteShare) == 1 { return paste(&chance) }
        switch chance.number(in: 0...10) {
        case 0: waiting = [0x0D]
        case 1 where text.utf8.count > 40:
            waiting = Array(repeating: 0x7F, count: chance.number(in: 1...25))
        default: waiting = Array((word() + " ").utf8)
        }
    }

    private mutating func paste(_ chance: inout SeededGenerator) {
        let pasted = (0..<chance.number(in: 2...40)).map { _ in word() }.joined(separator: " ") + " "
        waiting = Array("\u{1B}[200~\(pasted)\u{1B}[201~".utf8)
        text += pasted
        states.append(text)
    }

    private mutating func word() -> String {
        words += 1
        return "w\(10_000 + words)"
    }

    /// Returns the state that the frames have certainly reached.
    func stateShown(by frames: [TerminalScreen]) -> Int {
        // The words of each state, computed on first use.
        var tokens: [[Substring]?] = Array(repeating: nil, count: states.count)
        func words(_ state: Int) -> [Substring] {
            if tokens[state] == nil { tokens[state] = Self.words(of: states[state]) }
            return tokens[state] ?? []
        }
        var (state, last) = (0, [Substring]())
        for frame in frames {
            let shown = Self.words(of: frame.lines.dropLast().joined(separator: "\n"))
            guard !shown.isEmpty, shown != last else { continue }
            last = shown
            let next = states.indices[state...].first { words($0).suffix(shown.count).elementsEqual(shown) }
            // A frame that shows no state at all is found by the test of the screen.
            if let next { state = next }
        }
        return state
    }

    /// Returns the whole words of a text, in order.
    private static func words(of text: String) -> [Substring] {
        text.split { !($0.isNumber || $0.isLetter) }.filter { $0.count == 6 && $0.first == "w" }
    }
}
