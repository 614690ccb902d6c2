/// The commands of pickers, prompts, dialogs and pagers.
///
/// The palette omits them, since it is an overlay itself and uses their keys.
@MainActor
let overlayCommands: [Command] = [
    overlay(
        "accept", "Accept", .accept, keys: [.picker: "Enter", .prompt: "Enter", .dialog: "Enter", .pager: "Enter"]),
    overlay(
        "cancel", "Close without a change", .cancel,
        keys: [.picker: "Esc Ctrl-Q", .prompt: "Esc Ctrl-Q", .dialog: "Esc q Ctrl-Q", .pager: "Esc q Ctrl-Q"]),
    overlay(
        "down", "Down", .down,
        keys: [.picker: "Down Ctrl-N Tab", .prompt: "Down", .dialog: "Down j", .pager: "Down j"]),
    overlay(
        "up", "Up", .up, keys: [.picker: "Up Ctrl-P Shift-Tab", .prompt: "Up", .dialog: "Up k", .pager: "Up k"]),
    overlay(
        "pageDown", "A page down", .pageDown,
        keys: [.picker: "PgDn", .prompt: "PgDn", .dialog: "PgDn Ctrl-D", .pager: "PgDn Space Ctrl-D"]),
    overlay(
        "pageUp", "A page up", .pageUp,
        keys: [.picker: "PgUp", .prompt: "PgUp", .dialog: "PgUp Ctrl-U", .pager: "PgUp b Ctrl-U"]),
    overlay("first", "To the first", .first, keys: [.dialog: "Home g", .pager: "Home g Ctrl-Home"]),
    overlay("last", "To the last", .last, keys: [.dialog: "End G", .pager: "End G Ctrl-End"]),
    overlay("left", "The answer to the left", .left, keys: [.dialog: "Left h"]),
    overlay("right", "The answer to the right", .right, keys: [.dialog: "Right l"]),
    overlay("next", "Next field or answer; completes a path", .nextPart, keys: [.prompt: "Tab", .dialog: "Tab"]),
    overlay(
        "previous", "Previous field or answer", .previousPart, keys: [.prompt: "Shift-Tab", .dialog: "Shift-Tab"]),
    overlay("yes", "Answer yes", .yes, keys: [.dialog: "y Y"]),
    overlay("no", "Answer no", .no, keys: [.dialog: "n N"]),
    overlay("showSent", "Show what would be sent", .showSent, keys: [.dialog: "s S"]),
    overlay("toggle", "Tick or untick", .toggle, keys: [.dialog: "Space", .picker: "Ctrl-T"]),
    overlay("toggleAll", "Tick all or none", .toggleAll, keys: [.dialog: "*"]),
    overlay("order", "Next order of the list", .nextOrder, keys: [.picker: "Alt-T"]),
    overlay("keepThis", "Of a conflict, keep the note's text", .keepThis, keys: [.pager: "1"]),
    overlay("keepThat", "Of a conflict, keep the other text", .keepThat, keys: [.pager: "2"]),
    overlay("keepBoth", "Of a conflict, keep the lines of both", .keepBoth, keys: [.pager: "3"]),
    overlay("find", "Find in the text", .find, keys: [.pager: "/"]),
    overlay("nextMatch", "Next match in the text", .nextMatch, keys: [.pager: "n"]),
    overlay("previousMatch", "Previous match in the text", .previousMatch, keys: [.pager: "N"]),
    overlay("stop", "Stop the answer", .stop, keys: [.prompt: "Ctrl-C"]),
    overlay("insertBelow", "Insert the result below", .insertBelow, keys: [.dialog: "i"]),
]

/// A command that the topmost overlay performs.
@MainActor
private func overlay(
    _ name: String, _ title: String, _ action: OverlayAction, keys: KeyValuePairs<KeyContext, String>
) -> Command {
    Command(
        CommandName("overlay.\(name)"), title, .overlays, keys: keys,
        when: { .when(!$0.overlays.isEmpty, else: Texts.nothingOpenOverPanes) },
        do: { window in window.overlays.last?.perform(action, in: window) })
}
