import Foundation
import TerminalDriver

/// A state of the program, and the keys that lead to it from the list.
///
/// The keys are for a notebook that `ProgramState.prepare` has filled.
enum ProgramState: String, CaseIterable, Sendable {
    case list, editor, preview, findBar, palette, help, search, renaming, dialog, picker, confirmation, multiple

    /// Creates three notes, one of them in the Trash, and a folder.
    static func prepare(_ workplace: Workplace) throws {
        for text in ["Thrown away", "Groceries\n\nMilk, eggs ❤️ 👍🏽", "Reading list\n\n- [ ] **Piranesi**"] {
            _ = try workplace.tn("--new", "--", text)
        }
        _ = try workplace.tn("trash", "Thrown away")
        _ = try workplace.tn("folder", "add", "Home")
    }

    /// Returns the keys, each with a text that the screen shows once it has been processed.
    ///
    /// - Parameter words: the text to type where a note is written.
    func path(typing words: String = "Last words") -> [(keys: String, shows: String)] {
        switch self {
        case .list: []
        case .editor: [("n", "New Note"), (words, words)]
        case .preview: [("\r", "Esc list"), ("\u{5}", "☐ Piranesi")]
        case .findBar: [("\r", "Esc list"), ("\u{6}", "Replace"), ("Piran", "1 of 1")]
        case .palette: [("\u{10}", "Enter select"), ("note", "Rename the note")]
        case .help: [("?", "Esc closes")]
        case .search: [("/", " / "), ("Milk", "1 hit")]
        case .renaming: [("rlister", "lister")]
        case .dialog: [("E", " to folder"), ("zz", "zz")]
        case .picker: [("m", "─ Move "), ("Ho", "> Ho")]
        case .confirmation: [("\u{1B}1", "Trash"), ("X", "Empty the Trash?")]
        case .multiple: [("*", "Esc unmark")]
        }
    }

    /// Brings the program into this state by keys.
    func enter(_ terminal: PseudoTerminal, typing words: String = "Last words") throws {
        try terminal.wait(for: "Reading list")
        for (keys, shows) in path(typing: words) {
            try terminal.send(keys)
            try terminal.wait(for: shows)
        }
        // Text that has been on screen for 10 ms is promised to survive; this machine may be busy with other tests.
        try terminal.waitUntilIdle(milliseconds: 100)
    }
}
