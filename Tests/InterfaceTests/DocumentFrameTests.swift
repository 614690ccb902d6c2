import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests a document with all of Markdown's constructs, as source and as preview, at every size and in every theme.
@MainActor
@Suite(.serialized)
struct DocumentFrameTests {
    private static let document = """
        ---
        title: A walk along the Kamo
        tags: [kyoto, walks]
        ---
        # A walk along the Kamo

        We set out at **six**, while the *mist* still lay on the water; the ~~bus~~ was late, and
        nobody ==minded==. The map is [on the wall](https://example.org/map "in the hall"), see also
        [[Herons]] and <https://example.org>. #kyoto `walk --slow` costs 5 €, and $d = v t$ is all one needs[^pace].

        ## What to carry

        - [x] boots, waxed
        - [ ] a thermos with more tea than two people can drink before noon, because it will be cold on the bridge
          1. leaves
          2. 生姜 (ginger)
        - a map
            - and a pencil

        1. Out by the west bank
        2. Back by the east

        > A labyrinth is a house built to confuse men;
        > its architecture, rich in symmetries, is subordinate to that end.
        >
        > > Nested, as quotes are.

        ## Distances

        | From | To | km | 天気 |
        |:-----|:--:|---:|------|
        | 出町柳 | 三条 | 2.1 | ☀️ clear |
        | Mill 🏡 | Weir | 0.75 | 霧 |

        Setext, underlined
        ------------------

        ```swift
        // how long it takes
        func minutes(_ km: Double) -> Int { Int(km / 4.5 * 60) }
        ```

        ```python
        def hours(km: float) -> float:
            return km / 4.5  # flat
        ```

        ```sql
        SELECT place, count(*) FROM herons WHERE year = 2026;
        ```

            indented code, plain

        ![The bridge at dawn](takenote://image/00000000-0000-0000-0000-000000000000)

        ***

        <aside>HTML stays as it is.</aside>

        Done.\\
        A hard break, an &amp; entity, and 👩‍👧 at the end.

        [^pace]: Four and a half kilometres an hour, stops left out.
        """

    private nonisolated static let sizes = [
        Size(columns: 120, rows: 40), Size(columns: 80, rows: 24), Size(columns: 40, rows: 12),
        Size(columns: 20, rows: 5),
    ]

    private func openWindow(_ size: Size) throws -> Window {
        let window = try Window(columns: size.columns, rows: size.rows, notes: [Self.document])
        window.press("Enter", "Alt-Z")
        window.fixture.scheduler.advance(by: .seconds(2))
        window.draw()
        return window
    }

    @Test(arguments: sizes)
    func `the document as it is written`(size: Size) throws {
        let window = try openWindow(size)
        defer { window.close() }
        try expectFrame(window, "document-written")
        window.press("Ctrl-End")
        try expectFrame(window, "document-written-end")
    }

    @Test(arguments: sizes)
    func `the document as it reads`(size: Size) throws {
        let window = try openWindow(size)
        defer { window.close() }
        window.press("Ctrl-E")
        try expectFrame(window, "document-read")
        window.press("End")
        try expectFrame(window, "document-read-end")
    }

    @Test(arguments: sizes)
    func `the document folded, numbered and not wrapped`(size: Size) throws {
        let window = try openWindow(size)
        defer { window.close() }
        window.fixture.model.editorSettings.lineNumbers = true
        window.fixture.model.editorSettings.wrap = false
        window.press("Ctrl-G", "\"11\"", "Enter", "Alt-.", "Ctrl-Home")
        try expectFrame(window, "document-folded")
    }

    /// The themes that other frames do not cover.
    nonisolated static let otherThemes = ThemeFile.builtIn.map(\.name).filter {
        !["dark", "light", "monochrome"].contains($0)
    }

    @Test(arguments: otherThemes, sizes)
    func `the document in the other themes`(theme: String, size: Size) throws {
        let window = try openWindow(size)
        defer { window.close() }
        try expectFrame(window, "document-written", in: theme)
        window.press("Ctrl-End")
        try expectFrame(window, "document-written-end", in: theme)
        window.press("Ctrl-Home", "Ctrl-E")
        try expectFrame(window, "document-read", in: theme)
        window.press("End")
        try expectFrame(window, "document-read-end", in: theme)
    }
}
