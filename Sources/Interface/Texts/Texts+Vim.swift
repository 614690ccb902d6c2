import ModalEditing

extension Texts {
    /// The texts of vim keys.
    enum Vim {
        static let writesNoFile = "The text is saved in the notebook by itself; tn show TITLE > FILE writes a file"
        static let keepsNoOtherText = "The text is saved in the notebook by itself; u undoes, H lists earlier versions"
        static func label(of mode: VimMode) -> String {
            switch mode {
            case .normal: "NORMAL"
            case .insert: "INSERT"
            case .replace: "REPLACE"
            case .visual: "VISUAL"
            case .visualLine: "VISUAL LINE"
            case .visualBlock: "VISUAL BLOCK"
            case .commandLine: "COMMAND"
            }
        }

        static func recording(into register: Character) -> String { "recording @\(register)" }
        static let options = "Here :set knows number and wrap; the rest is in the configuration"
        static func noOption(_ option: String) -> String {
            "“\(option)” cannot be set here; :set knows number and wrap"
        }
        static func noCommand(_ name: String) -> String { "There is no command \(name)" }
        static let running = "… ^C stops"
        static let nothingToUndo = "Nothing to undo"
        static let nothingToRedo = "Nothing to redo"

        // MARK: Help

        static let helpHeading = "Vim's keys, which take precedence in the editor"
        /// The keys and their effects.
        static let help: [(keys: String, title: String)] = [
            ("i a o O R", "Type before, after, below, above, or over"),
            ("Esc", "To Normal mode"),
            ("h j k l w b e f t", "Motions, with a count"),
            ("d c y > < gu gU gq", "Operators, with a motion or an object"),
            ("iw a( ip il ih", "Objects: word, brackets, paragraph, link, section"),
            ("v V Ctrl-V", "Select characters, lines, a block"),
            ("p P \"+p", "Paste; from the clipboard"),
            (". u Ctrl-R", "Repeat, undo, redo"),
            ("q @", "Record keys, play them"),
            ("/ ? n N * #", "Search"),
            (":w :q :wq :qa", "Save, to the list, both, quit"),
            (":s :g :sort :normal", "Commands on lines"),
            ("! :! :r !", "Pipe lines through a shell command"),
            (":e", "Open a note by its title; Tab completes"),
            (":note.preview", "Any command by its name"),
        ]
    }
}
