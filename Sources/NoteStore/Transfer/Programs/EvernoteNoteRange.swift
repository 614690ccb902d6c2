import Crypto
import TextPrimitives

/// The place of a note in an export of Evernote, in bytes, and those of its title and date, which stay the same when its
/// text is changed.
struct EvernoteNoteRange {
    /// The range from the start of `<note>` to the end of `</note>`.
    var whole: Range<Int>
    var title: Range<Int>?
    var created: Range<Int>?

    /// Finds each `<note>…</note>`, without reading the whole file at once; tags in CDATA are skipped.
    ///
    /// - Returns: the ranges in the order of the file; `isCut` if the last note has no end.
    static func all(in source: ByteSource) throws -> (found: [EvernoteNoteRange], isCut: Bool) {
        var finder = Finder()
        let piece = 4_000_000
        // The longest tag fits, if it lies across two pieces.
        let overlap = 16
        var offset = 0
        while offset < source.count {
            let bytes = try source.bytes(at: offset, count: min(piece + overlap, source.count - offset))
            let isLast = offset + bytes.count >= source.count
            let end = isLast ? bytes.count : piece
            bytes.withUnsafeBufferPointer { finder.read($0, upTo: end, at: offset) }
            offset += end
        }
        return (finder.found, finder.note != nil)
    }

    /// Returns a name for each note by which the next export's note is known, wherever it is in its file.
    ///
    /// An export has no identities, so the name is made of the title and the time of creation; notes that agree in both
    /// are counted.
    static func names(of notes: [EvernoteNoteRange], in source: ByteSource) throws -> [String] {
        var counts: [String: Int] = [:]
        return try notes.map { note in
            var hash = Insecure.MD5()
            for range in [note.title, note.created].map({ $0 ?? 0..<0 }) {
                hash.update(data: try source.bytes(at: range.lowerBound, count: min(range.count, 1000)))
                hash.update(data: [0])
            }
            let name = Hexadecimal.text(hash.finalize())
            let count = counts[name, default: 0] + 1
            counts[name] = count
            return count == 1 ? name : "\(name)-\(count)"
        }
    }

    /// Finds the notes in a file that is read piece by piece.
    private struct Finder {
        private(set) var found: [EvernoteNoteRange] = []
        /// The note whose end has not been read yet.
        private(set) var note: EvernoteNoteRange?
        /// The element that was just opened, if its range is wanted, and the offset after its tag.
        private var opened: (element: WritableKeyPath<EvernoteNoteRange, Range<Int>?>, start: Int)?
        private var isInData = false

        /// Reads the tags that begin before the index `end`; one may reach beyond it.
        ///
        /// - Parameter offset: where the bytes begin in the file.
        mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, upTo end: Int, at offset: Int) {
            var index = 0
            while index < end {
                let wanted = isInData ? UInt8(ascii: "]") : UInt8(ascii: "<")
                guard let next = bytes[index..<end].firstIndex(of: wanted) else { return }
                let rest = bytes[next...]
                if isInData {
                    if rest.starts(with: "]]>".utf8) { isInData = false }
                } else {
                    readTag(rest, at: offset + next)
                }
                index = next + 1
            }
        }

        /// - Parameter start: the offset of the tag's first byte in the file.
        private mutating func readTag(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, at start: Int) {
            if let (element, textStart) = opened, note?[keyPath: element] == nil {
                note?[keyPath: element] = textStart..<start
            }
            opened = nil
            if bytes.starts(with: "<![CDATA[".utf8) {
                isInData = true
            } else if bytes.starts(with: "<note>".utf8) {
                note = EvernoteNoteRange(whole: start..<start)
            } else if bytes.starts(with: "<title>".utf8) {
                opened = (\.title, start + 7)
            } else if bytes.starts(with: "<created>".utf8) {
                opened = (\.created, start + 9)
            } else if bytes.starts(with: "</note>".utf8), var ended = note {
                ended.whole = ended.whole.lowerBound..<start + 7
                found.append(ended)
                note = nil
            }
        }
    }
}
