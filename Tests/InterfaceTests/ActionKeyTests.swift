import NoteStore
import Terminal
import TestSupport
import Testing
import ViewModel

@testable import Interface

/// Tests the keys of the list and the sidebar that act on notes and folders.
@MainActor
@Suite(.serialized)
struct ActionKeyTests {
    @Test(arguments: [
        (KeyContext.list, "n", "note.new"), (.list, "Space", "note.mark"), (.list, "*", "note.markAll"),
        (.list, "s", "note.star"), (.list, "d", "note.trash"), (.list, "R", "note.restore"),
        (.list, "r", "note.rename"), (.list, "m", "note.move"), (.list, "t", "note.tag"),
        (.list, "a", "note.archive"), (.list, "x", "note.cut"), (.list, "c", "note.copy"),
        (.list, "v", "note.paste"), (.list, "y", "note.copyLink"), (.list, "Y", "note.copyURL"),
        (.list, "o", "list.sort"), (.list, "Shift-Down", "note.markDown"), (.list, "Shift-Up", "note.markUp"),
        (.list, "u", "app.undo"), (.list, "U", "app.redo"), (.sidebar, "n", "folder.new"),
        (.sidebar, "N", "project.new"), (.sidebar, "T", "tag.new"), (.sidebar, "r", "folder.rename"),
        (.sidebar, "c", "folder.color"), (.sidebar, "d", "folder.delete"), (.sidebar, "m", "folder.move"),
        (.sidebar, "X", "trash.empty"), (.sidebar, "R", "folder.restore"),
    ])
    func `each key gives its command`(context: KeyContext, key: String, command: String) throws {
        let chord = try #require(KeyChord(key))
        let press: KeyPress
        if case .character(let character) = chord.key, chord.modifiers.isEmpty {
            press = KeyPress(typed: character)
        } else {
            press = KeyPress(chord.key, chord.modifiers)
        }
        let keymap = CommandRegistry.standard.defaultKeymap
        #expect(keymap.command(for: press, in: context)?.description == command)
    }

    @Test func `what cannot be done comes after what fits as well, and is found by its name`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        window.press("Ctrl-P", "\"to the\"")
        let rows = window.lines.filter { $0.contains("To the ") }
        #expect(rows.first?.contains("Open the preview first") == false)
        window.press("Esc", "Ctrl-P", "\"restore from the trash\"")
        let first = window.lines.first { $0.contains("Restore") }
        #expect(first?.contains("The note is not in the Trash") == true)
    }

    @Test func `the palette does what a key does, and says why it cannot`() throws {
        let window = try Window(notes: ["Reading list", "Groceries"])
        defer { window.close() }
        let model = window.fixture.model
        func palette(_ text: String) { window.press("Ctrl-P", "\"\(text)\"", "Enter") }
        palette("archive, or")
        #expect(model.archiveFolder?.noteCount == 1)
        palette("undo the last action")
        #expect(model.archiveFolder?.noteCount == 0)
        palette("duplicate the note")
        #expect(model.inboxFolder?.noteCount == 3)
        palette("cut the note")
        #expect(model.bufferNotesCount == 1)
        palette("paste notes here")
        #expect(model.bufferIsEmpty)
        palette("restore from the trash")
        #expect(window.lines[39].contains("The note is not in the Trash"))
        palette("merge the marked")
        #expect(window.lines[39].contains("Mark the notes to merge first"))
    }

    @Test func `a notice takes no key, and goes by itself`() throws {
        let window = try Window(notes: ["Reading list", "Groceries"])
        defer { window.close() }
        window.press("s")
        #expect(window.lines[39].contains("“Reading list” starred"))
        window.press("j")
        #expect(window.fixture.model.listCursor == 1)
        window.fixture.scheduler.advance(by: .seconds(5))
        window.draw()
        #expect(window.lines[39].contains("Inbox › Groceries"))
    }

    @Test func `the list of a project shows where each note is, other lists show tags`() throws {
        let window = try Window(notes: ["Reading list"])
        defer { window.close() }
        let model = window.fixture.model
        model.addProject("Poems", type: .poetry)
        let draft = try #require(model.containers.first { $0.role == .draft })
        let ode = try window.fixture.add("Ode", folder: draft.id)
        #expect(model.tag([ode], named: "verse") == nil)
        let project = try #require(model.selectedContainer)
        #expect(project.isProject)
        model.selectContainer(.inbox)
        model.selectContainer(project.id)
        window.draw()
        #expect(window.lines[2].contains("Draft"))
        model.selectContainer(draft.id)
        window.draw()
        #expect(window.lines[2].contains("#verse"))
    }
}
