import Foundation
import GRDB
import Testing

@testable import NoteStore

@Suite struct SearchTests {
    @Test(arguments: [
        ("Café C++, 東京!", "cafe c \u{E02B} \u{E02B} 東 京"), ("foo_bar.baz", "foo bar baz"),
        ("Straße ŁÓDŹ", "strasse lodz"),
        ("👩‍👩‍👧 ❤️", "👩 👩 👧 ❤"), ("don't #tag C#", "don t tag c \u{E023}"), ("", ""), ("日本語テキスト한국", "日 本 語 テ キ ス ト 한 국"),
    ])
    func `words are folded, and scripts without spaces go by characters`(text: String, words: String) {
        #expect(SearchText.prepared(text) == words)
    }

    @Test(arguments: [
        ["run", "runs", "running"], ["happy", "happiness"], ["note", "notes", "noted"], ["try", "tries"],
    ])
    func `forms of an English word share a stem`(words: [String]) {
        #expect(Set(words.map(Stemmer.stem)).count == 1)
    }

    private func notebook() throws -> TestNotebook {
        let test = try TestNotebook()
        for text in [
            "Reading list\nPiranesi, then Borges", "Borges\nLabyrinths and other stories",
            "C++ notes\nfoo_bar lives at https://example.com/a/b?q=1", "東京の天気\n今日は晴れ", "Party 🎉\nbring biology books",
            "Running log\nran 5 km in the café", "Groceries\nmilk, eggs\n- [ ] call Ana",
        ] { try test.note(text) }
        return test
    }

    @Test(
        arguments: [
            ("borges", ["Borges", "Reading list"]), ("BORG", ["Borges", "Reading list"]), ("c++", ["C++ notes"]),
            ("foo_bar", ["C++ notes"]), ("https://example.com/a/b", ["C++ notes"]), ("京", ["東京の天気"]), ("天気", ["東京の天気"]),
            ("🎉", ["Party 🎉"]), ("ology", ["Party 🎉"]), ("run", ["Running log"]), ("runs ", ["Running log"]),
            ("cafe", ["Running log"]),
            ("\"then borges\"", ["Reading list"]), ("borges -piranesi", ["Borges"]),
            ("milk OR labyrinths", ["Groceries", "Borges"]),
            ("title:borges", ["Borges"]), ("zebra", []), ("\"", []), ("what are the labyrinths about?", ["Borges"]),
            ("in:inbox eggs", ["Groceries"]), ("is:starred", []), ("tag:none milk", []), ("NEAR( AND \"unclosed", []),
            ("-borges list", []), ("created:>2020 milk", ["Groceries"]), ("created:<2020 milk", []), ("note:this", []),
        ] as [(String, [String])])
    func `a query finds what it says, best first`(query: String, titles: [String]) throws {
        let test = try notebook()
        #expect(try test.notebook.search(query).map(\.row.title).sorted() == titles.sorted())
        // A part of a word is only looked for in the second stage.
        if query != "ology" {
            #expect(Set(try test.notebook.search(query, stage: .instant).map(\.row.title)) == Set(titles))
        }
    }

    @Test func `parts of words are found behind the ranked hits, in words that have come since too`() throws {
        let test = try notebook()
        func found(_ query: String, _ stage: SearchStage) throws -> [String] {
            try test.notebook.search(query, stage: stage).map(\.row.title)
        }
        #expect(try found("ology", .ranked).isEmpty)
        #expect(try found("ology", .complete) == ["Party 🎉"])
        try test.note("Ology itself")
        try test.note("Zoology")
        #expect(try found("ology", .ranked) == ["Ology itself"])
        let all = try found("ology", .complete)
        #expect(all.first == "Ology itself" && Set(all) == ["Ology itself", "Party 🎉", "Zoology"])
        // A command asks SQLite for them.
        try test.restart(mode: .command)
        #expect(try found("ology", .complete) == all)
    }

    @Test func `a hit in the title comes first in both stages`() throws {
        let test = try notebook()
        try test.note("Later\nabout Borges, Borges, Borges")
        #expect(try test.notebook.search("borges").first?.row.title == "Borges")
        #expect(try test.notebook.search("borges", stage: .instant).first?.row.title == "Borges")
    }

    @Test func `a snippet shows one line with its matches, from deep in a text too`() throws {
        let test = try TestNotebook()
        let filler = String(repeating: "filler words here\n", count: 4000)
        let text = "Long\n" + filler + "and then the Ünïcorn came\n" + filler
        try test.note(text)
        let hit = try #require(try test.notebook.search("unicorn").first)
        let bytes = Array(hit.snippet.utf8)
        #expect(hit.snippet.contains("then the Ünïcorn came"))
        #expect(hit.matches.map { String(decoding: bytes[$0], as: UTF8.self) } == ["Ünïcorn"])
        #expect(!hit.snippet.contains("\n"))
    }

    @Test func `filters narrow by tag, folder, star, features and date`() throws {
        let test = try TestNotebook()
        let folder = try test.notebook.addFolder("Home")
        let inner = try test.notebook.addFolder("Attic", in: folder.id)
        let tag = try test.notebook.addTag("Büro")
        let one = try test.note("one", in: inner.id)
        let two = try test.note("two")
        try test.notebook.addTag(tag.id, to: [two.id])
        try test.notebook.setStarred([one.id], true)
        func found(_ query: String) throws -> [NoteID] { try test.notebook.search(query).map(\.id) }
        #expect(try found("tag:büro") == [two.id])
        #expect(try found("in:home") == [one.id])
        #expect(try found("is:starred") == [one.id])
        #expect(Set(try found("updated:1d")) == [one.id, two.id])
        try test.notebook.archive([two.id])
        #expect(try found("two").isEmpty)
        #expect(try found("in:archive two") == [two.id])
    }

    @Test func `a text that another program changed is found after maintenance, under its new words only`() throws {
        let test = try TestNotebook()
        let row = try test.note("apple\nbody")
        try test.notebook.database.write { db in
            try db.execute(sql: "UPDATE note_text SET text = 'pear' || char(10) || 'body'")
        }
        #expect(try test.notebook.maintain().refreshedNotes == 1)
        #expect(try test.notebook.search("apple").isEmpty)
        #expect(try test.notebook.search("pear").map(\.row.title) == ["pear"])
        #expect(try test.notebook.versions(of: row.id).map(\.reason) == [.outside])
        try test.expectSound()
    }

    @Test func `a newer search ends a running one`() throws {
        let test = try notebook()
        _ = try test.notebook.search("milk")
        let connection = try #require(test.notebook.searches.withLock { $0 })
        #expect(throws: DatabaseError.self) {
            try connection.read { db in
                connection.cancel()
                _ = try Int.fetchOne(
                    db,
                    sql:
                        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9000000) SELECT max(i) FROM n"
                )
            }
        }
        #expect(try test.notebook.search("milk").count == 1)
    }
}
