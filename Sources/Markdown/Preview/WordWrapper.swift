import TextPrimitives

/// A text of one style inside a paragraph.
struct PreviewAtom {
    var text: String
    var kind: SpanKind
    var link: Int?
    /// The line of the source in which it starts.
    var sourceLine: Int
    /// The range of the source that it shows.
    var source: Range<Int>
}

/// Breaks styled text into lines by the editor's wrapping rule, and anywhere in a word that is too long.
///
/// It works on bytes and a list of the start of each character. Most text is ASCII, in which a character is a byte, and
/// iterating a string by characters would take ten times as long.
struct WordWrapper {
    private struct Glyph {
        /// The offset in `bytes` at which it starts.
        let start: Int32
        let atom: Int32
        let width: Int32
        /// The line break class; that of a space for a hard break.
        let lineBreak: LineBreakClass
        var isHardBreak = false
    }

    private let atoms: [PreviewAtom]
    /// The offset in `bytes` at which each atom starts.
    private var atomStarts: ContiguousArray<Int32> = []
    private var bytes: ContiguousArray<UInt8> = []
    private var glyphs: ContiguousArray<Glyph> = []

    init(_ atoms: [PreviewAtom], _ cellWidth: CellWidth) {
        self.atoms = atoms
        for (index, atom) in atoms.enumerated() {
            atomStarts.append(Int32(bytes.count))
            var text = atom.text
            text.withUTF8 { append($0, Int32(index), cellWidth) }
        }
    }

    private mutating func append(_ utf8: Bytes, _ atom: Int32, _ cellWidth: CellWidth) {
        let start = Int32(bytes.count)
        bytes.append(contentsOf: utf8)
        if utf8.allSatisfy({ $0 < 0x80 }) {
            for (offset, byte) in utf8.enumerated() {
                glyphs.append(glyph(start + Int32(offset), atom, width: 1, UInt32(byte)))
            }
            return
        }
        var position = 0
        while position < utf8.count {
            let end = Clusters.end(from: position, in: utf8)
            let scalar = Clusters.scalar(at: position, in: utf8)
            glyphs.append(
                glyph(start + Int32(position), atom, width: cellWidth.cells(position..<end, in: utf8), scalar))
            position = end
        }
    }

    private func glyph(_ start: Int32, _ atom: Int32, width: Int, _ scalar: UInt32) -> Glyph {
        let isHardBreak = scalar == UInt32(Byte.newline)
        return Glyph(
            start: start, atom: atom, width: Int32(width), lineBreak: isHardBreak ? .space : LineBreakClass(scalar),
            isHardBreak: isHardBreak)
    }

    /// The width in cells of the widest line if the width is not limited.
    var naturalWidth: Int {
        var widest: Int32 = 0
        var width: Int32 = 0
        for glyph in glyphs {
            width = glyph.isHardBreak ? 0 : width + glyph.width
            widest = max(widest, width)
        }
        return Int(widest)
    }

    /// The width in cells of the widest word, which is broken only if it is wider than a line.
    var longestWord: Int {
        var widest: Int32 = 0
        var width: Int32 = 0
        for (index, glyph) in glyphs.enumerated() {
            if index > 0, allows(LineBreakClass.allowsBreak, before: index) { width = 0 }
            width = glyph.lineBreak == .space ? 0 : width + glyph.width
            widest = max(widest, width)
        }
        return Int(widest)
    }

    var isEmpty: Bool { glyphs.isEmpty }

    /// Calls `body` with each line; lines have at most `columns` cells.
    func forEachLine(columns: Int, _ body: (PreviewLayout.Line) -> Void) {
        var start = 0
        while start < glyphs.count {
            let (end, next) = lineEnd(from: start, columns: Int32(max(columns, 1)))
            body(line(start..<end))
            start = next
        }
    }

    /// The lines, of at most `columns` cells each.
    func lines(columns: Int) -> [PreviewLayout.Line] {
        var lines: [PreviewLayout.Line] = []
        forEachLine(columns: columns) { lines.append($0) }
        return lines
    }

    /// The end of the line that starts at `start`, and the start of the next line.
    private func lineEnd(from start: Int, columns: Int32) -> (end: Int, next: Int) {
        var width: Int32 = 0
        var breakAt = -1
        var inNeed = -1
        var index = start
        while index < glyphs.count {
            let glyph = glyphs[index]
            if glyph.isHardBreak { return (trimmed(start, index), index + 1) }
            width += glyph.width
            if width > columns, glyph.lineBreak != .space { break }
            index += 1
            guard index < glyphs.count else { break }
            if allows(LineBreakClass.allowsBreak, before: index) {
                breakAt = index
            } else if allows(LineBreakClass.allowsBreakInNeed, before: index) {
                inNeed = index
            }
        }
        if index == glyphs.count { return (trimmed(start, index), index) }
        let end = breakAt > start ? breakAt : inNeed > start ? inNeed : max(index, start + 1)
        return (trimmed(start, end), end)
    }

    private func trimmed(_ start: Int, _ end: Int) -> Int {
        var end = end
        while end > start, glyphs[end - 1].lineBreak == .space { end -= 1 }
        return end
    }

    @inline(__always) private func allows(
        _ rule: (LineBreakClass?, LineBreakClass, LineBreakClass) -> Bool, before index: Int
    ) -> Bool {
        rule(index > 1 ? glyphs[index - 2].lineBreak : nil, glyphs[index - 1].lineBreak, glyphs[index].lineBreak)
    }

    private func text(_ range: Range<Int>) -> String {
        let end = range.upperBound < glyphs.count ? Int(glyphs[range.upperBound].start) : bytes.count
        return String(decoding: bytes[Int(glyphs[range.lowerBound].start)..<end], as: UTF8.self)
    }

    private func line(_ range: Range<Int>) -> PreviewLayout.Line {
        let glyph = glyphs[min(range.lowerBound, glyphs.count - 1)]
        let first = atoms[Int(glyph.atom)]
        var line = PreviewLayout.Line(sourceLine: first.sourceLine)
        // Most atoms are exactly their source text; for others, the offset is limited to the atom's source range.
        let offset = first.source.lowerBound + Int(glyph.start - atomStarts[Int(glyph.atom)])
        line.sourceOffset = max(first.source.lowerBound, min(offset, first.source.upperBound - 1))
        var start = range.lowerBound
        while start < range.upperBound {
            let atom = atoms[Int(glyphs[start].atom)]
            var end = start + 1
            while end < range.upperBound {
                let next = atoms[Int(glyphs[end].atom)]
                guard glyphs[end].atom == glyphs[start].atom || (next.kind == atom.kind && next.link == atom.link)
                else {
                    break
                }
                end += 1
            }
            line.runs.append(PreviewLayout.Run(text(start..<end), atom.kind, link: atom.link))
            start = end
        }
        return line
    }
}
