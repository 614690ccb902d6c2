import Testing

@testable import NoteStore

/// The snippets of hits, and the words that are marked in them and in whole texts.
@Suite struct SearchMarkTests {
    @Test func `a snippet shows one line with its matches, from deep in a text too`() throws {
        let test = try TestNotebook()
        let filler = String(repeating: "filler words here\n", count: 4000)
        let text = "Long\n" + filler + "and then the Ünïcorn came\n" + filler
        try test.note(text)
        let hit = try #require(try test.notebook.search.hits("unicorn").first)
        #expect(hit.snippet.contains("then the Ünïcorn came"))
        #expect(hit.marked == ["Ünïcorn"])
        #expect(!hit.snippet.contains("\n"))
    }

    @Test func `a snippet of an indented line begins with its text`() throws {
        let test = try TestNotebook()
        try test.note("Groceries\n- bread\n    - brown bread\n\t- rye")
        for (word, line) in [("brown", "- brown bread"), ("rye", "- rye")] {
            let hit = try #require(try test.notebook.search.hits(word).first)
            #expect(hit.snippet.hasPrefix(line))
            #expect(hit.marked == [word])
        }
    }

    @Test func `a blessing that stands for four words is found, marked and breaks nothing`() throws {
        let test = try TestNotebook()
        try test.note("Letter\nhello ﷺ and ﷻ hello")
        let hit = try #require(try test.notebook.search.hits("hello").first)
        #expect(hit.marked == ["hello", "hello"])
        for query in ["ﷺ", "صلى", "\"الله عليه\""] {
            let hit = try #require(try test.notebook.search.hits(query).first)
            #expect(hit.marked.first == "ﷺ", "\(query)")
        }
    }

    @Test func `a snippet shows where most of the words are, and a number is not the beginning of another`() throws {
        let test = try TestNotebook()
        try test.note("Report\nWe kept 92% of it in week 12.\nLater the tests regressed in week 9 again.")
        let hit = try #require(try test.notebook.search.hits("regressed week 9").first)
        #expect(hit.marked == ["regressed", "week", "9"])
        let text = try test.notebook.notes.text(hit.id) ?? ""
        #expect(text.utf8.dropFirst(try #require(hit.position)).starts(with: "regressed".utf8))
    }

    /// Returns the words that are marked in the snippet of the first hit.
    private func marked(_ query: String, in test: TestNotebook) throws -> [String] {
        try #require(try test.notebook.search.hits(query).first).marked
    }

    @Test func `another form of the searched word is marked, but not where the text has the word itself`() throws {
        let test = try TestNotebook()
        try test.note("Albums\nOne picture of them, after a study")
        #expect(try marked("pictures studies", in: test) == ["picture", "study"])
        let marks = try #require(test.notebook.search.marks(for: "pictures"))
        var text = "A picture, not a pictorial"
        #expect(text.withUTF8(marks) == [2..<9])
        text = "Pictures and a picture"
        #expect(text.withUTF8(marks) == [0..<8])
    }

    @Test func `a word with the searched one inside is marked, but not where the text has the word itself`() throws {
        let test = try TestNotebook()
        let far = String(repeating: "and so on it goes\n", count: 4_000)
        try test.note("Greeting\nShe said hello to Ünbellievable people")
        try test.note("Planets\nA marketplace of Saturn\n" + far + "the place itself")
        #expect(try marked("ell", in: test) == ["hello", "Ünbellievable"])
        #expect(try marked("bellie", in: test) == ["Ünbellievable"])
        #expect(try marked("she ell", in: test) == ["She", "hello", "Ünbellievable"])
        #expect(try marked("place", in: test) == ["place"])
        let marks = try #require(test.notebook.search.marks(for: "ell said"))
        var text = "Said: bells; SHELL"
        #expect(text.withUTF8(marks) == [0..<4, 6..<11, 13..<18])
    }

    @Test func `where a search's words stand is reported for the whole text`() throws {
        let test = try TestNotebook()
        let marks = try #require(test.notebook.search.marks(for: "run tag:x -walk"))
        var text = "Run, running; rerun walk run"
        let found = text.withUTF8(marks)
        #expect(found == [0..<3, 5..<12, 25..<28])
        #expect(test.notebook.search.marks(for: "tag:x") == nil)
    }
}

extension SearchHit {
    /// The words that are marked in the snippet.
    fileprivate var marked: [String] {
        let bytes = Array(snippet.utf8)
        return matches.map { String(decoding: bytes[$0], as: UTF8.self) }
    }
}
