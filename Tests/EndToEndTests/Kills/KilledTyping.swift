import SeededRandom
import TerminalDriver

/// Types into a new note in each life, undoes some of it, and pastes.
struct KilledTyping: KilledWork {
    private let pasteShare: Int
    /// The number of keys sent at once.
    private let burst: Int
    private var typing = Typing(pasteShare: 12)

    init(_ workplace: Workplace, pastes: Bool) { (pasteShare, burst) = (pastes ? 2 : 12, 1) }

    /// Types keys in bursts, as a program does.
    init(_ workplace: Workplace, burst: Int) { (pasteShare, self.burst) = (1_000_000, burst) }

    var isFoundByRestart: Bool { true }
    /// The query for the number of notes, and the newest one's text.
    var question: String {
        """
        SELECT count(*) FROM note;
        SELECT '<' || replace(text, char(10), '/') || '>' FROM note_text ORDER BY note DESC LIMIT 1;
        """
    }

    mutating func live(_ life: KilledLife, _ chance: inout SeededGenerator) throws {
        let terminal = life.terminal
        typing = Typing(pasteShare: pasteShare)
        try terminal.send("n")
        try terminal.wait(for: "New Note")
        try terminal.send("Proof\r")
        // When zoomed, only the editor is drawn, so that the comparison sees only the text.
        try terminal.send("\u{1B}[21~")
        try terminal.wait(for: "the title alone") {
            $0.contains("Proof") && !$0.contains("│")
        }
        // The previous life's note has the same words, and was on screen at the start.
        life.forgetFrames()
        let end = PseudoTerminal.now + UInt64(chance.number(in: 20...800)) * 1_000_000
        // Without a whole word on screen nothing can be compared.
        while PseudoTerminal.now < end || !typing.hasWord {
            var keys: [UInt8] = []
            for _ in 0..<burst { keys += typing.step(&chance) }
            try terminal.send(keys)
            let pause = chance.number(in: 0...9) == 0 ? chance.number(in: 50...600) : chance.number(in: 0...12)
            let left = Int((end - min(end, PseudoTerminal.now)) / 1_000_000)
            try life.linger(milliseconds: min(pause, left))
            while let word = typing.awaited, !terminal.screen.contains(word), PseudoTerminal.now < end {
                try life.linger(milliseconds: 1)
            }
        }
    }

    func wasSeen(in life: KilledLife) -> Bool { typing.stateShown(by: life.shown) > 2 }

    func fault(in answer: [Substring], after life: KilledLife) -> String? {
        guard answer.count == 2, answer[0] == "\(life.number + 1)" else { return "\(answer) after \(life.number + 1)" }
        let text = answer[1].dropFirst().dropLast().replacing("/", with: "\n")
        let shown = typing.stateShown(by: life.shown)
        guard let found = typing.states.lastIndex(of: String(text)) else {
            return "a text that was never typed: \(text.debugDescription)\nwanted \(typing.states[shown])"
        }
        return found >= shown
            ? nil : "shown was state \(shown) of \(typing.states.count), found only \(found): \(text.debugDescription)"
    }
}
