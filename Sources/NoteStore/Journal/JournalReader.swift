import Foundation
import TextEditing

/// The contents of a journal file.
struct JournalContents {
    /// The name of the notebook's file, and the notebook's identity; `nil` if their record is lost.
    var notebook: String?
    var identity: String?
    /// The records of each note, in the order of their first records.
    var notes: [NoteLog] = []
    /// The number of stretches of bytes that are not records.
    var damagedStretches = 0
    /// Whether a later program wrote the file, in another format.
    var isNewer = false

    var isDamaged: Bool { damagedStretches > 0 }
}

/// The records of one note.
struct NoteLog {
    let note: NoteID
    var texts: [UInt64: LoggedText] = [:]
    var edits: [LoggedEdit] = []

    /// A text with the pieces that were found.
    struct LoggedText {
        var revision: Int64
        var size: Int
        var bytes: [UInt8] = []

        var isWhole: Bool { bytes.count == size }
    }

    mutating func add(_ piece: TextPiece) {
        var text = texts[piece.number] ?? LoggedText(revision: piece.revision, size: piece.size)
        // The text was written again from its start, after a first attempt met a full disk.
        if piece.offset == 0 { text = LoggedText(revision: piece.revision, size: piece.size) }
        // Pieces are written in order; after a lost piece the following ones are useless.
        if piece.offset == text.bytes.count, piece.size == text.size { text.bytes += piece.bytes }
        texts[piece.number] = text
    }
}

extension JournalContents {
    /// Reads a journal in any state.
    ///
    /// A last record that was still being written when the machine stopped is left out. Bytes before it that are not a
    /// record are skipped, up to the next record.
    init(_ bytes: [UInt8], session: UUID) {
        let mark = JournalFormat.mark(ofSession: session)
        bytes.withUnsafeBytes { all in
            var position = readMark(all)
            if isNewer { return }
            var logs: [NoteID: Int] = [:]
            while position < all.count {
                switch Self.next(all, position, mark) {
                case .record(let record, let end):
                    add(record, &logs)
                    position = end
                case .torn:
                    // A record that could be neither written completely nor cut off leaves its beginning, and others
                    // follow it.
                    let next = Self.nextRecord(all, after: position, mark)
                    if next != nil { damagedStretches += 1 }
                    position = next ?? all.count
                case .damage:
                    let next = Self.nextRecord(all, after: position, mark)
                    // After a power cut, an end that was not yet on the disk may consist of its beginning and then
                    // zeros.
                    let isTorn = next == nil && all[all.count - 1] == 0
                    let isBlank = all[position..<(next ?? all.count)].allSatisfy { $0 == 0 }
                    if !isTorn, !isBlank { damagedStretches += 1 }
                    position = next ?? all.count
                }
            }
        }
    }

    /// Reads the format's mark and returns the offset of the first record; sets `isNewer` for a later format.
    private mutating func readMark(_ bytes: UnsafeRawBufferPointer) -> Int {
        let mark = JournalFormat.mark
        let found = bytes.prefix(mark.count)
        if found.elementsEqual(mark) { return mark.count }
        // "tn journal v" with a greater number: a format that this program does not know.
        if found.count == mark.count, found.prefix(12).elementsEqual(mark.prefix(12)), found[13] == mark[13],
            (mark[12] + 1...UInt8(ascii: "9")).contains(found[12])
        {
            isNewer = true
        }
        return 0
    }

    private mutating func add(_ record: JournalRecord, _ logs: inout [NoteID: Int]) {
        func index(_ note: NoteID) -> Int {
            if let index = logs[note] { return index }
            logs[note] = notes.count
            notes.append(NoteLog(note: note))
            return notes.count - 1
        }
        switch record {
        case .session(let notebook, let identity): (self.notebook, self.identity) = (notebook, identity)
        case .text(let piece): notes[index(piece.note)].add(piece)
        case .edit(let edit): notes[index(edit.note)].edits.append(edit)
        }
    }

    private enum Step {
        case record(JournalRecord, end: Int)
        /// The beginning of a record, cut off by the end of the file.
        case torn
        case damage
    }

    private static func next(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ mark: UInt32) -> Step {
        func number(_ offset: Int) -> UInt32 {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start + offset, as: UInt32.self))
        }
        let length = JournalFormat.headLength
        guard start + length <= bytes.count else { return .torn }
        guard number(0) == mark,
            number(12) == Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[start..<start + 12]))
        else { return .damage }
        let end = start + length + Int(number(4))
        guard end <= bytes.count else { return .torn }
        let body = UnsafeRawBufferPointer(rebasing: bytes[start + length..<end])
        guard Checksum.of(body) == number(8), let record = JournalFormat.record(body) else { return .damage }
        return .record(record, end: end)
    }

    /// Returns the offset of the next complete record.
    private static func nextRecord(_ bytes: UnsafeRawBufferPointer, after start: Int, _ mark: UInt32) -> Int? {
        let first = UInt8(truncatingIfNeeded: mark)
        var position = start + 1
        while position + JournalFormat.headLength <= bytes.count {
            if bytes[position] == first, case .record = next(bytes, position, mark) { return position }
            position += 1
        }
        return nil
    }
}

// MARK: - Recovery

/// A note's text and revision in the notebook.
struct StoredText {
    var text: String
    var revision: Int64
}

extension NoteLog {
    /// Returns the note's changes that the notebook lacks; `nil` if it has all.
    func recovered(mark: JournalMark?, stored: StoredText?) -> RecoveredText? {
        let saved = mark?.number ?? 0
        var result = RecoveredText(note: note)
        var current: (number: UInt64, buffer: TextBuffer)?
        var base: TextBuffer?
        var missing: [LoggedEdit] = []
        func arrive(_ number: UInt64, _ buffer: TextBuffer) {
            current = (number, buffer)
            if number == saved { (base, result.baseRevision) = (buffer, mark?.revision ?? 0) }
        }
        for change in changes(mark, stored) {
            switch change {
            case .stored(let number, let text) where current?.number != number: arrive(number, TextBuffer(text))
            case .stored: break
            case .text(let number, let text):
                guard let buffer = buffer(of: text, stored) else { continue }
                // A text contains all earlier changes.
                missing = []
                arrive(number, buffer)
                if text.revision > 0 {
                    (base, result.baseRevision) = (buffer, text.revision)
                } else if base == nil, let stored, stored.revision == -text.revision {
                    // The base could not be written to the journal, but the notebook still has it.
                    (base, result.baseRevision) = (TextBuffer(stored.text), stored.revision)
                }
            case .edit(let edit):
                guard let now = current, now.number == edit.after,
                    let change = JournalFormat.decode(edit.bytes, in: now.buffer)
                else {
                    if edit.number > saved { missing.append(edit) }
                    continue
                }
                var buffer = now.buffer
                change.apply(to: &buffer)
                arrive(edit.number, buffer)
            }
        }
        result.last = max(current?.number ?? 0, missing.last?.number ?? 0)
        for edit in missing { result.addPieces(of: edit.bytes) }
        // If the text was rebased and not edited since, the notebook has it.
        let isStored = current.map { now in stored.map { now.buffer == TextBuffer($0.text) } ?? false } ?? false
        if let current, current.number > saved, !isStored {
            result.text = current.buffer.string()
            result.base = base?.string()
        }
        return result.text == nil && result.pieces.isEmpty ? nil : result
    }

    private enum Change {
        case text(number: UInt64, LoggedText)
        case edit(LoggedEdit)
        /// The notebook's text, which equals the journal's text at this number.
        case stored(number: UInt64, String)

        var number: UInt64 {
            switch self {
            case .text(let number, _), .stored(let number, _): number
            case .edit(let edit): edit.number
            }
        }
    }

    /// Returns all changes sorted by number; of an edit and the text that it led to, the edit comes first.
    private func changes(_ mark: JournalMark?, _ stored: StoredText?) -> [Change] {
        var all = edits.map { Change.edit($0) } + texts.map { Change.text(number: $0.key, $0.value) }
        if let mark, let stored, mark.revision > 0, mark.revision == stored.revision {
            all.append(.stored(number: mark.number, stored.text))
        }
        return all.enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
            .map(\.element)
    }

    /// Returns the buffer of a text in the journal; the notebook's text replaces an incomplete one if revision and size
    /// agree.
    private func buffer(of text: LoggedText, _ stored: StoredText?) -> TextBuffer? {
        if text.isWhole { return TextBuffer(String(decoding: text.bytes, as: UTF8.self)) }
        guard text.revision > 0, let stored, stored.revision == text.revision, stored.text.utf8.count == text.size
        else { return nil }
        return TextBuffer(stored.text)
    }
}
