import Foundation
import GRDB
import SeededRandom
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

    @Test func `words are the same whether they are taken in runs or letter by letter`() {
        var random = SeededGenerator(seed: 7)
        let long = String(repeating: "x1", count: 50)
        let pieces = [
            "word", "x", " ", "7", "Ü", "ß", "A", "+", "#", "\n", "漢", "e\u{301}", "ﷺ", long, long + "Ł", "--",
        ]
        for _ in 0..<2000 {
            let text = (0..<random.next() % 12).map { _ in random.pick(pieces) }.joined()
            var byLetter = SearchText(recordingRanges: true)
            Array(text.utf8).withUnsafeBufferPointer { byLetter.append($0) }
            #expect(SearchText.prepared(text) == String(decoding: byLetter.bytes, as: UTF8.self), "\(text)")
        }
    }

    @Test(arguments: [
        ["run", "runs", "running"], ["happy", "happiness"], ["note", "notes", "noted"], ["try", "tries"],
    ])
    func `forms of an English word share a stem`(words: [String]) {
        #expect(Set(words.map(Stemmer.stem)).count == 1)
    }

    @Test func `every word is among those that may have its stem`() {
        var random = SeededGenerator(seed: 8)
        let pieces = [
            "ba", "ne", "ss", "i", "y", "e", "es", "s", "ed", "ing", "ness", "ment", "ful", "ly", "ies", "u", "tt",
        ]
        for _ in 0..<1000 {
            let word = (0...random.next() % 5).map { _ in random.pick(pieces) }.joined()
            #expect(Stemmer.words(withStem: Stemmer.stem(word)).contains(word), "\(word)")
        }
        #expect(Stemmer.words(withStem: "東京") == ["東京"])
    }

    @Test func `words are found by their beginnings, the shorter first, and by their stems`() throws {
        let test = try TestNotebook()
        try test.note("Words\nzebra zoo zz zephyr z zambezi yak Zürich zoos zooed zoom")
        let found = try test.notebook.read { db in
            try (
                Array(TermTable.words(beginningWith: "z", lengths: 2...32, limit: 5, db)),
                Array(TermTable.words(beginningWith: "z", lengths: 6...7, db)), TermTable.forms(of: "zoo", db)
            )
        }
        #expect(found.0 == ["zz", "zoo", "zoom", "zoos", "zebra"])
        #expect(found.1 == ["zephyr", "zurich", "zambezi"])
        #expect(found.2 == ["zoo", "zooed", "zoos"])
    }

    @Test func `any number of hits can be asked for`() throws {
        let test = try notebook()
        let search = test.notebook.search
        for query in ["borges", "borges in:inbox", "is:starred", "what are the labyrinths about?"] {
            for stage in [SearchStage.instant, .ranked, .complete] {
                let all = try search.hits(query, limit: 100, stage: stage).map(\.row.title)
                #expect(try search.hits(query, limit: .max, stage: stage).map(\.row.title) == all)
            }
        }
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
            ("in:\"All Notes\" eggs", ["Groceries"]), ("in:starred eggs", []),
        ] as [(String, [String])])
    func `a query finds what it says, best first`(query: String, titles: [String]) throws {
        let test = try notebook()
        #expect(try test.notebook.search.hits(query).map(\.row.title).sorted() == titles.sorted())
        // Parts of words are only searched in the second stage.
        if query != "ology" {
            #expect(Set(try test.notebook.search.hits(query, stage: .instant).map(\.row.title)) == Set(titles))
        }
    }

    @Test func `parts of words are found behind the ranked hits, in words that have come since too`() throws {
        let test = try notebook()
        func found(_ query: String, _ stage: SearchStage) throws -> [String] {
            try test.notebook.search.hits(query, stage: stage).map(\.row.title)
        }
        #expect(try found("ology", .ranked).isEmpty)
        #expect(try found("ology", .complete) == ["Party 🎉"])
        try test.note("Ology itself")
        try test.note("Zoology")
        #expect(try found("ology", .ranked) == ["Ology itself"])
        let all = try found("ology", .complete)
        #expect(all.first == "Ology itself" && Set(all) == ["Ology itself", "Party 🎉", "Zoology"])
        // The command mode searches for them with SQLite.
        try test.restart(mode: .command)
        #expect(try found("ology", .complete) == all)
    }

    @Test(arguments: ["budg*", "budg* plan", "plan budg*", "title:budg*", "Budg* -house"])
    func `a word with a star finds the words that begin so`(query: String) throws {
        let test = try TestNotebook()
        try test.note("The budgerigar plan")
        #expect(try test.notebook.search.hits(query).first?.row.title == "The budgerigar plan")
        #expect(try test.notebook.search.hits(query, stage: .instant).first?.row.title == "The budgerigar plan")
    }

    @Test func `a hit in the title comes first in both stages`() throws {
        let test = try notebook()
        try test.note("Later\nabout Borges, Borges, Borges")
        #expect(try test.notebook.search.hits("borges").first?.row.title == "Borges")
        #expect(try test.notebook.search.hits("borges", stage: .instant).first?.row.title == "Borges")
    }

    @Test func `filters narrow by tag, folder, star, features and date`() throws {
        let test = try TestNotebook()
        let folder = try test.notebook.folders.create("Home")
        let inner = try test.notebook.folders.create("Attic", in: folder.id)
        let tag = try test.notebook.tags.create("Büro")
        let one = try test.note("one", in: inner.id)
        let two = try test.note("two")
        try test.notebook.tags.add(tag.id, to: [two.id])
        try test.notebook.notes.setStarred([one.id], true)
        func found(_ query: String) throws -> [NoteID] { try test.notebook.search.hits(query).map(\.id) }
        #expect(try found("tag:büro") == [two.id])
        #expect(try found("in:home") == [one.id])
        #expect(try found("is:starred") == [one.id])
        #expect(Set(try found("updated:1d")) == [one.id, two.id])
        try test.notebook.notes.archive([two.id])
        #expect(try found("two").isEmpty)
        #expect(try found("in:archive two") == [two.id])
    }

    /// Returns a notebook with notes in folders of the same name, with tags, tasks and dates.
    private func library() throws -> TestNotebook {
        let test = try TestNotebook()
        let work = try test.notebook.folders.create("Work")
        let home = try test.notebook.folders.create("Home")
        let workPlan = try test.notebook.folders.create("Plan", in: work.id)
        let homePlan = try test.notebook.folders.create("Plan", in: home.id)
        let (a, b) = (try test.notebook.tags.create("a"), try test.notebook.tags.create("b"))
        let one = try test.note("one coffee\n- [ ] open", in: workPlan.id)
        let two = try test.note("two coffee\n- [x] done", in: homePlan.id)
        let three = try test.note("three tea\n1. [ ] open\n* [X] done")
        let four = try test.note("four tea [ ]")
        try test.notebook.tags.add(a.id, to: [one.id])
        try test.notebook.tags.add(b.id, to: [two.id])
        try test.notebook.notes.setStarred([three.id], true)
        try test.notebook.notes.archive([four.id])
        return test
    }

    @Test(
        arguments: [
            ("-tag:a", ["two", "three"]), ("-in:Plan", ["three"]), ("-is:starred", ["one", "two"]),
            ("coffee -tag:a", ["two"]), ("tag:a OR tag:b", ["one", "two"]), ("tag:a OR three", ["one", "three"]),
            ("tag:a OR -coffee", ["one", "three"]), ("coffee -in:Work/Plan", ["two"]), ("in:Work/Plan", ["one"]),
            ("in:Home/Plan", ["two"]), ("in:work", ["one"]), ("in:Plan", ["one", "two"]), ("in:Nowhere/Plan", []),
            ("-in:archive", ["one", "two", "three"]), ("in:archive", ["four"]),
            ("in:archive OR tag:a", ["one", "four"]),
            ("tea is:archived", ["four"]), ("has:task", ["one", "three"]), ("has:todo", ["one", "three"]),
            ("has:open", ["one", "three"]), ("has:done", ["two", "three"]), ("-has:todo", ["two"]),
            ("has:done -has:task", ["two"]), ("tag:a OR tag:b -two", ["one"]), ("coffee OR", ["one", "two"]),
            ("tag:a OR", ["one"]), ("-\"two coffee\" coffee", ["one"]), ("(tag:a OR tag:b) two", ["two"]),
            ("((tag:a) OR (three))", ["one", "three"]), ("(tag:\"a\" OR tag:\"b\") two", ["two"]),
        ] as [(String, [String])])
    func `filters are negated, joined by OR and read as paths`(query: String, expected: [String]) throws {
        let test = try library()
        for stage in [SearchStage.instant, .ranked, .complete] {
            let found = try test.notebook.search.hits(query, stage: stage).map { $0.row.title.prefix { $0 != " " } }
            #expect(Set(found) == Set(expected.map { $0[...] }), "\(stage)")
        }
        #expect(try test.notebook.search.count(query, limit: 50) == expected.count)
    }

    @Test(
        arguments: [
            ("the coffee", ["one", "two"]), ("coffee the", ["one", "two"]), ("coffee zebra", ["one", "two"]),
            ("der kaffee coffee", ["one", "two"]), ("two three", ["two", "three"]), ("\"one coffee\" zebra", ["one"]),
            ("tag:a zebra", []), ("\"zebra crossing\" \"coffee one\"", []),
        ] as [(String, [String])])
    func `words that carry nothing, and words that are nowhere, are not demanded`(
        query: String, expected: [String]
    ) throws {
        let test = try library()
        let found = try test.notebook.search.hits(query).map { $0.row.title.prefix { $0 != " " } }
        #expect(Set(found) == Set(expected.map { $0[...] }))
        #expect(try test.notebook.search.count(query, limit: 50) == expected.count)
    }

    @Test(
        arguments: [
            ("coffee", []), ("by:ana coffee", [.unknownFilter("by"), .someWordsOnly]),
            ("is:shiny", [.unknownValue(filter: "is", value: "shiny")]),
            ("coffee has:legs", [.unknownValue(filter: "has", value: "legs"), .someWordsOnly]),
            ("created:someday", [.unknownValue(filter: "created", value: "someday")]), ("tea", [.archived(1)]),
            ("two three", [.someWordsOnly]), ("https://example.com", []), ("10:30", []), ("\"by:ana\"", []),
        ] as [(String, [SearchRemark])])
    func `what a search does not understand or leaves out is reported`(query: String, remarks: [SearchRemark]) throws {
        let test = try library()
        #expect(try test.notebook.search.remarks(query) == remarks)
        for remark in remarks { #expect(!remark.sentence.isEmpty) }
    }

    @Test(arguments: ["America/Los_Angeles", "Asia/Tokyo", "UTC", "Asia/Kathmandu"])
    func `days are those of the user's clock`(zone: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        func time(_ day: Int, _ hour: Int) throws -> Date {
            try #require(calendar.date(from: DateComponents(year: 2026, month: 3, day: day, hour: hour)))
        }
        // In Los Angeles, 8 March 2026 has 23 hours.
        let now = try time(9, 1)
        let dates = SearchDates(
            now: now, zone: Zone { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) })
        func holds(_ text: String, _ date: Date) -> Bool { dates.range(text)?.contains(date.milliseconds) ?? false }
        #expect(try holds("today", time(9, 0)) && holds("today", time(9, 23)) && !holds("today", time(8, 23)))
        #expect(try holds("yesterday", time(8, 0)) && holds("yesterday", time(8, 23)))
        #expect(try !holds("yesterday", time(9, 0)) && !holds("yesterday", time(7, 23)))
        for (text, day) in [("2026-03-08", 8), ("2026-03-09", 9)] {
            #expect(try holds(text, time(day, 0)) && holds(text, time(day, 23)) && !holds(text, time(day + 1, 0)))
        }
        #expect(try holds("2026-03", time(1, 0)) && holds("2026-03", time(31, 23)) && !holds("2026-03", time(32, 0)))
        #expect(try holds(">2026-03-08", time(9, 0)) && !holds(">2026-03-08", time(8, 23)))
        #expect(dates.range("2026-02-30") == nil)
    }

    @Test(
        arguments: [
            ("한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}어"),
            ("국어", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}어"),
            ("\u{1112}\u{1161}\u{11AB}", "한국"), ("がぎ", "か\u{3099}き\u{3099}"), ("か\u{3099}", "がぎ"), ("パン", "ハ\u{309A}ン"),
            ("é", "e\u{301}tude"), ("e\u{301}tude", "étude"), ("\u{F900}", "\u{8C48}"), ("ệ", "ê\u{323}"),
        ])
    func `composed and decomposed forms find each other`(query: String, text: String) throws {
        let test = try TestNotebook()
        try test.note("Title\n\(text)")
        #expect(try test.notebook.search.hits(query).count == 1)
        let hit = try #require(try test.notebook.search.hits(query).first)
        #expect(!hit.matches.isEmpty)
    }

    @Test func `decomposed notes of an earlier index are found after the migration`() throws {
        let test = try TestNotebook()
        let text = "책\n\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8} か\u{3099}"
        let row = try test.note(text)
        try test.note("plain")
        try test.notebook.database.write { db in
            for (table, columns) in [("search", "title, text"), ("search_title", "title")] {
                let new = [SearchText.prepared(row.title), SearchText.prepared(text)]
                let old = new.indices.map { SearchText.prepared($0 == 0 ? row.title : text, composing: false) }
                let count = columns.split(separator: ",").count
                let marks = Array(repeating: "?", count: count).joined(separator: ", ")
                try db.execute(
                    sql: "INSERT INTO \(table) (\(table), rowid, \(columns)) VALUES ('delete', ?, \(marks))",
                    arguments: StatementArguments([row.key as any DatabaseValueConvertible])
                        + StatementArguments(new.prefix(count)))
                try db.execute(
                    sql: "INSERT INTO \(table) (rowid, \(columns)) VALUES (?, \(marks))",
                    arguments: StatementArguments([row.key as any DatabaseValueConvertible])
                        + StatementArguments(old.prefix(count)))
            }
            try db.execute(
                sql: """
                    DROP TABLE search_term;
                    CREATE TABLE search_term (term TEXT PRIMARY KEY, stem TEXT NOT NULL) WITHOUT ROWID;
                    DELETE FROM grdb_migrations WHERE identifier IN ('4', '11'); PRAGMA user_version = 3
                    """)
        }
        try test.restart()
        #expect(try test.notebook.search.hits("한국").map(\.row.title) == ["책"])
        #expect(try test.notebook.search.hits("が").count == 1)
        #expect(try test.notebook.care.check().isEmpty)
        try test.expectSound()
    }

    /// Tests folding, index, snippet and marks with each scalar, alone and inside a word.
    ///
    /// Of the thousands that folding leaves unchanged, only some are tested.
    @Test func `every scalar that folding changes can be indexed, found and marked`() throws {
        for value in UInt32(0x80)..<0x2FA1E {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isFolded = SearchFolding.bytes(of: scalar) != Array(String(scalar).utf8)
            let isSyllable = (0xAC00...0xD7A3).contains(value)
            guard isFolded && !isSyllable || value % 101 == 0 else { continue }
            let text = "hello a\(scalar)b \(scalar) hello"
            let bytes = Array(text.utf8)
            var prepared = SearchText(recordingRanges: true)
            bytes.withUnsafeBufferPointer { prepared.append($0) }
            let words = prepared.bytes.split(separator: 0x20)
            guard words.count == prepared.ranges.count, !prepared.bytes.contains(0x22) else {
                Issue.record("\(String(value, radix: 16)): \(words.count) words, \(prepared.ranges.count) ranges")
                continue
            }
            for query in ["hello", String(scalar)] {
                let terms = SearchQuery(query, now: Date()).terms
                let snippet = bytes.withUnsafeBufferPointer { Snippet($0, terms) }
                guard let snippet else {
                    if query == "hello" { Issue.record("no hello beside \(String(value, radix: 16))") }
                    continue
                }
                let whole = snippet.matches.allSatisfy {
                    String(decoding: Array(snippet.text.utf8)[$0], as: UTF8.self).unicodeScalars.allSatisfy {
                        $0 != "\u{FFFD}" || value == 0xFFFD
                    }
                }
                if !whole || snippet.matches.isEmpty { Issue.record("\(String(value, radix: 16)): \(snippet)") }
            }
        }
    }

    @Test func `a text that another program changed is found after maintenance, under its new words only`() throws {
        let test = try TestNotebook()
        let row = try test.note("apple\nbody")
        try test.notebook.database.write { db in
            try db.execute(sql: "UPDATE note_text SET text = 'pear' || char(10) || 'body'")
        }
        #expect(try test.notebook.care.maintain().refreshedNotes == 1)
        #expect(try test.notebook.search.hits("apple").isEmpty)
        #expect(try test.notebook.search.hits("pear").map(\.row.title) == ["pear"])
        #expect(try test.notebook.versions.all(of: row.id).map(\.reason) == [.outside])
        try test.expectSound()
    }

    @Test func `a newer search ends a running one`() throws {
        let test = try notebook()
        _ = try test.notebook.search.hits("milk")
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
        #expect(try test.notebook.search.hits("milk").count == 1)
    }
}
