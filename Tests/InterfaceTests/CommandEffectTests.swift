import Foundation
import TestSupport
import Testing

@testable import Interface

/// Tests that every command does what it says: by an effect here, or by another test that is named here.
@MainActor
@Suite(.serialized)
struct CommandEffectTests {
    @Test(arguments: moving + editing + window + reading)
    func `a command has its effect`(effect: Effect) throws {
        let long = (0..<200).map { "Line \($0) <https://example.org/\($0)>" }.joined(separator: "\n\n")
        let window = try Window(notes: [Self.first, "# Second", "# Long\n\n\(long)"])
        defer { window.close() }
        window.fixture.model.addTag("books")
        window.fixture.model.dismissNotice()
        window.draw()
        for key in effect.keys { window.press(key) }
        #expect(!effect.holds(window), "\(effect.command) would show nothing")
        window.interface.perform(CommandName(effect.command))
        window.draw()
        #expect(effect.holds(window))
    }

    /// The commands whose effect another test checks: the file, and the test's name.
    private static let elsewhere: [String: (file: String, test: String)] = [
        "magic.chat": ("ChatTests", "an answer streams, its citation opens the note, and it becomes a note"),
        "spelling.correct": ("SpellingTests", "F4 offers what may be meant, and adds the word to the person's own"),
        "magic.menu": ("MagicTests", "the menu says what it would change, and what sends nothing needs no model"),
        "note.summarize": ("MagicTests", "the menu says what it would change, and what sends nothing needs no model"),
        "magic.assist": ("MagicTests", "Enter replaces the selection, i inserts below, and Esc drops the result"),
        "magic.format": ("MagicTests", "a form is reviewed change by change, and taken as one step with a version"),
        "magic.summarize": ("MagicTests", "a summary is kept by Enter, and nothing is sent twice"),
        "overlay.insertBelow": (
            "MagicTests", "Enter replaces the selection, i inserts below, and Esc drops the result"
        ),
        "note.related": ("ChatTests", "the chat is off until a provider is named, and related notes need none"),
        "app.notebook": ("NotebookPickerTests", "the notebooks are offered, and the present one is marked"),
        "command.stop": ("CustomCommandTests", "what fails or is stopped changes nothing and says why"),
        "command.errors": (
            "CustomCommandTests",
            "the last line of what a failed command said is in the message, and all of it can be shown later"
        ),
        "overlay.find": (
            "OverlayKeyTests", "a slash finds in the help, n goes on, and Esc ends the search and then the help"
        ),
        "overlay.nextMatch": (
            "OverlayKeyTests", "a slash finds in the help, n goes on, and Esc ends the search and then the help"
        ),
        "overlay.previousMatch": (
            "OverlayKeyTests", "a slash finds in the help, n goes on, and Esc ends the search and then the help"
        ),
        "selection.pipe": ("CustomCommandTests", "a selection is piped through a line that is typed"),
        "list.compact": ("TaskAndCalendarTests", "a note can have one row in the list, but a hit keeps two"),
        "pane.toggleSidebar": ("TaskAndCalendarTests", "the sidebar can be hidden, and comes while it has the keys"),
        "note.calendar": (
            "TaskAndCalendarTests", "the calendar opens the note of a day, and marks the days that have one"
        ),
        "note.dayAfter": (
            "TaskAndCalendarTests", "the calendar opens the note of a day, and marks the days that have one"
        ),
        "note.dayBefore": (
            "TaskAndCalendarTests", "the calendar opens the note of a day, and marks the days that have one"
        ),
        "tasks.byDay": ("TaskAndCalendarTests", "tasks are shown by day, the late ones first, and one is gone to"),
        "tasks.byNote": ("TaskAndCalendarTests", "tasks are shown by note, in the order of each text"),
        "overlay.accept": ("OverlayKeyTests", "each key of a box does what its command says"),
        "overlay.cancel": ("OverlayKeyTests", "each key of a box does what its command says"),
        "overlay.down": ("OverlayKeyTests", "each key of a box does what its command says"),
        "overlay.up": ("OverlayKeyTests", "each key of a box does what its command says"),
        "overlay.pageDown": ("OverlayKeyTests", "each key of a box does what its command says"),
        "overlay.pageUp": ("OverlayKeyTests", "each key of a box does what its command says"),
        "overlay.first": ("OverlayKeyTests", "each key of a box does what its command says"),
        "overlay.last": ("OverlayKeyTests", "each key of a box does what its command says"),
        "overlay.left": ("OverlayKeyTests", "arrows, Tab and y answer a question"),
        "overlay.right": ("OverlayKeyTests", "arrows, Tab and y answer a question"),
        "overlay.next": ("OverlayKeyTests", "arrows, Tab and y answer a question"),
        "overlay.previous": ("OverlayKeyTests", "arrows, Tab and y answer a question"),
        "overlay.yes": ("OverlayKeyTests", "arrows, Tab and y answer a question"),
        "overlay.no": ("OverlayKeyTests", "arrows, Tab and y answer a question"),
        "overlay.toggle": (
            "DailyLifeTests", "what is found is listed first, a line is left out, the rest is replaced and undone by u"
        ),
        "overlay.order": ("TaskAndCalendarTests", "tasks are ticked in their list, and its order is changed there"),
        "overlay.toggleAll": ("OverlayKeyTests", "an asterisk ticks all lines or none"),
        "overlay.showSent": (
            "ChatConsentTests", "before consent s shows the request, which lacks nothing that is sent"
        ),
        "overlay.stop": (
            "ChatTests", "Ctrl-C stops an answer from the field and from the answer, and does nothing without one"
        ),
        "overlay.keepThis": ("SyncWindowTests", "a key settles a conflict"),
        "overlay.keepThat": ("SyncWindowTests", "a key settles a conflict"),
        "overlay.keepBoth": ("SyncWindowTests", "a key settles a conflict"),
        "sync.now": ("SyncWindowTests", "Sync now says what came"),
        "mirror.now": ("MirrorWindowTests", "Mirror folders now takes an outside edit and writes what was typed"),
        "sync.conflicts": ("SyncWindowTests", "a key settles a conflict"),
        "app.theme": ("LooksTests", "a theme is tried on while it is under the cursor, and kept when it is chosen"),
        "pane.wider": ("MouseTests", "a border is moved by key"),
        "pane.narrower": ("MouseTests", "a border is moved by key"),
        "note.today": ("DailyLifeTests", "the palette opens the day's note for writing, and F5 goes to and fro"),
        "note.before": ("DailyLifeTests", "the palette opens the day's note for writing, and F5 goes to and fro"),
        "note.fromTemplate": (
            "DailyLifeTests", "a template is chosen, asks for its title, and the caret stands in its place"
        ),
        "note.history": (
            "DailyLifeTests", "H shows what has changed since each version, and Enter makes one the text again"
        ),
        "note.export": (
            "TransferTests", "E exports the notes, the sidebar's E the folder, the palette everything"
        ),
        "folder.export": (
            "TransferTests", "E exports the notes, the sidebar's E the folder, the palette everything"
        ),
        "folder.import": (
            "TransferTests", "i imports into the selected folder, and what was left out is listed"
        ),
        "task.report": ("TransferTests", "i imports into the selected folder, and what was left out is listed"),
        "app.rebuild": ("TransferTests", "the rebuild has the keys until it is done"),
        "task.stop": ("TaskTests", "one thing runs at a time, tells how far it is, and stops between two steps"),
        "search.complete": (
            "SavedSearchTests", "the field shows the grammar, then what a word can become, and Tab takes it"
        ),
        "search.save": (
            "SavedSearchTests",
            "Ctrl-S keeps the search, the sidebar shows it with its count, r renames and d deletes it"
        ),
        "search.openStay": ("SavedSearchTests", "the palette keeps a search too, and says why it cannot"),
        "search.open": ("WindowTests", "search filters as it is typed and marks where it matched"),
        "list.reverse": ("PaletteTests", "O turns the order of the list round"),
        "list.sort": ("SavedSearchTests", "Alt-Up and Alt-Down move the note, and the header says that it is by hand"),
        "list.byHand": (
            "SavedSearchTests", "Alt-Up and Alt-Down move the note, and the header says that it is by hand"
        ),
        "note.moveUp": (
            "SavedSearchTests", "Alt-Up and Alt-Down move the note, and the header says that it is by hand"
        ),
        "note.moveDown": (
            "SavedSearchTests", "Alt-Up and Alt-Down move the note, and the header says that it is by hand"
        ),
        "list.filterTag": (
            "SavedSearchTests", "f narrows the list to a tag, the header shows it, and Esc shows all"
        ),
        "folder.symbol": ("SavedSearchTests", "a symbol is chosen for a folder and for a tag, and undone"),
        "folder.color": ("DialogTests", "a colour is chosen by name or typed"),
        "folder.move": ("DialogTests", "a folder moves by the path of its new place"),
        "folder.delete": (
            "DialogTests", "a folder goes to the Trash after a question with counts, and comes back"
        ),
        "folder.restore": (
            "DialogTests", "a folder goes to the Trash after a question with counts, and comes back"
        ),
        "folder.new": ("FolderActionTests", "a folder is made where one is selected, shown and selected"),
        "folder.rename": (
            "FolderActionTests", "renaming keeps the folder selected, and undo gives the old name back"
        ),
        "project.new": ("DialogTests", "a project is made with its type and details"),
        "tag.new": ("DialogTests", "tags are set, made by typing, and taken, in one box"),
        "trash.empty": ("DialogTests", "emptying the Trash states the counts"),
        "note.new": ("WindowTests", "typing writes at the caret and the list follows"),
        "note.mark": ("DialogTests", "a marked set is shown with what can be done to it, and merged by key"),
        "note.markAll": ("NoteActionTests", "moving takes the marked notes along, and undo brings them back"),
        "note.merge": ("DialogTests", "a marked set is shown with what can be done to it, and merged by key"),
        "note.star": ("ActionKeyTests", "a notice takes no key, and goes by itself"),
        "note.rename": ("DialogTests", "a note is renamed in a line of text that has its title"),
        "note.move": ("DialogTests", "notes are moved to a folder found by a part of its name"),
        "note.tag": ("DialogTests", "tags are set, made by typing, and taken, in one box"),
        "note.archive": ("ActionKeyTests", "the palette does what a key does, and says why it cannot"),
        "note.cut": ("ActionKeyTests", "the palette does what a key does, and says why it cannot"),
        "note.copy": ("NoteActionTests", "copies keep text and star, and can be pasted again"),
        "note.paste": ("ActionKeyTests", "the palette does what a key does, and says why it cannot"),
        "note.duplicate": ("ActionKeyTests", "the palette does what a key does, and says why it cannot"),
        "note.trash": ("DialogTests", "in the Trash d asks and deletes for ever, R restores"),
        "note.restore": ("DialogTests", "in the Trash d asks and deletes for ever, R restores"),
        "note.copyLink": (
            "WindowTests", "copying a link says what was copied and where it went, and it can be pasted here"
        ),
        "note.copyURL": (
            "WindowTests", "copying a link says what was copied and where it went, and it can be pasted here"
        ),
        "app.undo": ("ActionKeyTests", "the palette does what a key does, and says why it cannot"),
        "app.redo": ("TakeNoteVMTests", "Trash takes the marked notes, and undo brings all of them back"),
        "link.follow": ("WritingTests", "a link at the caret is followed"),
        "note.backlinks": ("WritingTests", "backlinks are listed below the note, and b goes to one"),
        "note.linkTree": ("LinkTreeTests", "a note of the tree opens at its link"),
        "note.editOutside": ("KeepingTests", "e lends the note to the user's own editor"),
        "find.next": ("FindTests", "Esc leaves the bar with the match selected, and F3 goes on without it"),
        "find.enter": ("FindTests", "Enter in the replacement replaces this match and goes on"),
        "find.previous": ("FindTests", "matches are counted as the pattern is typed, and Enter walks them round"),
        "find.field": ("FindTests", "Enter in the replacement replaces this match and goes on"),
        "find.replaceAll": ("FindTests", "replacing all is one step of undo"),
        "find.case": ("FindTests", "case, whole words and expressions narrow it"),
        "find.word": ("FindTests", "case, whole words and expressions narrow it"),
        "find.expression": ("FindTests", "case, whole words and expressions narrow it"),
        "find.close": ("FindTests", "Esc leaves the bar with the match selected, and F3 goes on without it"),
        "fold.toggle": (
            "ViewingTests", "a folded section shows how much is under it, and a click on either mark opens it"
        ),
        "fold.all": ("FoldingTests", "all sections fold to their headings and open again"),
        "fold.none": ("FoldingTests", "all sections fold to their headings and open again"),
        "view.count": (
            "EditingCommandTests", "words and characters are counted, of the selection when there is one"
        ),
        "view.lineNumbers": ("ViewingTests", "line numbers stand before lines, not before rows"),
        "view.wrap": (
            "ViewingTests",
            "lines that are not wrapped scroll sideways with the caret, and are marked where they are cut"
        ),
        "view.readableWidth": (
            "EditorSettingsTests",
            "a change of the settings shows at once in the open text and in those left a moment ago"
        ),
    ]

    @Test func `each command of the program is shown by a test`() throws {
        let here = Set((Self.moving + Self.editing + Self.window + Self.reading).map(\.command))
        let known = Set(CommandRegistry.standard.all.map(\.name.description))
        #expect(known.subtracting(here).subtracting(Self.elsewhere.keys).sorted() == [])
        // The lists contain no renamed or removed commands.
        #expect(here.union(Self.elsewhere.keys).subtracting(known).sorted() == [])
        #expect(here.intersection(Self.elsewhere.keys).sorted() == [])
        for (command, place) in Self.elsewhere {
            let source = try TestSources.text(of: place.file)
            #expect(source.contains("`\(place.test)`"), "\(command): \(place.file) has no such test")
        }
    }
}

/// The sources of the tests, for tests that refer to others.
private enum TestSources {
    /// The joined text of the files of this name in the folders of the interface's and the view-model's tests.
    static func text(of name: String) throws -> String {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let folders = [here, here.deletingLastPathComponent().appending(path: "ViewModelTests")]
        return try folders.map { $0.appending(path: "\(name).swift") }
            .filter { FileManager.default.fileExists(atPath: $0.path) }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
    }
}
