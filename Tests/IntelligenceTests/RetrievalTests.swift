import NoteStore
import Testing

@testable import Intelligence

/// Tests the search without a model, on a small notebook written for it.
struct RetrievalTests {
    /// Thirty notes; the relevance set below names them by their first lines.
    static let notes = [
        "Budget meeting\n\nAna said the budget of the museum must not grow beyond 40,000 euros this year. She signs every invoice above 500 herself.",
        "Budget template\n\nA table for the yearly plan: income, rent, wages, insurance.",
        "Piranesi\n\nSusanna Clarke. A labyrinth of halls with statues, flooded by tides; the narrator keeps journals.",
        "Ficciones\n\nBorges. The library of Babel, garden of forking paths, mirrors and labyrinths.",
        "Sourdough\n\nFeed the starter twice a day. Hydration 75 %, proof overnight in the fridge, bake at 250 degrees.",
        "Pizza dough\n\nSame flour as the sourdough, hydration 65 %, proof for two days in the fridge.",
        "Bicycle chain\n\nReplace the chain when it is worn by 0.75 %. The cassette lasts for three chains.",
        "Cassette tools\n\nChain whip and lockring remover for the bicycle; torque 40 Nm.",
        "Tomatoes\n\nSow in March under glass, prick out, plant outside after the ice saints in May.",
        "Garden plan\n\nBeds along the fence: tomatoes, beans, garlic. Compost in the corner.",
        "Berlin trip\n\nTrain at 8:04 from platform 7. Hotel near the museum island. Museum closed on Mondays.",
        "Lisbon trip\n\nFlight in October, tram 28, pastries in Belem, hotel in Alfama.",
        "Dentist\n\nDr. Weber, next appointment in June, crown on the left molar.",
        "Insurance\n\nThe household policy covers bicycles against theft up to 1,500 euros if locked.",
        "Tax return\n\nDeadline at the end of July. Invoices of the craftsmen and the commuting kilometres.",
        "Heating\n\nThe boiler's pressure should be 1.5 bar; bleed the radiators in autumn. Craftsman: Mr Kowalski.",
        "Tmux\n\nprefix z zooms a pane, prefix [ scrolls, prefix ! breaks a pane out into a window.",
        "Git\n\nRebase onto main, never merge; sign the commits with the yubikey.",
        "Swift notes\n\nActors isolate state; Sendable values cross them. Noncopyable types have deinit.",
        "Rust notes\n\nOwnership and borrowing; Send and Sync mark what crosses threads.",
        "Violin\n\nThird position studies, slow vibrato, rosin the bow. Lesson with Mrs Okafor on Tuesday.",
        "Choir\n\nRehearsal every Tuesday at seven; learn the alto part of the Requiem.",
        "Birthday ideas\n\nFor Ana: a novel by Clarke or a rosemary plant. For Ben: bicycle bell.",
        "Soup\n\nLentils, carrots, cumin, lemon; add spinach at the end.",
        "Marathon\n\nLong run on Sundays, 32 km at most; intervals on Wednesday; taper for two weeks.",
        "Sleep\n\nNo screens after ten, cool bedroom, coffee only before noon.",
        "Coffee\n\nGrind 18 g, 30 seconds, 36 g out; descale the machine each quarter.",
        "Wifi\n\nThe router stands in the hall; guests use the network with the fox.",
        "Passport\n\nExpires in 2029; photo 35 by 45 mm; appointment at the town hall.",
        "東京旅行\n\n東京の博物館は月曜日に休みます。新幹線で京都へ行く。",
    ]

    private static let questions = [
        ("what did Ana say about the budget?", "Budget meeting"),
        ("who signs the invoices?", "Budget meeting"),
        ("book with statues and tides", "Piranesi"),
        ("how wet is the pizza dough?", "Pizza dough"),
        ("when do I plant tomatoes outside?", "Tomatoes"),
        ("which platform does the train leave from?", "Berlin trip"),
        ("is my bicycle insured against theft?", "Insurance"),
        ("how much pressure does the boiler need?", "Heating"),
        ("how do I zoom a tmux pane?", "Tmux"),
        ("when is the choir rehearsing?", "Choir"),
        ("present for Ben", "Birthday ideas"),
        ("how many grams of coffee?", "Coffee"),
        ("when does the passport expire", "Passport"),
        ("deadline of the taxes", "Tax return"),
        ("京都", "東京旅行"),
    ]

    private func passage(_ text: String, _ score: Double, of note: NoteID = NoteID()) -> Passage {
        Passage(chunk: Chunk(note: note, title: "t", headings: [], text: text), score: score, terms: ["t"])
    }

    @Test func `copies of a passage leave room for one that says something else`() {
        let copies = (0..<5).map { number in
            passage("the boiler wants a pressure of 1.5 bar, version \(number)", 1 - Double(number) / 100)
        }
        let other = passage("bleed the radiators in autumn, from the cellar upwards", 0.9)
        let chosen = PassageSearch.diverse(copies + [other], limit: 2)
        #expect(chosen == [copies[0], other])
        // What hardly fits the question does not come before what fits it well.
        let far = passage("sow the tomatoes in March", 0.3)
        #expect(!PassageSearch.diverse(copies + [far], limit: 5).contains(far))
    }

    @Test func `three passages of a note at most, and as many as are wanted`() {
        let long = NoteID()
        let ofLong = (0..<100).map { passage("chapter \($0) says \($0 * 7919) and \($0 * 104_729)", 1, of: long) }
        let others = (0..<20).map { passage("note \($0) is of \($0 * 15_485_863)", 0.5) }
        let chosen = PassageSearch.diverse(ofLong + others, limit: 12)
        #expect(chosen.count == 12 && chosen.count { $0.chunk.note == long } == 3)
        #expect(PassageSearch.diverse(ofLong, limit: 12).count == 3 && PassageSearch.diverse([], limit: 12).isEmpty)
        #expect(PassageSearch.diverse([ofLong[0], ofLong[0]], limit: 12).count == 1)
    }

    private func notebook() throws -> TestNotes {
        let made = try TestNotes()
        for text in Self.notes { try made.add(text) }
        return made
    }

    @Test func `questions find their note first, or second where two fit`() throws {
        let test = try notebook()
        var sum = 0.0
        for (question, title) in Self.questions {
            let passages = try PassageSearch(test.sendable()).passages(for: question)
            let place = passages.firstIndex { $0.chunk.title == title }
            #expect(place != nil && place ?? 9 < 2, "\(question): \(passages.map(\.chunk.title).prefix(3))")
            sum += place.map { 1 / Double($0 + 1) } ?? 0
        }
        // The mean reciprocal rank.
        #expect(sum / Double(Self.questions.count) >= 0.93)
    }

    @Test func `a word that no note has is taken for a slip where one is near`() throws {
        let test = try notebook()
        for (question, title) in [
            ("piranezi", "Piranesi"), ("rehersal", "Choir"), ("aponitment", "Dentist"), ("labyrniths", "Ficciones"),
        ] {
            let titles = try PassageSearch(test.sendable()).passages(for: question).map(\.chunk.title)
            #expect(titles.contains(title), "\(question): \(titles)")
        }
        // Three misspelt letters make another word, and a short word is similar to too many others.
        for question in ["appntmnet", "cion"] {
            #expect(try PassageSearch(test.sendable()).passages(for: question).isEmpty, "\(question)")
        }
        // A word that is in a note is not taken for a misspelling: “bear” does not find “beans”.
        try test.add("Bears\n\nThe beans of the bear.")
        let words = try test.sendable().tellingWords(of: "beans tomatos").known
        #expect(words.map(\.word) == ["beans", "tomatos"] && words[0].forms.allSatisfy { $0.hasPrefix("bean") })
    }

    @Test func `a word of most notes does not choose among many notes`() throws {
        let test = try TestNotes()
        _ = try test.notebook.notes.create((0..<2100).map { NewNote(text: "Note \($0)\n\nthings") })
        try test.add("Garage\n\nThings about the automobile.")
        let known = try test.sendable().tellingWords(of: "things about automobile").known
        #expect(PassageSearch.worthwhile(known).map(\.word) == ["automobile"])
        // There is nothing else to search for.
        let common = known.filter(\.isCommon)
        #expect(common.map(\.word) == ["things"] && PassageSearch.worthwhile(common) == common)
    }

    @Test func `words that stand together count more than words apart`() throws {
        let test = try TestNotes()
        let filler = "Of cabbages and kings, and why the sea is boiling hot, and whether pigs have wings at all today. "
        try test.add("Apart\n\nThe night was long. \(filler) The train came. \(filler) A ticket lay there. \(filler)")
        try test.add("Together\n\nThe sea. \(filler) \(filler) \(filler) A ticket for the night train lay there.")
        let titles = try PassageSearch(test.sendable()).passages(for: "night train ticket").map(\.chunk.title)
        #expect(titles == ["Together", "Apart"])
    }

    @Test func `a passage with the rarer half of the question is not hidden by others`() throws {
        let test = try TestNotes()
        for number in 0..<12 { try test.add("Report \(number)\n\nThe harbour council met on the pier, no. \(number).") }
        try test.add("Songs\n\nThe anthem was sung by Mira.")
        let question = "who sang the anthem at the harbour council pier?"
        let titles = try PassageSearch(test.sendable()).passages(for: question).map(\.chunk.title)
        #expect(titles.contains("Songs"))
    }

    @Test func `related notes share telling words, and a note is not related to itself`() throws {
        let test = try notebook()
        func related(_ title: String) throws -> [String] {
            let row = try test.notebook.notes.resolve(reference: title)
            let note = try #require(try test.notebook.notes.load(row.id))
            let found = try test.sendable().related(to: note)
            #expect(!found.contains { $0.row.id == row.id } && found.allSatisfy { !$0.words.isEmpty })
            return found.map(\.row.title)
        }
        #expect(try related("Sourdough").first == "Pizza dough")
        #expect(try related("Piranesi").contains("Ficciones") || related("Piranesi").contains("Birthday ideas"))
        #expect(try related("Bicycle chain").first == "Cassette tools")
        #expect(try related("Swift notes").contains("Rust notes"))
    }

    @Test func `one word in common relates notes of a large notebook only if it is a subject of the note`() throws {
        let test = try TestNotes()
        for number in 0..<100 { try test.add("Entry \(number)\n\nw\(number * 7919) q\(number * 104_729)") }
        try test.add("Quarry\n\nA lamp restricts the shaft.")
        try test.add("Parking\n\nSigns restrict visitors.")
        try test.add("Rehearsal\n\nBring the madrigal.")
        try test.add("Concert\n\nA madrigal at noon, another madrigal at six.")
        func related(_ title: String) throws -> [String] {
            let row = try test.notebook.notes.resolve(reference: title)
            return try test.sendable().related(to: #require(try test.notebook.notes.load(row.id))).map(\.row.title)
        }
        #expect(try related("Quarry").isEmpty && related("Rehearsal").isEmpty)
        #expect(try related("Concert") == ["Rehearsal"])
    }

    @Test func `nothing is found for words that no note has`() throws {
        let test = try notebook()
        for question in ["xylophone quark", " ?! ", ""] {
            #expect(try PassageSearch(test.sendable()).passages(for: question).isEmpty)
        }
    }

    @Test func `chunks keep fences and tables whole and know their headings`() throws {
        let test = try TestNotes()
        let code = "```\n" + (0..<200).map { "line \($0)" }.joined(separator: "\n") + "\n```"
        let long = (0..<100).map { "Sentence number \($0) is here." }.joined(separator: " ")
        let text =
            "# Title\n\nIntro.\n\n## One\n\n\(code)\n\n### Deep\n\n\(long)\n\n## Two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
        let row = try test.add(text)
        let chunks = Chunker.chunks(of: try #require(try test.notebook.notes.load(row.id)))
        #expect(chunks.filter { $0.text == code }.map(\.headings) == [["Title", "One"]])
        let deep = chunks.filter { $0.headings == ["Title", "One", "Deep"] }
        #expect(deep.count > 1 && deep.allSatisfy { TokenCount.estimate($0.text) <= Chunker.usualSize + 20 })
        #expect(deep.map(\.text).joined(separator: " ") == long)
        #expect(chunks.last?.headings == ["Title", "Two"] && chunks.last?.text.hasPrefix("| a | b |") == true)
    }

    @Test func `a title before the first heading is no chunk, unless the note is nothing else`() throws {
        let test = try TestNotes()
        for (text, chunks) in [
            ("Plan\n\n## May\n\nPears.\n", ["Pears."]), ("Plan\n", ["Plan"]), ("Plan\n\n## May\n", ["Plan"]),
            ("Plan\nof May\n\n## Fruit\n\nPears.\n", ["Plan\nof May", "Pears."]),
        ] {
            let note = try #require(try test.notebook.notes.load(try test.add(text).id))
            #expect(Chunker.chunks(of: note).map(\.text) == chunks, "\(text)")
        }
    }

    @Test func `a heading without words is none of a chunk's`() throws {
        let test = try TestNotes()
        let row = try test.add("# Plan\n\n##\n\nPears.\n\n### May\n\nPlums.\n")
        let chunks = Chunker.chunks(of: try #require(try test.notebook.notes.load(row.id)))
        #expect(chunks.map(\.headings) == [["Plan"], ["Plan", "May"]])
        #expect(chunks.first?.label == "Plan")
    }

    @Test func `a note with the line ends of Windows has the chunks of one with line feeds`() throws {
        let test = try TestNotes()
        let text = "# Title\n\nIntro.\n\n## One\n\n- a\n- b\n\n```\nls\n\nls\n```\n\n## Two\n\nThe end.\n"
        let kinds = try [text, text.replacing("\n", with: "\r\n")].map { text in
            let row = try test.add(text)
            return Chunker.chunks(of: try #require(try test.notebook.notes.load(row.id)))
        }
        #expect(kinds[0].map(\.text) == ["Intro.", "- a\n- b\n\n```\nls\n\nls\n```", "The end."])
        #expect(kinds[0].map(\.text) == kinds[1].map(\.text) && kinds[0].map(\.headings) == kinds[1].map(\.headings))
    }

    // MARK: - Privacy

    @Test func `what is never to be sent is in nothing that a model gets`() throws {
        let test = try TestNotes()
        let notebook = test.notebook
        let journal = try notebook.folders.create("Journal")
        let days = try notebook.folders.create("Days", in: journal.id)
        let secret = try notebook.tags.create("private")
        let closed = [
            try test.add("Pears in a folder", folder: days.id), try test.add("Pears with a tag", tags: [secret.id]),
            try test.add("Pears in a text\n\n#Private"),
            try test.add("---\ntags: [private]\n---\nPears in front matter"),
            try test.add("Pears of its own level"), try test.add("Pears archived"), try test.add("Pears thrown away"),
        ]
        let open = try test.add("Pears to be sent")
        let near = try test.add("Pears of this machine")
        try notebook.retrieval.setPrivacy(.never, of: closed[4].id)
        try notebook.retrieval.setPrivacy(.thisMachine, of: near.id)
        try notebook.notes.archive([closed[5].id])
        try notebook.trash.add([closed[6].id])
        for (recipient, seen) in [
            (SendingRule.Recipient.elsewhere, Set([open.id])), (.thisMachine, Set([open.id, near.id])),
        ] {
            let notes = test.sendable(SendingRule(recipient, neverSend: ["journal", "#Private"]))
            #expect(Set(try PassageSearch(notes).passages(for: "pears", limit: 50).map(\.chunk.note)) == seen)
            for row in closed { #expect(try notes.note(row.id) == nil, "\(row.title)") }
            for id in seen { #expect(try notes.note(id) != nil) }
        }
        // The user's own screen shows all live notes.
        #expect(try test.sendable().best(test.sendable().tellingWords(of: "pears").known).count == 7)
        #expect(try notebook.retrieval.privacy(of: near.id) == .thisMachine)
        try notebook.retrieval.setPrivacy(.thisMachine, of: journal.id)
        #expect(try test.sendable(SendingRule(.elsewhere)).note(closed[0].id) == nil)
        #expect(try test.sendable(SendingRule(.thisMachine)).note(closed[0].id) != nil)
    }

    @Test func `what is below a closed tag is closed too, and a level outlives the last text with its tag`() throws {
        let test = try TestNotes()
        let notebook = test.notebook
        let rule = SendingRule(.thisMachine, neverSend: ["#private"])
        let nested = [
            try test.add("---\ntags: [Private/diary]\n---\nPears in front matter"),
            try test.add("Pears in a text #private/diary"),
        ]
        for row in nested { #expect(try test.sendable(rule).note(row.id) == nil) }
        let spoken = try test.add("Pears #spoken")
        let tag = try #require(notebook.containers.all().first { $0.name == "spoken" })
        try notebook.retrieval.setPrivacy(.never, of: tag.id)
        _ = try notebook.notes.save(spoken.id, text: "Pears", baseRevision: spoken.revision)
        #expect(try test.sendable(SendingRule(.thisMachine)).note(spoken.id) != nil)
        let again = try test.add("Plums #spoken")
        let written = try test.add("---\ntags: [spoken/low]\n---\nPlums")
        for row in [again, written] { #expect(try test.sendable(SendingRule(.thisMachine)).note(row.id) == nil) }
    }

    @Test func `a level that is not known closes a note to every model`() throws {
        let test = try TestNotes()
        let notebook = test.notebook
        let folder = try notebook.folders.create("Odd")
        let rows = [try test.add("Pears"), try test.add("Plums", folder: folder.id)]
        for id in [rows[0].id.description, folder.id.description] {
            try notebook.settings.set("privacy/" + id, "of a newer version")
        }
        for row in rows {
            #expect(try test.sendable(SendingRule(.thisMachine)).note(row.id) == nil, "\(row.title)")
            #expect(try test.sendable().note(row.id) != nil)
        }
        #expect(try notebook.retrieval.privacy(of: rows[0].id) == .never)
    }

    @Test func `a summary is of the text that it was made from`() throws {
        let test = try TestNotes()
        let row = try test.add("First text.")
        let old = try #require(try test.notebook.notes.load(row.id))
        _ = try test.notebook.notes.save(row.id, text: "Second text.", baseRevision: row.revision, base: old.content)
        try test.notebook.notes.setSummary("First.", of: row.id, madeFrom: old.content, author: "model")
        let now = try #require(try test.notebook.notes.load(row.id))
        #expect(now.row.aiSummary == "First." && now.contentHasChanged())
        try test.notebook.notes.setSummary("Second.", of: row.id, madeFrom: now.content, author: "model")
        #expect(try test.notebook.notes.load(row.id)?.contentHasChanged() == false)
    }
}
