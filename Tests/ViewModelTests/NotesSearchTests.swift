import Foundation
import NoteStore
import TestSupport
import Testing
import TextEditing

@testable import ViewModel

/// Tests the search over all notes for replacing: it can be stopped, and it ends.
@MainActor
@Suite struct NotesSearchTests {
    let fixture: TemporaryNotebook

    init() throws { fixture = try TemporaryNotebook() }

    private var model: TakeNoteVM { fixture.model }

    /// An expression that takes years on this text.
    private let slow = NotesQuery(FindQuery("(a+)+$", isRegularExpression: true), replacement: "x")
    private let slowText = String(repeating: "a", count: 40) + "b"

    @Test func `a newer search ends one that would take years, and only its result is delivered`() throws {
        defer { fixture.close() }
        try fixture.add(slowText)
        try fixture.add("a pear")
        model.start()
        let search = model.searchInNotes()
        search.limits = (.seconds(3_600), .seconds(3_600))
        var delivered: [NotesSearch.State] = []
        search.search(slow) { delivered.append($0) }
        search.search(NotesQuery(FindQuery("pear"), replacement: "apple")) { delivered.append($0) }
        #expect(fixture.scheduler.run { delivered.first?.isDone == true })
        #expect(delivered.count == 1 && delivered[0].count == 1 && delivered[0].problem == nil)
        withExtendedLifetime(search) {}
    }

    @Test func `a search that is cancelled delivers nothing, and the next one runs`() throws {
        defer { fixture.close() }
        try fixture.add(slowText)
        model.start()
        let search = model.searchInNotes()
        search.limits = (.seconds(3_600), .seconds(3_600))
        search.search(slow) { _ in Issue.record("it was cancelled") }
        search.cancel()
        var state: NotesSearch.State?
        search.search(NotesQuery(FindQuery("b"), replacement: "c")) { state = $0 }
        #expect(fixture.scheduler.run { state != nil })
        #expect(state?.count == 1)
    }

    @Test func `an expression that is too slow in a note says so and names it`() throws {
        defer { fixture.close() }
        try fixture.add("Slow one\n" + slowText)
        model.start()
        let search = model.searchInNotes()
        search.limits.note = .milliseconds(20)
        var state: NotesSearch.State?
        search.search(slow) { state = $0 }
        #expect(fixture.scheduler.run { state != nil })
        #expect(state?.isDone == true && state?.notes.isEmpty == true)
        let problem = try #require(state?.problem)
        #expect(problem.contains("regex too slow") && problem.contains("Slow one"), "\(problem)")
    }

    @Test func `the search of all notes ends in its time, however little each of them takes`() throws {
        defer { fixture.close() }
        for number in 0..<5 { try fixture.add("note \(number)") }
        model.start()
        let search = model.searchInNotes()
        search.limits.all = .zero
        var state: NotesSearch.State?
        search.search(NotesQuery(FindQuery("note"), replacement: "x")) { state = $0 }
        #expect(fixture.scheduler.run { state != nil })
        #expect(state?.problem == "stopped after 0 s: regex too slow" && state?.notes.isEmpty == true)
    }

    @Test func `lines that are not ticked stay, and a match over a line's end counts on its first line`() throws {
        defer { fixture.close() }
        let note = try fixture.add("one\ntwo\none two\none\ntwo")
        model.start()
        let search = model.searchInNotes()
        var state: NotesSearch.State?
        let query = FindQuery("one\\s+two", isRegularExpression: true)
        search.search(NotesQuery(query, replacement: "[$0]")) { state = $0 }
        #expect(fixture.scheduler.run { state != nil })
        let found = try #require(state)
        #expect(found.notes.first?.lines.map(\.number) == [0, 2, 3])
        model.replace(in: [(found.notes[0], [0, 2])])
        let expected = "[one\ntwo]\none two\n[one\ntwo]"
        #expect(fixture.scheduler.run { model.session?.text == expected })
        #expect(try fixture.notebook.notes.text(note.id) == expected)
    }
}
