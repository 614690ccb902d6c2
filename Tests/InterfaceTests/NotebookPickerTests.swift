import TestSupport
import Testing

@testable import Interface

/// Tests changing to another notebook from the window.
@MainActor
@Suite struct NotebookPickerTests {
    private func window() throws -> Window {
        let window = try Window(notes: ["# Reading list"])
        window.host.notebooks = NotebookNames(all: ["default", "Book club", "work"], current: "default")
        window.interface.perform("app.notebook")
        window.draw()
        return window
    }

    @Test func `the notebooks are offered, and the present one is marked`() throws {
        let window = try window()
        defer { window.close() }
        #expect(window.lines.contains { $0.contains("default") && $0.contains("now") })
        window.press("\"wor\"", "Enter")
        #expect(window.host.chosenNotebooks == ["work"])
    }

    @Test func `choosing the present one changes nothing`() throws {
        let window = try window()
        defer { window.close() }
        window.press("Enter")
        #expect(window.host.chosenNotebooks.isEmpty)
    }

    @Test func `a new name makes a notebook, a known one in another case does not`() throws {
        let window = try window()
        defer { window.close() }
        window.press("\"WORK\"")
        #expect(!window.lines.contains { $0.contains("New notebook") })
        window.press("Ctrl-U", "\"garden\"")
        #expect(window.lines.contains { $0.contains("New notebook “garden”") })
        window.press("Enter")
        #expect(window.host.chosenNotebooks == ["garden"])
    }

    @Test func `why a notebook cannot be opened is said`() throws {
        let window = try window()
        defer { window.close() }
        window.press("\"/\"", "Enter")
        #expect(window.lines.contains { $0.contains("Not a name") })
    }

    @Test func `the name of the notebook stands above the sidebar`() throws {
        let window = try window()
        defer { window.close() }
        window.press("Esc")
        #expect(window.lines[0].hasPrefix(" TakeNote "))
        window.interface.notebookName = "work"
        window.interface.invalidateWindow()
        window.draw()
        #expect(window.lines[0].hasPrefix(" TakeNote · work "))
    }

    @Test func `a long name of a notebook stands alone above the sidebar`() throws {
        let window = try window()
        defer { window.close() }
        window.press("Esc")
        window.interface.notebookName = "travel diary"
        window.interface.invalidateWindow()
        window.draw()
        #expect(window.lines[0].hasPrefix(" travel diary "))
    }
}
