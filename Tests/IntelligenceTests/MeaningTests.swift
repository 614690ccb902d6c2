import Foundation
import NoteStore
import Processes
import ScriptedServer
import Synchronization
import Testing

@testable import Intelligence

/// Tests the search by meaning, with a server whose vectors count words and treat some words as synonyms.
struct MeaningTests {
    private static let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
    private static let sameMeaning = ["car": "automobile", "vehicle": "automobile", "feline": "cat", "kitten": "cat"]

    /// Returns a vector of 64 numbers: how many words fall into each dimension.
    private static func vector(of text: String) -> [Double] {
        var vector = [Double](repeating: 0, count: 64)
        for word in text.lowercased().split(whereSeparator: { !$0.isLetter }).map(String.init) {
            let word = sameMeaning[word] ?? word
            let hash = word.utf8.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
            vector[Int(hash % 64)] += word.count > 3 ? 1 : 0.1
        }
        return vector
    }

    /// Returns a server that embeds every text it gets.
    private static func server(refusesKind: Bool = false) throws -> ScriptedServer {
        try #require(
            ScriptedServer([
                .init([
                    .answer { request in
                        let body = request.range(of: "\r\n\r\n").map { String(request[$0.upperBound...]) } ?? ""
                        let value = JSONValue(parsing: body)
                        if refusesKind, value?["input_type"] != nil {
                            return "HTTP/1.1 400 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                        }
                        let entries = (value?["input"]?.list ?? []).enumerated().map { index, text -> JSONValue in
                            let numbers = vector(of: text.text ?? "").map { JSONValue.number($0) }
                            return ["index": .number(Double(index)), "embedding": .list(numbers)]
                        }
                        // The vectors come in another order than the texts.
                        let line = JSONValue.object(["data": .list(entries.reversed())]).line
                        return
                            "HTTP/1.1 200 OK\r\nContent-Length: \(line.utf8.count)\r\nConnection: close\r\n\r\n\(line)"
                    }
                ])
            ]))
    }

    private func provider(_ server: ScriptedServer, model: String = "m") throws -> Provider {
        var provider = Provider(name: "v", way: .server(try #require(ServerAddress(server.url))))
        provider.model = model
        return provider
    }

    private func run(_ provider: Provider) -> EmbeddingRun {
        EmbeddingRun(provider, environment: Self.environment)
    }

    @discardableResult
    private func index(
        _ test: TestNotes, _ provider: Provider, _ rule: SendingRule = SendingRule(.thisMachine)
    ) throws -> MeaningIndex.Plan {
        let index = MeaningIndex(test.sendable(rule), provider: provider)
        let plan = try index.plan()
        try index.build(plan, run(provider))
        return plan
    }

    private func titles(_ test: TestNotes, _ question: String, _ provider: Provider?) throws -> [String] {
        let finder = PassageFinder(test.sendable(), embedding: provider, environment: Self.environment)
        return try finder.passages(for: question).passages.map(\.chunk.title)
    }

    // MARK: - Finding

    @Test func `what means the same is found, and what has the words stays found`() throws {
        let server = try Self.server()
        defer { server.stop() }
        let (test, provider) = (try TestNotes(), try provider(server))
        try test.add("Garage\n\nThe automobile needs winter tyres.")
        try test.add("Pets\n\nThe cat sleeps on the warm radiator.")
        try test.add("Soup\n\nLentils, carrots, cumin and lemon.")
        #expect(try titles(test, "vehicle", provider).isEmpty && server.requests.isEmpty)
        try index(test, provider)
        #expect(try titles(test, "vehicle", provider).first == "Garage")
        #expect(try titles(test, "kitten", provider).first == "Pets")
        #expect(try titles(test, "which soup has cumin?", provider).first == "Soup")
        // Without a provider, only words are compared.
        #expect(try titles(test, "vehicle", nil).isEmpty)
    }

    @Test func `a note that has one word of a longer question does not come before the nearest in meaning`() throws {
        let server = try Self.server()
        defer { server.stop() }
        let (test, provider) = (try TestNotes(), try provider(server))
        try test.add("Garage\n\nThe automobile needs winter tyres.")
        try test.add("Passport\n\nExpires in June.")
        try test.add("Soup\n\nLentils, carrots, cumin and lemon.")
        try index(test, provider)
        // No note has these words, and “passport” is only similar to one of them.
        #expect(try titles(test, "password for the vehicle door", provider).first == "Garage")
        #expect(try titles(test, "pasport", provider).first == "Passport")
    }

    @Test func `notes of one meaning are related without a word in common, and nothing is sent for it`() throws {
        let server = try Self.server()
        defer { server.stop() }
        let (test, provider) = (try TestNotes(), try provider(server))
        let garage = try test.add("Garage\n\nautomobile automobile")
        try test.add("Trip\n\nvehicle vehicle")
        try test.add("Soup\n\nlentils carrots")
        try index(test, provider)
        let count = server.requests.count
        let note = try #require(try test.notebook.notes.load(garage.id))
        #expect(try RelatedNotes.find(for: note, among: test.sendable()).isEmpty)
        let related = try RelatedNotes.find(for: note, among: test.sendable(), embedding: provider)
        #expect(related.first?.row.title == "Trip" && !related.contains { $0.row.id == garage.id })
        #expect(server.requests.count == count)
    }

    @Test func `a note on another subject is not related, however alike all vectors are`() throws {
        // Each vector is the part that all have in common, and a smaller one of its subject: the cosine of any two is 0.9
        // or more.
        let subjects = ["boiler": 0, "radiator": 0, "choir": 1, "violin": 1, "passport": 2]
        let test = try TestNotes()
        var rows: [String: NoteRow] = [:]
        for (number, word) in (subjects.keys.sorted() + (0..<20).map { "other\($0)" }).enumerated() {
            rows[word] = try test.add("Note \(number) of \(word)")
        }
        var content = VectorFile.Content()
        for (number, word) in rows.keys.sorted().enumerated() {
            var vector = [Float](repeating: 0, count: 40)
            vector[0] = 3
            // What is on no subject has a direction of its own.
            vector[subjects[word].map { 1 + $0 } ?? 10 + number] = 1
            let id = try #require(rows[word]?.id)
            content.add(VectorKey(note: id, text: word), try #require(VectorCode.code(vector)))
        }
        let provider = Provider(name: "v", way: .command(["none"]))
        try VectorFile(of: test.notebook, model: provider.identity).write(content)
        let index = MeaningIndex(test.sendable(), provider: provider)
        func related(_ word: String) throws -> [NoteID] {
            index.related(to: try #require(rows[word]?.id)).map(\.note)
        }
        #expect(try related("boiler") == [rows["radiator"]?.id] && related("violin") == [rows["choir"]?.id])
        #expect(try related("passport").isEmpty && related("other3").isEmpty)
    }

    @Test func `a server that stops answering leaves the words, and says why`() throws {
        let server = try Self.server()
        let (test, provider) = (try TestNotes(), try provider(server))
        try test.add("Garage\n\nThe automobile needs tyres.")
        try index(test, provider)
        server.stop()
        let finder = PassageFinder(test.sendable(), embedding: provider, environment: Self.environment)
        let found = try finder.passages(for: "tyres")
        #expect(found.passages.map(\.chunk.title) == ["Garage"])
        #expect(found.problem == .noServer(provider.label, setting: "ai.embed"))
    }

    // MARK: - Making

    @Test func `only what changed is sent again, and what is gone is removed`() throws {
        let server = try Self.server(refusesKind: true)
        defer { server.stop() }
        let (test, provider) = (try TestNotes(), try provider(server))
        let rows = try (0..<40).map { try test.add("Note \($0)\n\nText number \($0).") }
        #expect(try index(test, provider).missing.count == 40)
        // There were two batches, and the first was sent twice, because the server refused an unknown parameter.
        #expect(server.requests.count == 3)
        #expect(try index(test, provider).missing.isEmpty && server.requests.count == 3)
        _ = try test.notebook.notes.save(rows[3].id, text: "Note 3\n\nNew text.", baseRevision: rows[3].revision)
        try test.notebook.trash.add([rows[5].id])
        let plan = try index(test, provider)
        #expect(plan.missing.map(\.note) == [rows[3].id] && plan.kept == 38 && plan.stale == 2)
        #expect(server.requests.last?.contains("New text.") == true)
        #expect(server.requests.last?.contains("number 4") == false)
    }

    @Test func `what is never to be sent is in no request, and what was closed since is found no more`() throws {
        let server = try Self.server()
        defer { server.stop() }
        let (test, provider) = (try TestNotes(), try provider(server))
        try test.add("Diary\n\nsecret automobile #private")
        let open = try test.add("Garage\n\nplain automobile")
        let rule = SendingRule(.thisMachine, neverSend: ["#private"])
        try index(test, provider, rule)
        #expect(!server.requests.contains { $0.contains("secret") } && server.requests.count == 1)
        try test.notebook.retrieval.setPrivacy(.never, of: open.id)
        let finder = PassageFinder(test.sendable(rule), embedding: provider, environment: Self.environment)
        #expect(try finder.passages(for: "vehicle").passages.isEmpty)
        #expect(try index(test, provider, rule).stale == 1)
    }

    @Test func `the file is the owner's, no part of backups, and damage counts as none`() throws {
        let server = try Self.server()
        defer { server.stop() }
        let (test, provider) = (try TestNotes(), try provider(server))
        try test.add("Garage\n\nThe automobile needs tyres.")
        try index(test, provider)
        let path = test.notebook.path + ".vectors"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        let whole = try Data(contentsOf: URL(filePath: path))
        for damaged in [Data(), whole.prefix(9), whole.prefix(whole.count - 3), Data("nonsense".utf8) + whole] {
            try damaged.write(to: URL(filePath: path))
            #expect(try titles(test, "tyres", provider) == ["Garage"])
            #expect(try titles(test, "vehicle", provider).isEmpty)
            #expect(try MeaningIndex(test.sendable(), provider: provider).plan().missing.count == 1)
        }
        try whole.write(to: URL(filePath: path))
        #expect(
            try MeaningIndex(test.sendable(), provider: self.provider(server, model: "n")).plan().missing.count == 1)
        #expect(try titles(test, "vehicle", provider) == ["Garage"])
    }

    @Test func `the vectors of a former model are used until those of the new one are complete`() throws {
        let server = try Self.server()
        defer { server.stop() }
        let (test, old, new) = (try TestNotes(), try provider(server), try provider(server, model: "n"))
        let garage = try test.add("Garage\n\nautomobile automobile")
        try test.add("Trip\n\nvehicle vehicle")
        for number in 0..<40 { try test.add("Soup \(number)\n\nlentils carrots") }
        try index(test, old)
        let note = try #require(try test.notebook.notes.load(garage.id))
        func related() throws -> String? {
            try RelatedNotes.find(for: note, among: test.sendable(), embedding: new).first?.row.title
        }
        #expect(try related() == "Trip")
        // The run ends after its first batch.
        let stop = CommandStop()
        let meaning = MeaningIndex(test.sendable(SendingRule(.thisMachine)), provider: new)
        let plan = try meaning.plan()
        #expect(plan.missing.count == 42)
        let stopping = EmbeddingRun(new, environment: Self.environment, stop: stop)
        #expect(throws: ModelFailure.stopped) { try meaning.build(plan, stopping) { _ in stop.stop() } }
        #expect(try related() == "Trip" && titles(test, "automobile", old).first == "Garage")
        #expect(try index(test, new).missing.count == 10)
        #expect(try related() == "Trip" && titles(test, "vehicle", new).contains("Garage"))
        #expect(!FileManager.default.fileExists(atPath: test.notebook.path + ".vectors.new"))
    }

    @Test func `vectors of a program are not compared with those of the same program with other arguments`() throws {
        let script = "read line; echo '[[1,0]]'"
        func program(_ argument: String) -> Provider {
            Provider(name: "p", way: .command(["sh", "-c", script, argument]))
        }
        let test = try TestNotes()
        try test.add("Garage\n\nautomobile")
        #expect(try index(test, program("small")).missing.count == 1)
        #expect(try index(test, program("small")).missing.isEmpty)
        #expect(try index(test, program("large")).missing.count == 1)
    }

    @Test func `a run that ends early keeps the vectors of one that was made beside it`() throws {
        let server = try Self.server()
        defer { server.stop() }
        let (test, provider) = (try TestNotes(), try provider(server))
        for number in 0..<40 { try test.add("Soup \(number)\n\nlentils carrots") }
        let index = MeaningIndex(test.sendable(SendingRule(.thisMachine)), provider: provider)
        let (first, second) = (try index.plan(), try index.plan())
        #expect(try index.build(first, run(provider)) == 40)
        let stop = CommandStop()
        let stopping = EmbeddingRun(provider, environment: Self.environment, stop: stop)
        #expect(throws: ModelFailure.stopped) { try index.build(second, stopping) { _ in stop.stop() } }
        #expect(try index.plan().missing.isEmpty)
    }

    @Test func `the reason is told before a server of vectors is asked again, and a stop ends the pause`() throws {
        let server = try #require(ScriptedServer([.status(429)]))
        defer { server.stop() }
        let stop = CommandStop()
        var asking = EmbeddingRun(try provider(server), environment: Self.environment, stop: stop)
        let reasons = Mutex<[String]>([])
        asking.willPause = { reason in
            reasons.withLock { $0.append(reason) }
            stop.stop()
        }
        #expect(throws: ModelFailure.stopped) { try asking.vectors(of: ["car"], as: .query) }
        let told = "127.0.0.1:\(server.port) has had too many requests; asking again for half a minute"
        #expect(reasons.withLock { $0 } == [told] && server.requests.count == 1)
    }

    @Test func `of a passage that is longer than the context its beginning is embedded`() throws {
        let server = try Self.server()
        defer { server.stop() }
        let test = try TestNotes()
        var provider = try provider(server)
        provider.context = 512
        try test.add("# Garage\n\n```\n" + String(repeating: "automobile é ", count: 1000) + "\n```\n")
        let index = MeaningIndex(test.sendable(SendingRule(.thisMachine)), provider: provider)
        let plan = try index.plan()
        #expect(plan.missing.count == 1 && plan.tokens <= 512)
        #expect(index.requests(for: plan, run(provider)).allSatisfy { $0.utf8.count < 2000 })
        #expect(try index.build(plan, run(provider)) == 1)
        #expect(server.requests.allSatisfy { $0.utf8.count < 3000 })
        #expect(try titles(test, "vehicle", provider) == ["Garage"])
    }

    @Test func `a text without a direction is not counted as found by meaning`() throws {
        let test = try TestNotes()
        try test.add("Garage\n\nautomobile")
        let provider = Provider(name: "p", way: .command(["sh", "-c", "echo '[[0,0]]'"]))
        let index = MeaningIndex(test.sendable(), provider: provider)
        #expect(try index.build(index.plan(), run(provider)) == 0)
    }

    // MARK: - The wire

    @Test func `an answer is as many vectors of one length as there were texts, or none`() {
        func vectors(_ text: String, count: Int = 2) -> [[Float]]? {
            EmbeddingRun.vectors(in: JSONValue(parsing: text) ?? .null, count: count)
        }
        #expect(
            vectors(#"{"data":[{"index":1,"embedding":[3,4]},{"index":0,"embedding":[1,2]}]}"#) == [[1, 2], [3, 4]])
        #expect(vectors(#"{"data":[{"embedding":[1,2]},{"embedding":[3,4]}],"usage":{}}"#) == [[1, 2], [3, 4]])
        #expect(vectors("[[1,2],[3,4]]") == [[1, 2], [3, 4]])
        for odd in [
            "", "{}", "[[1,2]]", "[[1,2],[3]]", "[[],[]]", "[[1,2],[3,\"4\"]]", "[[1,2],[3,null]]",
            #"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[2]}]}"#,
            #"{"data":[{"index":7,"embedding":[1]},{"index":0,"embedding":[2]}]}"#, #"{"error":{"message":"sk-1"}}"#,
        ] {
            #expect(vectors(odd) == nil, "\(odd)")
        }
    }

    @Test func `a refusal of vectors is reported by its own name, and an endless answer is ended`() throws {
        func failure(_ reply: ScriptedServer.Reply) throws -> ModelFailure? {
            let server = try #require(ScriptedServer([reply]))
            defer { server.stop() }
            var run = run(try provider(server))
            run.answerLimit = 1000
            do throws(ModelFailure) {
                _ = try run.vectors(of: ["a"], as: .query)
            } catch {
                return error
            }
            return nil
        }
        let large = #"{"error":{"message":"input is too large to process. increase the physical batch size"}}"#
        if case .contextExceeded? = try failure(.status(500, large)) {} else { Issue.record("500") }
        let long = #"{"error":{"message":"This model's maximum context length is 8192 tokens"}}"#
        if case .contextExceeded? = try failure(.status(400, long)) {} else { Issue.record("400") }
        if case .contextExceeded? = try failure(.status(413)) {} else { Issue.record("413") }
        if case .notAnEmbedding? = try failure(.status(404)) {} else { Issue.record("404") }
        let unknown = #"{"error":{"message":"model 'm' not found"}}"#
        if case .noSuchModel(_, "m")? = try failure(.status(404, unknown)) {} else { Issue.record("no model") }
        let endless = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + String(repeating: "[", count: 2000)
        if case .notAnEmbedding? = try failure(.init([.send(Array(endless.utf8)), .hang])) {
        } else {
            Issue.record("endless")
        }
        var program = run(Provider(name: "p", way: .command(["yes"])))
        program.answerLimit = 1000
        #expect(throws: ModelFailure.notAnEmbedding("yes")) { try program.vectors(of: ["a"], as: .query) }
    }

    @Test func `a program embeds a list, and its failure is reported by name`() throws {
        var provider = Provider(
            name: "p",
            way: .command(["sh", "-c", "read line; case $line in *'passage: a'*) echo '[[1,0],[0,2]]';; esac"]))
        #expect(try run(provider).vectors(of: ["a", "b"], as: .passage) == [[1, 0], [0, 2]])
        #expect(throws: ModelFailure.notAnEmbedding("sh")) { try run(provider).vectors(of: ["x", "y"], as: .query) }
        provider.way = .command(["no-such-program-here"])
        #expect(throws: ModelFailure.noProgram("no-such-program-here")) {
            try run(provider).vectors(of: ["a"], as: .query)
        }
    }

    @Test func `codes keep the direction of a vector`() throws {
        let a = try #require(VectorCode.code([0.1, -0.2, 0.05, 0])), b = try #require(VectorCode.code([10, -20, 5, 0]))
        #expect(a == b && VectorCode.similarity(a[...], b[...]) > 0.999)
        let c = try #require(VectorCode.code([-1, 2, -0.5, 0]))
        #expect(VectorCode.similarity(a[...], c[...]) < -0.999)
        #expect(VectorCode.code([0, 0]) == nil && VectorCode.code([.nan, 1]) == nil)
    }
}
