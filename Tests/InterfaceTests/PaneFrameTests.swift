import Foundation
import NoteStore
import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests every pane, and overlays that ask no question, at the four sizes of the layout.
@MainActor
@Suite(.serialized)
struct PaneFrameTests {
    /// A window, and the keys that lead to it from the note list.
    struct Scene: Sendable, CustomStringConvertible {
        let name: String
        let keys: [String]
        /// The number of hits of a search, which arrive through the scheduler.
        let hits: Int?
        var description: String { name }

        init(_ name: String, _ keys: String..., hits: Int? = nil) {
            self.name = name
            self.keys = keys
            self.hits = hits
        }
    }

    nonisolated static let scenes = [
        Scene("list"), Scene("sidebar", "Alt-1", "j", "j"), Scene("editor", "Enter", "Down", "Down"),
        Scene("selection", "Enter", "Down", "Down", "Shift-Down", "Shift-End"), Scene("preview", "p"),
        Scene("zoomed", "Alt-Z"), Scene("find", "Enter", "Ctrl-F", "\"is\""),
        Scene("typed-search", "/", "\"pir\"", hits: 1), Scene("hits", "/", "\"piranesi\"", hits: 1),
        Scene("no-hits", "/", "\"xyzzy\"", hits: 0),
        Scene("empty-folder", "Alt-1", "j", "j", "j", "j", "j", "j", "Alt-2"),
        Scene("palette", "Ctrl-P", "\"pane\""), Scene("go-to", "Ctrl-O", "\"m\""),
        Scene("themes", "Ctrl-P", "\"change the theme\"", "Enter"), Scene("notice", "y"),
        Scene("refusal", "R"), Scene("earlier-versions", "H"), Scene("link-to", "Enter", "Ctrl-End", "\"[[\""),
    ]

    private static let reading = """
        # Reading list

        Started with **Piranesi**; next is the *Borges* one, in the translation that [Ana](https://example.org) lent me.

        - [x] Piranesi
        - [ ] Ficciones
          - an old copy, `ISBN 84-206-3312-9`
        1. The Dispossessed

        > A labyrinth is a house built to confuse men.

        ```swift
        let next = shelf.first { !$0.isRead }  // at last
        ```

        | book | stars |
        |------|------:|
        | 世界 | 5 |

        ==The library card== is due. #books
        """

    private func window(_ size: Size) throws -> Window {
        let window = try Window(
            columns: size.columns, rows: size.rows,
            notes: [
                Self.reading, "Groceries\n\nMilk, eggs, coffee filters, rye bread, and whatever else is missing there.",
                "Meeting with Ana and everybody else who has something to say\n\nShe has the [[Reading list]] too.",
                "日本語のノート 🗒️\n\nWide characters stay in their cells.", "Tmux cheats\n\nprefix z zooms",
            ])
        let model = window.fixture.model
        model.noteStarredToggle()
        model.addTag("books")
        if let books = model.containers.first(where: { $0.name == "books" }) {
            model.selectContainer(.inbox)
            model.toggleTag(books, on: model.selectedNotes)
            model.setColor(books, 0x34C7_59FF)
        }
        model.addFolder("Home")
        model.addProject("Poems", type: .poetry)
        model.addFolder("Empty place with a very long name")
        model.selectContainer(.inbox)
        model.dismissNotice()
        window.draw()
        return window
    }

    @Test(arguments: scenes, DialogTests.sizes)
    func `every pane is drawn at every size`(scene: Scene, size: Size) throws {
        let window = try window(size)
        defer { window.close() }
        for key in scene.keys { window.press(key) }
        let model = window.fixture.model
        if let hits = scene.hits {
            #expect(window.fixture.scheduler.run { model.noteList.count == hits && model.isSearchRanked })
            if scene.name == "hits" { window.press("Enter", "Esc") }
        }
        window.draw()
        try expectFrame(window, scene.name, withStatus: true)
    }

    /// The scenes whose styles differ most, in the themes that the other frames do not cover.
    private nonisolated static let styledScenes = scenes.filter {
        ["sidebar", "selection", "find", "hits", "palette"].contains($0.name)
    }

    @Test(arguments: styledScenes, DocumentFrameTests.otherThemes)
    func `panes and marks are told apart in the other themes`(scene: Scene, theme: String) throws {
        for size in [Size(columns: 80, rows: 24), Size(columns: 20, rows: 5)] {
            let window = try window(size)
            defer { window.close() }
            for key in scene.keys { window.press(key) }
            let model = window.fixture.model
            if let hits = scene.hits {
                #expect(window.fixture.scheduler.run { model.noteList.count == hits && model.isSearchRanked })
            }
            window.draw()
            try expectFrame(window, scene.name, in: theme)
        }
    }

    /// The help lists only a few commands, so that the frame does not depend on new or removed commands.
    @Test(arguments: DialogTests.sizes)
    func `the help is drawn at every size`(size: Size) throws {
        let window = try window(size)
        defer { window.close() }
        let names = ["app.help", "app.quit", "pane.next", "cursor.down", "note.new", "note.trash", "edit.save"]
        let standard = CommandRegistry.standard
        let registry = CommandRegistry(names.compactMap { standard[CommandName($0)] })
        window.interface.show(HelpOverlay(registry: registry, keymap: registry.defaultKeymap, context: .list))
        window.draw()
        try expectFrame(window, "help", withStatus: true)
    }

    @Test(arguments: [Size(columns: 19, rows: 24), Size(columns: 80, rows: 4), Size(columns: 1, rows: 1)])
    func `a smaller screen says so, and a larger one shows what was there`(size: Size) throws {
        let window = try window(Size(columns: 80, rows: 24))
        defer { window.close() }
        let before = window.lines
        window.press("Ctrl-P")
        window.size = size
        window.draw()
        let text = window.lines.joined(separator: " ")
        #expect(text.hasPrefix(size.columns < 5 ? "2" : "tn needs 20x5"))
        window.press("Esc")
        window.size = Size(columns: 80, rows: 24)
        window.draw()
        #expect(window.lines == before)
    }

    @Test(arguments: [
        (Size(columns: 10, rows: 2), "tn needs|20x5"), (Size(columns: 10, rows: 1), "20x5!"),
        (Size(columns: 5, rows: 3), "tn|needs|20x5"), (Size(columns: 4, rows: 4), "20x5"),
    ])
    func `the message of a screen that is too small is not cut`(size: Size, message: String) throws {
        let window = try window(Size(columns: 80, rows: 24))
        defer { window.close() }
        window.size = size
        window.draw()
        #expect(window.lines.filter { !$0.isEmpty }.joined(separator: "|") == message)
    }

    @Test func `every size from the smallest up is drawn without a trap, in every scene`() throws {
        let window = try window(Size(columns: 120, rows: 40))
        defer { window.close() }
        for scene in Self.scenes {
            window.size = Size(columns: 120, rows: 40)
            window.draw()
            for key in scene.keys { window.press(key) }
            for (columns, rows) in [(20, 5), (20, 60), (300, 5), (59, 7), (60, 8), (99, 11), (100, 13), (250, 80)] {
                window.size = Size(columns: columns, rows: rows)
                window.draw()
                #expect(window.lines.count == rows)
            }
            for _ in 0..<4 { window.press("Esc") }
            window.press("Alt-2")
        }
    }

    @Test func `the guide's table of keys is made from the commands`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Resources/GUIDE.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(text.range(of: "## Keys\n\n")?.upperBound)
        let end = try #require(text[start...].range(of: "\n\n")?.lowerBound)
        let table = KeyTable.markdown.dropLast()
        if ProcessInfo.processInfo.environment["RECORD_FRAMES"] != nil {
            let new = text.replacingCharacters(in: start..<end, with: table)
            try new.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(text[start..<end] == table, "RECORD_FRAMES=1 writes it anew")
    }
}
