import Terminal
import TestSupport
import Testing
import ViewModel

@testable import Interface

/// Tests every kind of screen as a screen reader gets it, at the four sizes of the layout.
@MainActor
@Suite(.serialized)
struct ReaderFrameTests {
    /// A screen, and the keys that lead to it from the note list.
    struct Scene: Sendable, CustomStringConvertible {
        let name: String
        let keys: [String]
        /// The texts of which a search or another work in the background brings one; none if nothing is waited for.
        let awaited: [String]
        var description: String { name }

        init(_ name: String, _ keys: String..., awaited: String...) {
            (self.name, self.keys, self.awaited) = (name, keys, awaited)
        }
    }

    nonisolated static let scenes = [
        Scene("list", "j"), Scene("sidebar", "Alt-1", "j", "j"), Scene("editor", "Enter", "Down", "Down"),
        Scene("reading", "Enter", "Ctrl-E", "Down"), Scene("search", "/", "\"a\"", "Down", awaited: "2 of 3"),
        Scene("palette", "Ctrl-P", "\"task\""), Scene("move", "m", "Down"),
        Scene("tasks", "Alt-T", awaited: "Sweep"), Scene("calendar", "C", "Right"),
        Scene("find", "Enter", "Ctrl-F", "\"a\""), Scene("question", "d", "Alt-1", "X"),
        Scene("prompt", "Alt-1", "n"), Scene("help", "?", "Down"),
    ]

    private func window(_ size: Size) throws -> Window {
        let window = try Window(
            columns: size.columns, rows: size.rows,
            notes: [
                "# Reading list\n\n- [x] Piranesi\n\n| book | stars |\n|-|-|\n| Ficciones | 5 |",
                "Chores of the house\n\n- [ ] Sweep @2020-05-05\n- [ ] Call Ana", "日本語のノート 🗒️\n\nWide.",
            ])
        window.interface.apply(Configuration.read("[screen]\nreader = true\n"))
        window.fixture.model.addFolder("Home")
        window.fixture.model.selectContainer(.inbox)
        window.fixture.model.dismissNotice()
        window.draw()
        return window
    }

    @Test(arguments: scenes, DialogTests.sizes)
    func `every screen is rows of words`(scene: Scene, size: Size) throws {
        let window = try window(size)
        defer { window.close() }
        for key in scene.keys { window.press(key) }
        if !scene.awaited.isEmpty {
            #expect(
                window.fixture.scheduler.run {
                    window.draw()
                    return window.lines.contains { line in scene.awaited.contains { line.contains($0) } }
                }, "\(window.lines)")
        }
        window.fixture.model.dismissNotice()
        window.draw()
        try expectRows(of: window, "reader-\(scene.name)")
    }
}
