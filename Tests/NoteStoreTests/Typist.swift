import Foundation
import Synchronization
import SystemPackage
import TextEditing

@testable import NoteStore

/// A user who types into notes of a notebook, with a journal and saves, as in the program.
final class Typist {
    let journal: SessionJournal
    private let notebook: Notebook
    /// The notes as they are on the screen, and their saved states in the notebook.
    private(set) var texts: [NoteID: TextBuffer] = [:]
    private var stored: [NoteID: (revision: Int64, text: TextBuffer)] = [:]

    init(_ notebook: Notebook) throws {
        self.notebook = notebook
        journal = try notebook.journal.open()
    }

    func screen(_ note: NoteID) -> String { texts[note]?.string() ?? "" }

    private func open(_ note: NoteID) throws {
        guard texts[note] == nil, let row = try notebook.notes.row(note), let text = try notebook.notes.text(note)
        else { return }
        texts[note] = TextBuffer(text)
        stored[note] = (row.revision, TextBuffer(text))
    }

    /// Replaces some bytes, without writing the journal.
    func edit(_ note: NoteID, at offset: Int, removing count: Int = 0, inserting text: String) throws {
        try open(note)
        guard var buffer = texts[note], let stored = stored[note] else { return }
        let range = ByteOffset(offset)..<ByteOffset(offset + count)
        let edit = Edit(replacing: range, of: buffer, with: text)
        edit.apply(to: &buffer)
        texts[note] = buffer
        journal.record(edit, of: note, revision: stored.revision, base: stored.text)
    }

    /// Writes the journal, as the program does before a frame.
    @discardableResult
    func write() throws -> Bool { try journal.write { texts[$0] } }

    func type(_ text: String, into note: NoteID) throws {
        try open(note)
        try edit(note, at: texts[note]?.utf8Count ?? 0, inserting: text)
        try write()
    }

    /// Saves a note; with `isNoted` false, the journal does not learn of it, as if the program were killed just then.
    func save(_ note: NoteID, isNoted: Bool = true) throws {
        try write()
        guard let text = texts[note], let base = stored[note] else { return }
        let position = journal.position(of: note, on: base.revision)
        guard try notebook.notes.row(note) != nil else {
            let made = try notebook.notes.create(NewNote(text: text.string(), id: note), position: position)
            guard isNoted else { return }
            stored[note] = (made.revision, text)
            if let position { journal.saved(note, through: position, revision: made.revision) }
            return
        }
        let outcome = try notebook.notes.save(
            note, text: text, baseRevision: base.revision, base: base.text, position: position)
        guard isNoted else { return }
        switch outcome {
        case .saved(let row):
            stored[note] = (row.revision, text)
            if let position { journal.saved(note, through: position, revision: row.revision) }
        case .merged(let row, let merged), .conflict(let row, let merged, _):
            stored[note] = (row.revision, TextBuffer(merged))
            texts[note] = TextBuffer(merged)
            journal.rebase(note, revision: row.revision, base: TextBuffer(merged), pending: nil)
            try write()
        }
    }

    /// Shows the text that another program has saved.
    func take(_ note: NoteID) throws {
        texts[note] = nil
        try open(note)
    }

    func leave(_ note: NoteID) {
        journal.leave(note)
        texts[note] = nil
        stored[note] = nil
    }

    /// Leaves the journal as a killed program does.
    func die() { journal.abandon() }
}

/// A journal disk that fails on request.
final class FailingDisk: Sendable {
    private struct State {
        /// The number of bytes that fit before the error; nil never fails.
        var room: Int?
        var error: Errno = .noSpace
        var written = 0
        var refusesTruncation = false
    }

    private let state = Mutex(State())

    func fail(after room: Int, with error: Errno = .noSpace) {
        state.withLock {
            $0.room = room
            $0.error = error
        }
    }

    var refusesTruncation: Bool {
        get { state.withLock { $0.refusesTruncation } }
        set { state.withLock { $0.refusesTruncation = newValue } }
    }

    func work() { state.withLock { $0.room = nil } }

    var disk: JournalDisk {
        var disk = JournalDisk.system
        disk.write = { [self] file, bytes throws(Errno) in
            let (room, error) = state.withLock { ($0.room, $0.error) }
            guard let room else { return try JournalDisk.system.write(file, bytes) }
            if room <= 0 { throw error }
            let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(room))
            state.withLock { $0.room = room - part.count }
            return try JournalDisk.system.write(file, part)
        }
        disk.truncate = { [self] file, size throws(Errno) in
            if refusesTruncation { throw .ioError }
            try JournalDisk.system.truncate(file, size)
        }
        return disk
    }
}
