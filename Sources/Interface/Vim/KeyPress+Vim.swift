import ModalEditing
import Terminal

extension KeyPress {
    /// The keys of vim's that a press is; nil for one that the program keeps.
    ///
    /// Esc and a character that come together, as over a slow line, are Alt and the character by their bytes: they are two
    /// keys here, unless the terminal tells the one from the other. Alt with any other key is the program's.
    ///
    /// - Parameter tellsAlt: whether the terminal tells Esc and a letter from Alt and the letter.
    func vimKeys(in machine: VimMachine, tellsAlt: Bool) -> [VimKey]? {
        if let text = typedText { return text.map { .character($0) } }
        guard let chord = fixedChord else { return nil }
        switch (chord.key, chord.modifiers) {
        case (.character("["), .control), (.escape, _): return [.escape]
        case (.character(let letter), .control):
            return Self.controls(in: machine).contains(letter) ? [.control(letter)] : nil
        case (.character(let letter), .alt) where !tellsAlt && !Self.panes.contains(letter):
            guard case .character(let typed) = key else { return [.escape, .character(letter)] }
            return [.escape, .character(typed)]
        case (.backspace, .shift): return [.backspace]
        case (let key, []): return VimKey(key).map { [$0] }
        default: return nil
        }
    }

    /// The digits that show panes or lead to them with Alt; 0 is a motion, which hands type right after Esc.
    private static let panes: Set<Character> = ["1", "2", "3", "4", "5"]

    /// The letters that vim has with Control; the others stay the program's.
    private static func controls(in machine: VimMachine) -> String {
        switch machine.mode {
        case .normal where machine.isIdle: "abdefhijmoruvwxy]"
        case .normal, .visual, .visualLine, .visualBlock: "abcdefhijmoruvwxy]"
        // Those without a meaning while typing are taken all the same: a cut would be a nasty surprise.
        case .insert, .replace: "abcdehijmortuwxy"
        case .commandLine: "bcehjmnpruw"
        }
    }
}

extension VimKey {
    /// A key that types nothing.
    fileprivate init?(_ key: Key) {
        switch key {
        case .enter: self = .enter
        case .tab: self = .tab
        case .backspace: self = .backspace
        case .delete: self = .delete
        case .left: self = .left
        case .right: self = .right
        case .up: self = .up
        case .down: self = .down
        case .home: self = .home
        case .end: self = .end
        case .pageUp: self = .pageUp
        case .pageDown: self = .pageDown
        default: return nil
        }
    }
}
