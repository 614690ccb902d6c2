import NoteStore
import TestSupport
import Testing
import ViewModel

@testable import Interface

/// The sidebar's cursor and its lines.
@MainActor
@Suite(.serialized)
struct SidebarTests {
    @Test func `the cursor is on the folded parent of the folder that is shown`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        let model = window.place.model
        model.addFolder("Work")
        let work = try #require(model.containers.first { $0.name == "Work" })
        model.addFolder("Plans", in: work.id)
        let plans = try #require(model.containers.first { $0.name == "Plans" })
        model.setExpanded(.container(work.id), false)
        model.selectContainer(plans.id)
        window.draw()
        let pane = SidebarPane(model: model, state: window.interface.state)
        let cursor = try #require(pane.cursorIndex)
        #expect(model.sidebarRows[cursor].item == .container(work.id))
        window.press("Alt-1", "k")
        #expect(pane.cursorIndex == cursor - 1)
    }
}
