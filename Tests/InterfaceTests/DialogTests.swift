import NoteStore
import Terminal
import TestSupport
import Testing
import ViewModel

@testable import Interface

/// Tests the dialogs at every size, by key and by palette.
@MainActor
@Suite(.serialized)
struct DialogTests {
    /// The four sizes of the layout: wide, medium, narrow, the smallest.
    nonisolated static let sizes = [
        Size(columns: 120, rows: 40), Size(columns: 80, rows: 24), Size(columns: 40, rows: 12),
        Size(columns: 20, rows: 5),
    ]

    /// A dialog, and the keys that lead to it from the note list.
    struct Scene: Sendable, CustomStringConvertible {
        let name: String
        let keys: [String]
        /// The text in the title of the box or the pane.
        let title: String
        /// The command that opens it, as typed into the palette; nil if it needs a state that only keys prepare.
        var command: String?
        var description: String { name }
    }

    nonisolated static let scenes = [
        Scene(name: "rename-note", keys: ["r"], title: "empty: first line", command: "rename the note"),
        Scene(name: "move-note", keys: ["m"], title: "Move “", command: "move to a folder"),
        Scene(name: "tags", keys: ["t"], title: "Tags of “", command: "tags of the note"),
        Scene(name: "marked", keys: ["Space", "Space"], title: "2 notes marked"),
        Scene(name: "new-folder", keys: ["Alt-1", "n", "\"home\""], title: "New folder", command: "new folder"),
        Scene(
            name: "new-project", keys: ["Alt-1", "N", "\"Poems\"", "Tab", "Right"], title: "New project",
            command: "new project"),
        Scene(name: "new-tag", keys: ["Alt-1", "T"], title: "New tag", command: "new tag"),
        Scene(name: "color", keys: ["Alt-1", "G", "c"], title: "Colour of"),
        Scene(name: "delete-tag", keys: ["Alt-1", "G", "d"], title: "Delete the tag"),
        Scene(name: "empty-trash", keys: ["d", "Alt-1", "X"], title: "Empty the Trash?"),
    ]

    private func window(_ size: Size) throws -> Window {
        let window = try Window(
            columns: size.columns, rows: size.rows,
            notes: ["Reading list\n\nStarted with **Piranesi**.", "Groceries\n\nMilk, eggs."])
        let model = window.fixture.model
        model.addFolder("Home")
        model.addTag("books")
        model.selectContainer(.inbox)
        window.draw()
        return window
    }

    @Test(arguments: scenes, sizes)
    func `every dialog is drawn at every size`(scene: Scene, size: Size) throws {
        let window = try window(size)
        defer { window.close() }
        for key in scene.keys { window.press(key) }
        window.fixture.model.dismissNotice()
        window.draw()
        try expectFrame(window, scene.name)
    }

    @Test(arguments: scenes.filter { $0.command != nil }, sizes)
    func `every dialog opens from the palette and leaves with Esc`(scene: Scene, size: Size) throws {
        let window = try window(size)
        defer { window.close() }
        // The first key removes an earlier notice.
        window.fixture.model.dismissNotice()
        window.draw()
        let before = window.lines
        window.press("Ctrl-P", "\"\(scene.command ?? "")\"", "Enter")
        #expect(window.lines.contains { $0.contains(scene.title) })
        window.press("Esc")
        #expect(window.lines == before)
    }
}

/// Tests the actions of the dialogs.
@MainActor
@Suite(.serialized)
struct DialogActionTests {
    private let window: Window

    init() throws {
        window = try Window(notes: ["Reading list", "Groceries", "Cheats"])
        model.addFolder("Home")
        model.addTag("books")
        model.selectContainer(.inbox)
        window.draw()
    }

    private var model: TakeNoteVM { window.fixture.model }
    private func shows(_ text: String) -> Bool { window.lines.contains { $0.contains(text) } }

    @Test func `a note is renamed in a line of text that has its title`() throws {
        defer { window.close() }
        window.press("r", "Ctrl-U", "\"To read\"", "Enter")
        #expect(model.noteUnderCursor?.title == "To read")
        #expect(!shows("Enter takes it"))
    }

    @Test func `a name that is taken is refused as it is typed, and the box stays`() throws {
        defer { window.close() }
        window.press("Alt-1", "n", "\"HOME\"")
        #expect(shows("This name is already used there"))
        window.press("Enter")
        #expect(shows("New folder"))
        window.press("\"work\"")
        #expect(!shows("This name is used"))
        window.press("Enter")
        #expect(model.selectedContainer?.name == "HOMEwork")
        window.press("n", "Enter")
        #expect(shows("A name cannot be empty"))
    }

    @Test func `why a folder cannot have a name is read in full, though its line is narrow`() throws {
        defer { window.close() }
        model.addFolder("Work")
        window.press("Alt-1", "r", "\"home\"")
        #expect(shows("This name is already used there"))
        window.press("Ctrl-U", "Enter")
        #expect(shows("A name cannot be empty"))
        window.press("\"Shop\"")
        #expect(!shows("A name cannot be empty"))
        window.press("Enter")
        #expect(model.selectedContainer?.name == "Shop")
    }

    @Test func `notes are moved to a folder found by a part of its name`() throws {
        defer { window.close() }
        window.press("Shift-Down", "m", "\"hom\"", "Enter")
        #expect(model.noteList.count == 1)
        #expect(shows("2 notes moved to Home"))
        window.press("u")
        #expect(model.noteList.count == 3)
    }

    @Test func `tags are set, made by typing, and taken, in one box`() throws {
        defer { window.close() }
        window.press("t", "Enter")
        #expect(shows("[x] books"))
        window.press("\"shell\"")
        #expect(shows("[+] shell"))
        window.press("Enter")
        #expect(shows("[x] shell") && shows("[x] books"))
        window.press("\"book\"", "Enter", "Esc")
        #expect(model.noteUnderCursor?.tagNames == ["shell"])
        #expect(shows("#shell"))
    }

    @Test func `a project is made with its type and details`() throws {
        defer { window.close() }
        window.press("Alt-1", "N", "Enter")
        #expect(shows("A name cannot be empty"))
        window.press("\"Plays\"", "Tab", "Left", "Tab", "\"Two acts\"", "Enter")
        let project = try #require(model.selectedContainer)
        #expect(project.name == "Plays" && project.projectType == .drama && project.details == "Two acts")
        #expect(shows("◊ Plays") && shows("Your Drama"))
    }

    @Test func `a colour is chosen by name or typed`() throws {
        defer { window.close() }
        window.press("Alt-1", "G", "c", "\"blue\"", "Enter")
        #expect(model.tags.first?.colorRGBA == 0x007A_FFFF)
        window.press("c", "\"#102030\"", "Enter")
        #expect(model.tags.first?.colorRGBA == 0x1020_30FF)
    }

    @Test func `Enter and Esc leave everything as it is, y or an arrow and Enter do it`() throws {
        defer { window.close() }
        window.press("Alt-1", "G", "d", "Enter")
        #expect(model.tags.count == 1)
        window.press("d", "Esc")
        #expect(model.tags.count == 1)
        window.press("d", "Right", "Enter")
        #expect(model.tags.isEmpty)
        window.press("u", "G", "d", "y")
        #expect(model.tags.isEmpty)
    }

    @Test func `in the Trash d asks and deletes for ever, R restores`() throws {
        defer { window.close() }
        window.press("d", "d")
        model.selectContainer(.trash)
        window.draw()
        window.press("d")
        #expect(shows("Delete for ever?"))
        window.press("y")
        #expect(model.noteList.count == 1)
        window.press("R")
        #expect(model.noteList.count == 0)
        window.press("r")
        #expect(shows("No note is selected"))
    }

    @Test func `a folder goes to the Trash after a question with counts, and comes back`() throws {
        defer { window.close() }
        window.press("m", "\"home\"", "Enter")
        let home = try #require(model.containers.first { $0.name == "Home" })
        model.selectContainer(home.id)
        window.press("Alt-1", "d")
        #expect(shows("1 note in it will go along"))
        window.press("y")
        #expect(model.selectedContainer?.isInbox == true)
        model.setExpanded(.container(.trash), true)
        model.selectContainer(home.id)
        window.press("R")
        #expect(model.container(home.id)?.isInTrash == false)
    }

    @Test func `emptying the Trash states the counts`() throws {
        defer { window.close() }
        window.press("d", "Alt-1", "X")
        #expect(shows("1 note will be gone"))
        window.press("n")
        #expect(model.trashFolder?.noteCount == 1)
        window.press("X", "y")
        #expect(model.trashFolder?.noteCount == 0)
        window.press("X")
        #expect(shows("The Trash is empty"))
    }

    @Test func `an answer can be clicked`() throws {
        defer { window.close() }
        window.press("Alt-1", "G", "d")
        let row = try #require(window.lines.firstIndex { $0.contains("Delete y") })
        let text = window.lines[row]
        let column = text.distance(from: text.startIndex, to: text.range(of: "Delete y")?.lowerBound ?? text.startIndex)
        window.send(.mouse(MouseEvent(.press, .left, at: Position(column: column, row: row))))
        #expect(model.tags.isEmpty)
    }

    @Test func `a marked set is shown with what can be done to it, and merged by key`() throws {
        defer { window.close() }
        window.press("Space", "Space")
        #expect(shows("2 notes marked") && shows("2 of 3 marked") && shows("M merge"))
        window.press("M")
        #expect(model.noteList.count == 2)
        #expect(model.session?.text.contains("\n\n") == true)
    }

    @Test func `a folder moves by the path of its new place`() throws {
        defer { window.close() }
        model.addFolder("Work")
        window.draw()
        window.press("Alt-1", "m", "\"home\"", "Enter")
        let work = try #require(model.containers.first { $0.name == "Work" })
        #expect(model.path(of: work.id) == ["Home", "Work"])
        window.press("m", "\"top level\"", "Enter")
        #expect(model.path(of: work.id) == ["Work"])
    }

    @Test func `what a system folder cannot do is said`() throws {
        defer { window.close() }
        for key in ["r", "c", "d", "m"] {
            window.press("Alt-1", key)
            #expect(window.lines[39].contains("“Inbox” is built in and can't be changed"))
            model.dismissNotice()
        }
        window.press("R")
        #expect(window.lines[39].contains("Choose a folder in the Trash first"))
    }
}
