import NoteStore
import TestSupport
import Testing
import ViewModel

@testable import Interface

/// Tests the sidebar's cursor and its lines.
@MainActor
@Suite(.serialized)
struct SidebarTests {
    @Test func `Esc leaves the sidebar, which lies over the list on a narrow screen`() throws {
        let window = try Window(columns: 80, rows: 24, notes: ["One"])
        defer { window.close() }
        window.press("Alt-1")
        #expect(window.interface.state.focus == .sidebar)
        window.press("Esc")
        #expect(window.interface.state.focus == .list && window.lines.contains { $0.contains("One") })
    }

    @Test func `the fold mark of the Trash is in line with those of the headings`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        let model = window.fixture.model
        model.addFolder("Work")
        let work = try #require(model.containers.first { $0.name == "Work" })
        model.selectContainer(work.id)
        window.press("Alt-1", "d", "y")
        model.selectContainer(.inbox)
        window.draw()
        let trash = try #require(window.lines.first { $0.contains("Trash") })
        #expect(trash.hasPrefix(" ▸ ") || trash.hasPrefix(" ▾ "), "\(window.lines)")
    }

    /// Makes the folder Plans in Work, folds Work and shows Plans.
    private func showFolderInFolded(_ model: TakeNoteVM) throws -> (work: NoteContainer, plans: NoteContainer) {
        model.addFolder("Work")
        let work = try #require(model.containers.first { $0.name == "Work" })
        model.addFolder("Plans", in: work.id)
        let plans = try #require(model.containers.first { $0.name == "Plans" })
        model.setExpanded(.container(work.id), false)
        model.selectContainer(plans.id)
        return (work, plans)
    }

    @Test func `the cursor is on the folded parent of the folder that is shown`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        let model = window.fixture.model
        let (work, _) = try showFolderInFolded(model)
        window.draw()
        let pane = window.interface.sidebar
        let cursor = try #require(pane.cursorIndex)
        #expect(model.sidebarRows[cursor].item == .container(work.id))
        window.press("Alt-1", "k")
        #expect(pane.cursorIndex == cursor - 1)
    }

    @Test func `keys act on the line that is marked, not on the folder in it that is shown`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        let model = window.fixture.model
        let (work, plans) = try showFolderInFolded(model)
        window.press("Alt-1", "d")
        #expect(window.lines.contains { $0.contains("Move “Work” to the Trash?") })
        window.press("Esc", "n")
        #expect(window.lines.contains { $0.contains("New folder in Work ") })
        window.press("Esc", "r", "\"Office\"", "Enter")
        #expect(model.container(work.id)?.name == "Office" && model.container(plans.id)?.name == "Plans")
    }

    @Test func `the cursor is on the heading of a folded section that holds the folder that is shown`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        let model = window.fixture.model
        model.addFolder("Work")
        let work = try #require(model.containers.first { $0.name == "Work" })
        model.setExpanded(.section(.folders), false)
        model.selectContainer(work.id)
        window.press("Alt-1")
        let cursor = try #require(window.interface.sidebar.cursorIndex)
        #expect(model.sidebarRows[cursor].item == .section(.folders))
        window.press("d")
        #expect(window.interface.overlays.isEmpty)
        window.press("Right")
        #expect(model.sidebarRows[try #require(window.interface.sidebar.cursorIndex)].container?.name == "Work")
    }

    @Test func `h and l stop at the outer panes, so that no key after them is typed into the note`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        window.press("Alt-1", "h", "h", "h")
        #expect(window.interface.state.focus == .sidebar)
        window.press("l", "l")
        #expect(window.interface.state.focus == .editor)
        window.press("Alt-1", "Shift-Tab")
        #expect(window.interface.state.focus == .editor)
    }

    @Test func `v pastes into the folder under the sidebar's cursor`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        let model = window.fixture.model
        model.addFolder("Work")
        model.selectContainer(.inbox)
        window.draw()
        window.press("Alt-2", "x", "Alt-1")
        model.selectContainer(try #require(model.containers.first { $0.name == "Work" }).id)
        window.press("v")
        #expect(model.noteList[0]?.title == "One")
        #expect(model.bufferIsEmpty)
    }
}
