import Foundation
import SystemPackage
import TextEditing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How far the changes of a note in a journal have got.
public struct JournalPosition: Equatable, Sendable {
    /// The journal's session.
    public let session: String
    /// The number of the note's last change.
    public let number: UInt64
}

/// The journal of one program: what it has typed and not yet saved, in a file of its own beside the notebook.
///
/// Edits are collected by `record` and written by `write`, which is to be called before anything is shown that has them:
/// what `write` has returned from is with the operating system and survives the program's death. That the disk has it
/// too is seen to by a thread, soon after. What is in the notebook is told by the notebook itself, in the transaction
/// that saves a text (`JournalPosition`): no kill can come between.
///
/// The file is locked for as long as the program lives: a journal that is not locked has lost its owner, and whoever
/// finds it replays it (`Notebook.replayJournals`).
///
/// To be used by one thread.
public final class SessionJournal {
    /// Names the session; notes in Buffer carry it as their owner.
    public let id: String
    var path: String { file.path }

    private let file: JournalFile
    private let disk: JournalDisk
    private let sync: JournalSync
    private let mark: UInt32
    /// Bytes of the file's beginning, which stay when all else is saved, and of all of it.
    private let beginning: Int
    private var size: Int
    /// Bytes behind these, of a record that could not be written and not be cut off.
    private var torn = 0
    /// Records that are not written yet.
    private var batch: [UInt8] = []
    /// The notes that they are of.
    private var batched: [NoteID] = []
    private var number: UInt64 = 0
    private var logs: [NoteID: Log] = [:]
    /// Long texts that are being written down, piece by piece.
    private var copies: [TextCopy] = []

    /// What was written of a note.
    private struct Log {
        /// The revision of the notebook's text that the note has, or had when its first edit was made.
        var revision: Int64
        /// The number of the last change, and of the last that is in the notebook.
        var last: UInt64
        var saved: UInt64
        /// Whether a record is missing, so that only the whole text helps.
        var needsWhole = false
    }

    private struct TextCopy {
        let note: NoteID
        let number: UInt64
        let revision: Int64
        let buffer: TextBuffer
        var offset: ByteOffset = 0
    }

    /// Bytes up to which a text is written at once, and of a piece of a longer one.
    private static let shortText = 128 << 10
    private static let piece = 128 << 10
    /// Bytes of a file in which all is saved, from which on it is emptied.
    private static let outgrown = 4 << 20

    /// - Throws: `Errno`, `StoreError`.
    init(
        folder: String, notebook: String, identity: String = "", disk: JournalDisk = .system,
        syncFailed: @escaping @Sendable (Errno) -> Void = { _ in }
    ) throws {
        let uuid = UUID()
        id = uuid.uuidString
        mark = JournalFormat.mark(ofSession: uuid)
        self.disk = disk
        try DiskFile.makeFolders(FilePath(folder))
        file = try JournalFile.make("\(folder)/\(id)\(JournalFile.ending)", disk: disk)
        var start = JournalFormat.mark
        JournalFormat.appendSession(notebook: notebook, identity: identity, mark: mark, to: &start)
        beginning = start.count
        size = 0
        sync = JournalSync(file, disk: disk, failed: syncFailed)
        do {
            try put(start)
        } catch {
            sync.end()
            DiskFile.remove(file.path)
            throw error
        }
    }

    deinit { sync.end() }

    // MARK: Recording

    /// Notes an edit of a note, to be written by the next `write`.
    ///
    /// - Parameters:
    ///   - revision: the note's revision in the notebook, which `base` is the text of.
    ///   - base: what the note's first unsaved edit was made on.
    public func record(_ edit: Edit, of note: NoteID, revision: Int64, base: TextBuffer) {
        beginIfNeeded(note, revision: revision, base: base)
        guard var log = logs[note] else { return }
        number += 1
        if !log.needsWhole {
            JournalFormat.appendEdit(edit, of: note, number: number, after: log.last, mark: mark, to: &batch)
            noteInBatch(note)
        }
        log.last = number
        logs[note] = log
    }

    /// Notes that a note has changed in a way that only its whole text tells.
    public func recordChange(of note: NoteID, revision: Int64, base: TextBuffer) {
        beginIfNeeded(note, revision: revision, base: base)
        number += 1
        logs[note]?.last = number
        logs[note]?.needsWhole = true
    }

    /// Puts a note on a new base, as after a merge, with what was typed since as one edit of that base.
    public func rebase(_ note: NoteID, revision: Int64, base: TextBuffer, pending: Edit?) {
        begin(note, revision: revision, base: base)
        guard let pending, !pending.isEmpty else { return }
        record(pending, of: note, revision: revision, base: base)
    }

    /// Begins with a text that the notebook has.
    private func begin(_ note: NoteID, revision: Int64, base: TextBuffer) {
        number += 1
        copies.removeAll { $0.note == note }
        append(base, of: note, revision: revision)
        logs[note] = Log(revision: revision, last: number, saved: number)
        noteInBatch(note)
    }

    private func beginIfNeeded(_ note: NoteID, revision: Int64, base: TextBuffer) {
        let log = logs[note]
        guard log?.revision != revision else { return }
        begin(note, revision: revision, base: base)
        // What is not saved was made on another base: the edits that follow do not tell the text.
        if let log, log.last > log.saved { logs[note]?.needsWhole = true }
    }

    private func noteInBatch(_ note: NoteID) {
        if batched.last != note { batched.append(note) }
    }

    /// Appends the text that a note has at the present number: at once if it is short, else the fact, and the text piece
    /// by piece.
    ///
    /// Until it is there, the notebook's own text stands for one that has a revision.
    private func append(_ text: TextBuffer, of note: NoteID, revision: Int64) {
        let isShort = text.utf8Count <= Self.shortText
        let range = isShort ? text.range : ByteOffset(0)..<ByteOffset(0)
        JournalFormat.appendText(
            of: note, number: number, revision: revision, buffer: text, range: range, mark: mark, to: &batch)
        if !isShort { copies.append(TextCopy(note: note, number: number, revision: revision, buffer: text)) }
    }

    // MARK: Writing

    /// Whether there is something to be written.
    public var hasRecords: Bool { !batch.isEmpty || logs.values.contains { $0.needsWhole } }

    /// Writes what was recorded, in one call of the system.
    ///
    /// Of a note with a record that could not be written the next record is its whole text.
    ///
    /// - Parameter text: the text of a note with all edits that were recorded.
    /// - Returns: false while a whole text that is needed is not all there.
    @discardableResult
    public func write(text: (NoteID) -> TextBuffer?) throws(StoreError) -> Bool {
        for (note, log) in logs where log.needsWhole {
            guard let text = text(note) else { continue }
            number += 1
            logs[note]?.last = number
            logs[note]?.needsWhole = false
            noteInBatch(note)
            copies.removeAll { $0.note == note && $0.revision <= 0 }
            append(text, of: note, revision: -log.revision)
        }
        guard !batch.isEmpty else { return isWhole }
        do {
            try put(batch)
        } catch {
            fail()
            throw StoreError(writing: path, error)
        }
        batch.removeAll(keepingCapacity: true)
        batched.removeAll(keepingCapacity: true)
        return isWhole
    }

    private var isWhole: Bool { !copies.contains { $0.revision <= 0 } && !logs.values.contains { $0.needsWhole } }

    /// What could not be written leaves gaps.
    private func fail() {
        batch.removeAll(keepingCapacity: true)
        for note in batched { logs[note]?.needsWhole = true }
        batched.removeAll(keepingCapacity: true)
    }

    /// What was written may not have reached the disk: all that is not saved is needed anew.
    ///
    /// A note that is saved is forgotten, since its base may be lost too; its next edit begins with another.
    public func needsAllAnew() {
        for (note, log) in logs {
            if log.last > log.saved { logs[note]?.needsWhole = true } else { forget(note) }
        }
    }

    /// Whether a long text is being written down, and `copyOn` is to be called when nothing else is to be done.
    public var hasCopies: Bool { !copies.isEmpty }

    /// Writes the next piece of a long text: under a millisecond.
    public func copyOn() throws(StoreError) {
        guard batch.isEmpty, var copy = copies.first else { return }
        let end = min(copy.offset + Self.piece, copy.buffer.end)
        JournalFormat.appendText(
            of: copy.note, number: copy.number, revision: copy.revision, buffer: copy.buffer,
            range: copy.offset..<end, mark: mark, to: &batch)
        copy.offset = end
        copies[0] = copy
        if end == copy.buffer.end { copies.removeFirst() }
        do {
            try put(batch)
            batch.removeAll(keepingCapacity: true)
        } catch {
            batch.removeAll(keepingCapacity: true)
            copies.removeAll { $0.number == copy.number }
            logs[copy.note]?.needsWhole = true
            throw StoreError(writing: path, error)
        }
    }

    /// Writes at the end of the file all or nothing.
    private func put(_ bytes: [UInt8]) throws(Errno) {
        cutOffTorn()
        var written = 0
        var problem: Errno?
        bytes.withUnsafeBytes { bytes in
            while written < bytes.count {
                let count = disk.write(file.descriptor, UnsafeRawBufferPointer(rebasing: bytes[written...]))
                if count > 0 {
                    written += count
                } else if count == 0 || errno != EINTR {
                    problem = count == 0 ? .noSpace : Errno(rawValue: errno)
                    return
                }
            }
        }
        guard let problem else {
            // What could not be cut off lies before these for ever; whoever reads the file passes over it.
            size += torn + bytes.count
            torn = 0
            return sync.ask()
        }
        torn = written
        cutOffTorn()
        throw problem
    }

    /// Cuts off the beginning of a record that could not be written.
    private func cutOffTorn() {
        guard torn > 0, disk.truncate(file.descriptor, size) == 0 else { return }
        torn = 0
    }

    // MARK: What is saved

    /// How far a note has got, to be saved with its text; `nil` if nothing of it was recorded.
    public func position(of note: NoteID) -> JournalPosition? {
        logs[note].map { JournalPosition(session: id, number: $0.last) }
    }

    /// Takes over that the notebook has a note up to a position, as a revision.
    public func saved(_ note: NoteID, through position: JournalPosition, revision: Int64) {
        guard var log = logs[note], position.session == id else { return }
        log.saved = max(log.saved, position.number)
        log.revision = revision
        logs[note] = log
        guard log.last <= log.saved else { return }
        if log.needsWhole { forget(note) }
        trim()
    }

    /// Forgets a note that was left, if all of it is saved.
    public func leave(_ note: NoteID) {
        guard let log = logs[note], log.last <= log.saved else { return }
        forget(note)
        trim()
    }

    private func forget(_ note: NoteID) {
        logs[note] = nil
        copies.removeAll { $0.note == note }
    }

    /// Empties the file when it is of no more use: when all is saved, and no note is open or it has grown long.
    ///
    /// Until then bases stay, so that not every save of a long note costs another copy of it.
    private func trim() {
        guard batch.isEmpty, !hasUnsaved, logs.isEmpty || size > Self.outgrown, size > beginning else { return }
        // That it fails only means that the file stays long.
        guard disk.truncate(file.descriptor, beginning) == 0 else { return }
        (size, torn) = (beginning, 0)
        logs = [:]
        copies = []
    }

    /// Whether it holds edits that are not in the notebook.
    public var hasUnsaved: Bool { logs.values.contains { $0.last > $0.saved } }

    /// Bytes of the file.
    public var fileSize: Int { size }

    /// Whether the file was removed by somebody else.
    public var isGone: Bool { file.isGone }

    /// Ends the session and removes the file, or leaves it for replay if it holds what is not saved.
    public func close() {
        sync.end()
        if hasUnsaved {
            // Its thread ends before its last round. That it fails was told by an earlier round, or nobody is left to hear it.
            _ = disk.sync(file.descriptor)
        } else {
            DiskFile.remove(path)
        }
        file.unlock()
    }
}

extension SessionJournal {
    /// Lets go of the file as a killed program does, for tests.
    func abandon() {
        sync.end()
        file.unlock()
    }
}
