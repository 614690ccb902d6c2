import Foundation

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
