import NoteStore
import TestSupport
import Testing
import TextEditing

@testable import ViewModel

/// Tests which ranges of the open text are marked for a search over all notes, if folding makes characters longer.
@MainActor
@Suite struct HitMarkTests {
    @Test(arguments: [
        ("plum", "\u{FDFA} plum \u{FDFA}\u{FDFA} plum", ["plum", "plum"]),
        ("plum", "ß plum ßß plum\nßplum plum", ["plum", "plum", "plum"]),
        ("plum", "\u{FB03} plum \u{FB03}\u{FB03}\nplum", ["plum", "plum"]),
        ("plum", "\u{130} plum \u{130}\u{130}\nplum", ["plum", "plum"]),
        ("strasse", "Die Straße, die STRASSE, die stra\u{DF}e", ["Straße", "STRASSE", "straße"]),
        ("straße", "ß Strasse ß Straße", ["Strasse", "Straße"]),
        ("office", "\u{FB03} o\u{FB03}ce, office", ["o\u{FB03}ce", "office"]),
        ("istanbul", "\u{130} \u{130}stanbul Istanbul", ["\u{130}stanbul", "Istanbul"]),
        ("\u{635}\u{644}\u{649}", "a \u{FDFA} b \u{FDFA}", ["\u{FDFA}", "\u{FDFA}"]),
        // The last word of the ligature and the next word match.
        ("\u{648}\u{633}\u{644}\u{645} plum", "a \u{FDFA} plum b", ["\u{FDFA}", "plum"]),
    ])
    func `hits are marked at their own places, however long they are when folded`(
        search: String, text: String, marked: [String]
    ) throws {
        let test = try TemporaryNotebook()
        defer { test.close() }
        // The lines before the words make every error of a position add up.
        let lines = String(repeating: "\u{FDFA} ß \u{FB03} \u{130}\n", count: 50)
        for text in [text, lines + text + "\n" + lines] {
            let row = try test.add(text)
            test.model.start()
            test.model.show(row)
            let session = try #require(test.model.session)
            let marks = try #require(test.notebook.search.marks(for: search))
            session.show(hits: TextFinder(search, marks: marks), at: nil)
            #expect(test.scheduler.run { !session.isSearching })
            let found = session.find?.results?.matches.map { session.buffer.string(in: $0) } ?? []
            let isShort = !text.hasPrefix(lines)
            // These lines contain ligatures too.
            let own = found.filter { isShort || $0 != "\u{FDFA}" || !marked.contains($0) }
            #expect(own == marked.filter { isShort || $0 != "\u{FDFA}" })
        }
    }
}
