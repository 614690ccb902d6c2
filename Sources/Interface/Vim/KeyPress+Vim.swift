import ModalEditing
import Terminal

extension KeyPress {
    /// Returns the vim keys that a key press means; nil for a key press that the program keeps.
    ///
    /// If Esc and a character arrive together, as over a slow connection, their bytes are those of Alt and the
    /// character. They count as two keys here, unless the terminal distinguishes the two cases. Alt with any other key
    /// belongs to the program.
    ///
    /// - Parameter tellsAlt: whether the terminal distinguishes Esc and a letter from Alt and the letter.
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

    /// The digits that focus or show panes with Alt; 0 is left out, as it is a motion often typed right after Esc.
    private static let panes: Set<Character> = ["1", "2", "3", "4", "5"]

    /// Returns the letters that vim uses with Control; the others stay with the program.
    private static func controls(in machine: VimMachine) -> String {
        switch machine.mode {
        case .normal where machine.isIdle: "abdefhijmoruvwxy]"
        case .normal, .visual, .visualLine, .visualBlock: "abcdefhijmoruvwxy]"
        // Keys without a meaning in Insert mode are taken as well: a cut by habit would be a nasty surprise.
        case .insert, .replace: "abcdehijmortuwxy"
        case .commandLine: "bcehjmnpruw"
        }
    }
}

extension VimKey {
    /// Creates a vim key from a key that types nothing.
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
