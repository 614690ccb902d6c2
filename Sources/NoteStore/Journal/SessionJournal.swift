import Foundation
import SystemPackage
import TextEditing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A position in a journal: the last of a note's changes up to some moment.
public struct JournalPosition: Equatable, Sendable {
    /// The journal's session.
    public let session: String
    /// The number of the note's last change.
    public let number: UInt64
}

/// The journal of one program: what was typed and not yet saved, in its own file beside the notebook.
///
/// `record` collects edits and `write` writes them; call `write` before showing anything that contains them. Data from
/// a finished `write` is with the operating system and survives the program's death; a thread syncs it to the disk soon
/// after. The transaction that saves a text also records in the notebook which changes it contains (`JournalPosition`),
/// so a killed program has done both or neither.
///
/// The file is locked for as long as the program lives. A journal that is not locked has lost its owner, and the next
/// program that finds it replays it (`Notebook.Journal.replay()`).
///
/// Only one thread may use it.
public final class SessionJournal {
    /// The name of the session; notes in Buffer carry it as their owner.
    public let id: String
    var path: String { file.path }

    private let file: JournalFile
    private let disk: JournalDisk
    private let sync: JournalSync
    private let mark: UInt32
    /// The size of the file's beginning, which is kept when the file is emptied, and of the whole file, in bytes.
    private let beginning: Int
    private var size: Int
    /// Bytes after `size`, of a record that could be neither written completely nor cut off.
    private var torn = 0
    /// Records that are not written yet.
    private var batch: [UInt8] = []
    /// The notes of the records in `batch`.
    private var batched: [NoteID] = []
    private var number: UInt64 = 0
    private var logs: [NoteID: Log] = [:]
    /// Long texts that are being written, piece by piece.
    private var copies: [TextCopy] = []

    /// The state of a note's records in the journal.
    private struct Log {
        /// The revision of the notebook's text that the note has, or had before its first edit.
        var revision: Int64
        /// The number of the last change, and of the last one that is in the notebook.
        var last: UInt64
        var saved: UInt64
        /// Whether a record is missing, so that the whole text must be written.
        var needsWhole = false
    }

    private struct TextCopy {
        let note: NoteID
        let number: UInt64
        let revision: Int64
        let buffer: TextBuffer
        var offset: ByteOffset = 0
    }

    /// The greatest size of a text that is written at once, and the size of a longer text's pieces, in bytes.
    private static let shortText = 128 << 10
    private static let piece = 128 << 10
    /// The space in bytes that is reserved, so that what is typed is written also while the disk is full: the texts of
    /// some notes and thousands of keys.
    private static let reserve = 512 << 10
    /// The free space in bytes below which a text that the notebook has is not copied, so that edits have the room.
    private static let scarce = 4 << 20
    /// The size in bytes above which a file is emptied once everything is saved.
    private static let outgrown = 4 << 20

    /// - Throws: `Errno`, `StoreError`.
    init(
        folder: String, notebook: String, identity: String = "", disk: JournalDisk = .system,
        syncFailed: @escaping @Sendable (Errno) -> Void = { _ in }
    ) throws {
        let uuid = UUID.random()
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
        disk.reserve(file.descriptor, Self.reserve)
    }

    deinit { sync.end() }

    // MARK: Recording

    /// Records an edit of a note, for the next `write`.
    ///
    /// - Parameters:
    ///   - revision: the note's revision in the notebook, which `base` is the text of.
    ///   - base: the text that the note's first unsaved edit was made on.
    public func record(_ edit: Edit, of note: NoteID, revision: Int64, base: TextBuffer) {
        beginIfNeeded(note, revision: revision, base: base)
        guard var log = logs[note] else { return }
        number += 1
        if !log.needsWhole {
            JournalFormat.appendEdit(edit, of: note, number: number, after: log.last, mark: mark, to: &batch)
            addToBatch(note)
        }
        log.last = number
        logs[note] = log
    }

    /// Records a change of a note that only its whole text can express.
    public func recordChange(of note: NoteID, revision: Int64, base: TextBuffer) {
        beginIfNeeded(note, revision: revision, base: base)
        number += 1
        logs[note]?.last = number
        logs[note]?.needsWhole = true
    }

    /// Gives a note a new base, as after a merge, with what was typed since as one edit of that base.
    public func rebase(_ note: NoteID, revision: Int64, base: TextBuffer, pending: Edit?) {
        begin(note, revision: revision, base: base)
        guard let pending, !pending.isEmpty else { return }
        record(pending, of: note, revision: revision, base: base)
    }

    /// Begins the log of a note with a text that the notebook has.
    private func begin(_ note: NoteID, revision: Int64, base: TextBuffer) {
        number += 1
        copies.removeAll { $0.note == note }
        append(base, of: note, revision: revision)
        logs[note] = Log(revision: revision, last: number, saved: number)
        addToBatch(note)
    }

    private func beginIfNeeded(_ note: NoteID, revision: Int64, base: TextBuffer) {
        let log = logs[note]
        guard log?.revision != revision else { return }
        begin(note, revision: revision, base: base)
        // The unsaved changes were made on another base: the edits that follow do not determine the text.
        if let log, log.last > log.saved { logs[note]?.needsWhole = true }
    }

    private func addToBatch(_ note: NoteID) {
        if batched.last != note { batched.append(note) }
    }

    /// Appends the text of a note at the current number.
    ///
    /// A short text is appended at once, a long one as its size and later in pieces.
    ///
    /// Until the pieces are complete, a replay uses the notebook's own text for a text that has a revision.
    private func append(_ text: TextBuffer, of note: NoteID, revision: Int64) {
        let isShort = text.utf8Count <= Self.shortText
        let range = isShort ? text.range : ByteOffset(0)..<ByteOffset(0)
        JournalFormat.appendText(
            of: note, number: number, revision: revision, buffer: text, range: range, mark: mark, to: &batch)
        if !isShort { copies.append(TextCopy(note: note, number: number, revision: revision, buffer: text)) }
    }

    // MARK: Writing

    /// Whether there is anything to write.
    public var hasRecords: Bool { !batch.isEmpty || logs.values.contains { $0.needsWhole } }

    /// Writes the recorded changes, in one system call.
    ///
    /// If a note's record cannot be written, the note's whole text is written as its next record.
    ///
    /// - Parameter text: returns the text of a note with all recorded edits.
    /// - Returns: false while a required whole text is incomplete.
    @discardableResult
    public func write(text: (NoteID) -> TextBuffer?) throws(StoreError) -> Bool {
        for (note, log) in logs where log.needsWhole {
            guard let text = text(note) else { continue }
            number += 1
            logs[note]?.last = number
            logs[note]?.needsWhole = false
            addToBatch(note)
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

    /// Requires the whole texts of the notes whose records could not be written, since their logs have gaps.
    private func fail() {
        batch.removeAll(keepingCapacity: true)
        for note in batched { logs[note]?.needsWhole = true }
        batched.removeAll(keepingCapacity: true)
    }

    /// Requires the whole text of every unsaved note again, because written data may not have reached the disk.
    ///
    /// It forgets saved notes, since their bases may be lost too; the next edit of one begins with a new base.
    public func requireWholeTexts() {
        for (note, log) in logs {
            if log.last > log.saved { logs[note]?.needsWhole = true } else { forget(note) }
        }
    }

    /// Whether a long text is being written; if so, call `copyNextPiece` when there is nothing else to do.
    public var hasCopies: Bool { !copies.isEmpty }

    /// Writes the next piece of a long text, in less than a millisecond.
    public func copyNextPiece() throws(StoreError) {
        guard batch.isEmpty, var copy = copies.first else { return }
        // The notebook has the text itself, on which the edits are replayed.
        let isSpare = copy.revision > 0
        if isSpare, disk.freeBytes(file.descriptor) < Self.scarce {
            copies.removeFirst()
            return
        }
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
            if isSpare { return }
            logs[copy.note]?.needsWhole = true
            throw StoreError(writing: path, error)
        }
    }

    /// Writes all bytes at the end of the file, or none.
    private func put(_ bytes: [UInt8]) throws(Errno) {
        cutOffTorn()
        var written = 0
        var problem: Errno?
        bytes.withUnsafeBytes { bytes in
            while written < bytes.count, problem == nil {
                do throws(Errno) {
                    let count = try disk.write(file.descriptor, UnsafeRawBufferPointer(rebasing: bytes[written...]))
                    if count == 0 { problem = .noSpace }
                    written += count
                } catch {
                    if error != .interrupted { problem = error }
                }
            }
        }
        hasFailed = problem != nil
        guard let problem else {
            // Bytes that could not be cut off stay before these until the file is emptied; a reader skips them.
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
        if torn > 0, cut(to: size) { torn = 0 }
    }

    /// Cuts the file to a size; returns whether that worked.
    private func cut(to size: Int) -> Bool {
        do throws(Errno) {
            try disk.truncate(file.descriptor, size)
            return true
        } catch {
            return false
        }
    }

    // MARK: Saved positions

    /// Returns the position of a note, to be saved with its text; `nil` if nothing was recorded for the note.
    ///
    /// - Parameter revision: the revision that the text was made from. If the note's log has another one, it does not
    ///   lead to this text, which came from another program, and the result is `nil`; the next edit begins a log with it.
    public func position(of note: NoteID, on revision: Int64? = nil) -> JournalPosition? {
        guard let log = logs[note], revision == nil || revision == log.revision else { return nil }
        return JournalPosition(session: id, number: log.last)
    }

    /// Records that the notebook has a note up to a position, as a revision.
    public func saved(_ note: NoteID, through position: JournalPosition, revision: Int64) {
        guard var log = logs[note], position.session == id else { return }
        log.saved = max(log.saved, position.number)
        log.revision = revision
        logs[note] = log
        guard log.last <= log.saved else { return }
        if log.needsWhole { forget(note) }
        trim()
    }

    /// Forgets a note that the user has left, if it is saved completely.
    public func leave(_ note: NoteID) {
        guard let log = logs[note], log.last <= log.saved else { return }
        forget(note)
        trim()
    }

    private func forget(_ note: NoteID) {
        logs[note] = nil
        copies.removeAll { $0.note == note }
    }

    /// Empties the file when it is no longer needed.
    ///
    /// That is when all is saved, and either no note is open or the file is long. Until then bases are kept, so that a
    /// save of a long note does not cost another copy of it.
    private func trim() {
        guard batch.isEmpty, !hasUnsaved, logs.isEmpty || size > Self.outgrown, size > beginning else { return }
        // If this fails, the file only stays long.
        guard cut(to: beginning) else { return }
        (size, torn) = (beginning, 0)
        disk.reserve(file.descriptor, Self.reserve)
        logs = [:]
        copies = []
    }

    /// Whether it holds edits that are not in the notebook.
    public var hasUnsaved: Bool { logs.values.contains { $0.last > $0.saved } }

    /// The size of the file in bytes.
    public var fileSize: Int { size }

    /// Whether the last write failed; forgetting the notes concerned does not change it, only a write does.
    public private(set) var hasFailed = false

    /// Whether another program has removed the file.
    public var isGone: Bool { file.isGone }

    /// Ends the session and removes the file, or leaves it for replay if it holds unsaved changes.
    public func close() {
        sync.end()
        if hasUnsaved {
            // The sync thread ends before its last round. An error was reported by an earlier round, or nobody is left
            // to see it.
            do throws(Errno) { try disk.sync(file.descriptor) } catch {}
        } else {
            DiskFile.remove(path)
        }
        file.unlock()
    }
}

extension SessionJournal {
    /// Releases the file as a killed program does, for tests.
    func abandon() {
        sync.end()
        file.unlock()
    }
}
