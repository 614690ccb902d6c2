import Terminal
import TextEditing

/// The keys that move, select and delete in every text input.
///
/// Each action has one entry, with its keys on each surface: the note, a one-line field, and the composer of `tn new`.
public struct EditingKeys: Sendable {
    /// The kinds of text input.
    public enum Surface: Hashable, Sendable {
        case note, field, composer
    }

    /// The last part of the command's name: `wordLeft`.
    let name: String
    let title: String
    let action: EditingAction
    /// The chords by surface, in the notation of the configuration, separated by spaces.
    let keys: [Surface: String]

    private init(_ name: String, _ title: String, _ action: EditingAction, _ keys: KeyValuePairs<Surface, String>) {
        self.name = name
        self.title = title
        self.action = action
        self.keys = Dictionary(uniqueKeysWithValues: keys.map { ($0.key, $0.value) })
    }

    /// Returns the action of a key press in the composer, which has no keymap; nil if it does not use the key.
    public static func composerAction(of press: KeyPress) -> EditingAction? {
        press.chords.lazy.compactMap { composerActions[$0] }.first
    }

    /// The keys of the composer; each key of a motion also selects when pressed with Shift.
    private static let composerActions: [KeyChord: EditingAction] = {
        var table: [KeyChord: EditingAction] = [:]
        for entry in all {
            for word in (entry.keys[.composer] ?? "").split(separator: " ") {
                guard let chord = KeyChord(String(word)) else { preconditionFailure("No key is called \(word)") }
                table[chord] = entry.action
                guard case .move(let motion) = entry.action else { continue }
                table[KeyChord(chord.key, chord.modifiers.union(.shift))] = .select(motion)
            }
        }
        return table
    }()

    /// Every action with its keys.
    static let all: [EditingKeys] = motions + deletions + typing + others

    /// The motions; the `rows: 1` of a page is a placeholder for the height of the text.
    static let motions: [EditingKeys] = [
        row("left", "Left", .left, [.note: "Left", .field: "Left", .composer: "Left"]),
        row("right", "Right", .right, [.note: "Right", .field: "Right", .composer: "Right"]),
        row("up", "Up", .up, [.note: "Up", .composer: "Up"]),
        row("down", "Down", .down, [.note: "Down", .composer: "Down"]),
        row(
            "wordLeft", "A word left", .wordLeft,
            [.note: "Ctrl-Left Alt-Left Alt-B", .field: "Ctrl-Left Alt-Left Alt-B", .composer: "Ctrl-Left"]),
        row(
            "wordRight", "A word right", .wordRight,
            [.note: "Ctrl-Right Alt-Right Alt-F", .field: "Ctrl-Right Alt-Right Alt-F", .composer: "Ctrl-Right"]),
        row("lineStart", "To the start of the line", .lineStart, [.note: "Home", .field: "Home Ctrl-A"]),
        row("lineEnd", "To the end of the line", .lineEnd, [.note: "End", .field: "End Ctrl-E"]),
        row("rowStart", "To the start of the row", .rowStart, [.note: "Alt-Home", .composer: "Home"]),
        row("rowEnd", "To the end of the row", .rowEnd, [.note: "Alt-End", .composer: "End"]),
        row("paragraphUp", "A paragraph up", .paragraphUp, [.note: "Ctrl-Up"]),
        row("paragraphDown", "A paragraph down", .paragraphDown, [.note: "Ctrl-Down"]),
        row("pageUp", "A page up", .pageUp(rows: 1), [.note: "PgUp"]),
        row("pageDown", "A page down", .pageDown(rows: 1), [.note: "PgDn"]),
        row("start", "To the start of the note", .documentStart, [.note: "Ctrl-Home", .composer: "Ctrl-Home"]),
        row("end", "To the end of the note", .documentEnd, [.note: "Ctrl-End", .composer: "Ctrl-End"]),
    ]

    private static func row(
        _ name: String, _ title: String, _ motion: Motion, _ keys: KeyValuePairs<Surface, String>
    ) -> EditingKeys {
        EditingKeys(name, title, .move(motion), keys)
    }

    static let deletions: [EditingKeys] = [
        EditingKeys(
            "backward", "Delete left", .delete(.backward),
            [
                .note: "Backspace Shift-Backspace", .field: "Backspace Shift-Backspace",
                .composer: "Backspace Shift-Backspace",
            ]),
        EditingKeys(
            "forward", "Delete right", .delete(.forward), [.note: "Delete", .field: "Delete", .composer: "Delete"]),
        EditingKeys(
            "wordBackward", "Delete the word left", .delete(.wordBackward),
            [
                .note: "Ctrl-W Alt-Backspace Ctrl-Backspace", .field: "Ctrl-W Alt-Backspace Ctrl-Backspace",
                .composer: "Ctrl-W Alt-Backspace Ctrl-Backspace",
            ]),
        EditingKeys(
            "wordForward", "Delete the word right", .delete(.wordForward),
            [.note: "Alt-D Ctrl-Delete", .field: "Alt-D Ctrl-Delete", .composer: "Alt-D Ctrl-Delete"]),
        EditingKeys(
            "toLineStart", "Delete to the start of the line", .delete(.toLineStart),
            [.note: "Ctrl-U", .field: "Ctrl-U", .composer: "Ctrl-U"]),
        EditingKeys(
            "toLineEnd", "Delete to the end of the line", .delete(.toLineEnd),
            [.note: "Ctrl-K", .field: "Ctrl-K", .composer: "Ctrl-K"]),
    ]

    static let typing: [EditingKeys] = [
        EditingKeys(
            // An Enter that was typed before the program started arrives as Ctrl-J, as does a line end of a script.
            "newLine", "New line; continues a list", .newLine,
            [.note: "Enter Ctrl-J", .composer: "Enter Shift-Enter Ctrl-J"]),
        EditingKeys("tab", "Indent the item, next cell, or a tab", .tab, [.note: "Tab", .composer: "Tab"]),
        EditingKeys("outdent", "Outdent the item, or previous cell", .outdent, [.note: "Shift-Tab"]),
    ]

    static let others: [EditingKeys] = [
        EditingKeys("undo", "Undo", .undo, [.note: "Ctrl-Z", .composer: "Ctrl-Z"]),
        EditingKeys(
            "redo", "Redo", .redo, [.note: "Ctrl-Y Ctrl-Shift-Z", .composer: "Ctrl-Y Ctrl-Shift-Z"]),
        EditingKeys("selectAll", "Select all", .selectAll, [.note: "Ctrl-A", .composer: "Ctrl-A"]),
    ]
}
