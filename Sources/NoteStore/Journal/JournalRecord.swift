import Foundation
import TextEditing

/// One record of a session journal.
///
/// A journal is an append-only file: the 16 bytes of `JournalFormat.mark`, then records. A record is a header of 16
/// bytes (four little-endian 32-bit numbers: the session's mark, the length of the body, the checksum of the body, the
/// checksum of the twelve bytes before) and its body: a byte for the kind, then the values of the case. Numbers in a
/// body have a variable length, seven bits a byte, lowest bits first.
///
/// Each change of a note has a number that is greater than every earlier one in the same file. These numbers reveal
/// missing records, in whatever order the disk has stored the records.
enum JournalRecord: Equatable {
    /// The notebook of the journal: the name of its file, and its identity if it has one.
    case session(notebook: String, identity: String)
    /// A piece of the text that a note had at a number.
    case text(TextPiece)
    /// A change of a note's text.
    case edit(LoggedEdit)
}

/// A piece of the text that a note had when its change `number` was made.
struct TextPiece: Equatable {
    var note: NoteID
    var number: UInt64
    /// The note's revision in the notebook with exactly this text.
    ///
    /// For a text that the notebook does not have, it is the revision that the text was made from, negated.
    var revision: Int64
    /// The size of the whole text in bytes.
    var size: Int
    /// The byte offset of the piece in the whole text.
    var offset: Int
    var bytes: [UInt8]
}

/// A change of a note's text.
struct LoggedEdit: Equatable {
    var note: NoteID
    var number: UInt64
    /// The number of the change or text that the edit was made on.
    var after: UInt64
    /// The edit as `JournalFormat` encodes it.
    var bytes: [UInt8]
}

/// The encoding and decoding of records.
enum JournalFormat {
    /// The first bytes of a journal in this format; a later format has another number.
    static let mark = Array("tn journal v1\n\0\0".utf8)
    static let headLength = 16

    /// Returns the mark that each record of a session begins with, so that no text in a note can pass for a record.
    static func mark(ofSession id: UUID) -> UInt32 {
        withUnsafeBytes(of: id.uuid) { Checksum.of($0) } | 1
    }

    // MARK: Writing

    /// Appends a record to some bytes.
    static func append(mark: UInt32, to bytes: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: headLength))
        body(&bytes)
        bytes.withUnsafeMutableBytes { all in
            let body = UnsafeRawBufferPointer(rebasing: all[(start + headLength)...])
            all.storeBytes(of: mark.littleEndian, toByteOffset: start, as: UInt32.self)
            all.storeBytes(of: UInt32(body.count).littleEndian, toByteOffset: start + 4, as: UInt32.self)
            all.storeBytes(of: Checksum.of(body).littleEndian, toByteOffset: start + 8, as: UInt32.self)
            let head = Checksum.of(UnsafeRawBufferPointer(rebasing: all[start..<start + 12]))
            all.storeBytes(of: head.littleEndian, toByteOffset: start + 12, as: UInt32.self)
        }
    }

    static func appendSession(notebook: String, identity: String, mark: UInt32, to bytes: inout [UInt8]) {
        append(mark: mark, to: &bytes) { body in
            body.append(1)
            for text in [notebook, identity] {
                appendNumber(text.utf8.count, to: &body)
                body.append(contentsOf: text.utf8)
            }
        }
    }

    /// Appends a piece of a text; an empty range records only that the note had a text of this size.
    static func appendText(
        of note: NoteID, number: UInt64, revision: Int64, buffer: TextBuffer, range: Range<ByteOffset>, mark: UInt32,
        to bytes: inout [UInt8]
    ) {
        append(mark: mark, to: &bytes) { body in
            body.append(2)
            append(note, to: &body)
            appendNumber(Int(number), to: &body)
            // The sign is in the lowest bit, so that small numbers stay short.
            appendNumber(Int(revision.magnitude) << 1 | (revision < 0 ? 1 : 0), to: &body)
            appendNumber(buffer.utf8Count, to: &body)
            appendNumber(range.lowerBound.rawValue, to: &body)
            buffer.forEachPiece(in: range) { piece in
                body.append(contentsOf: piece)
                return true
            }
        }
    }

    static func appendEdit(
        _ edit: Edit, of note: NoteID, number: UInt64, after: UInt64, mark: UInt32, to bytes: inout [UInt8]
    ) {
        append(mark: mark, to: &bytes) { body in
            body.append(3)
            append(note, to: &body)
            appendNumber(Int(number), to: &body)
            appendNumber(Int(after), to: &body)
            encode(edit, to: &body)
        }
    }

    private static func append(_ note: NoteID, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: note.uuid.uuid) { bytes.append(contentsOf: $0) }
    }

    // MARK: Reading

    /// Decodes the record in a body; `nil` if its kind is unknown or bytes are missing.
    static func record(_ body: UnsafeRawBufferPointer) -> JournalRecord? {
        var rest = body[...]
        switch rest.popFirst() {
        case 1:
            guard let notebook = text(&rest), let identity = text(&rest) else { return nil }
            return .session(notebook: notebook, identity: identity)
        case 2:
            guard let note = note(&rest), let number = number(&rest), let revision = number64(&rest),
                let size = number64(&rest), let offset = number64(&rest)
            else { return nil }
            return .text(
                TextPiece(
                    note: note, number: number, revision: Int64(revision >> 1) * (revision & 1 == 1 ? -1 : 1),
                    size: size, offset: offset,
                    bytes: Array(rest)))
        case 3:
            guard let note = note(&rest), let number = number(&rest), let after = self.number(&rest) else { return nil }
            return .edit(LoggedEdit(note: note, number: number, after: after, bytes: Array(rest)))
        default: return nil
        }
    }

    private static func note(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> NoteID? {
        guard bytes.count >= 16 else { return nil }
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes.prefix(16)) }
        bytes = bytes.dropFirst(16)
        return NoteID(UUID(uuid: uuid))
    }

    private static func number(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> UInt64? {
        number64(&bytes).map(UInt64.init)
    }

    private static func number64(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> Int? { decodeNumber(&bytes) }

    private static func text(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> String? {
        guard let count = number64(&bytes), count <= bytes.count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    // MARK: Edits as bytes

    /// Encodes an edit.
    ///
    /// For each replacement it writes the start, how many bytes are removed and inserted, as variable-length numbers,
    /// then the inserted text.
    static func encode(_ edit: Edit, to bytes: inout [UInt8]) {
        for replacement in edit.replacements {
            appendNumber(replacement.start.rawValue, to: &bytes)
            appendNumber(replacement.removed.utf8.count, to: &bytes)
            appendNumber(replacement.inserted.utf8.count, to: &bytes)
            bytes.append(contentsOf: replacement.inserted.utf8)
        }
    }

    /// Decodes an edit; `nil` if it does not fit the text.
    static func decode(_ data: some Collection<UInt8>, in buffer: TextBuffer) -> Edit? {
        guard let parts = parts(data) else { return nil }
        var replacements: [Edit.Replacement] = []
        var end = 0
        for part in parts {
            guard part.start >= end, part.removed <= buffer.utf8Count,
                part.start <= buffer.utf8Count - part.removed
            else { return nil }
            let range = ByteOffset(part.start)..<ByteOffset(part.start + part.removed)
            guard buffer.isScalarStart(range.lowerBound), buffer.isScalarStart(range.upperBound) else { return nil }
            replacements.append(
                Edit.Replacement(
                    start: range.lowerBound, removed: buffer.string(in: range), inserted: part.inserted))
            end = part.start + part.removed
        }
        return Edit(replacements)
    }

    /// Decodes an edit without its text: for each replacement its start, how many bytes it removes, and what it
    /// inserts.
    static func parts(_ data: some Collection<UInt8>) -> [(start: Int, removed: Int, inserted: String)]? {
        var bytes = Array(data)[...]
        var parts: [(start: Int, removed: Int, inserted: String)] = []
        while !bytes.isEmpty {
            guard let start = decodeNumber(&bytes), let removed = decodeNumber(&bytes),
                let inserted = decodeNumber(&bytes), inserted <= bytes.count
            else { return nil }
            parts.append((start, removed, String(decoding: bytes.prefix(inserted), as: UTF8.self)))
            bytes = bytes.dropFirst(inserted)
        }
        return parts
    }

    private static func appendNumber(_ number: Int, to bytes: inout [UInt8]) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func decodeNumber<Bytes: Collection<UInt8>>(_ bytes: inout Bytes) -> Int?
    where Bytes.SubSequence == Bytes {
        var result = 0
        var shift = 0
        while let byte = bytes.popFirst(), shift < 63 {
            result |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return result }
            shift += 7
        }
        return nil
    }
}
