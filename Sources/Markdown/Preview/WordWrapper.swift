/// A text of one style inside a paragraph.
struct PreviewAtom {
    var text: String
    var kind: SpanKind
    var link: Int?
    /// The line of the source that it starts in.
    var sourceLine: Int
}

/// Breaks styled text into lines: at spaces, after hyphens, between ideographs, and anywhere in what is too long.
struct WordWrapper {
    private struct Glyph {
        let character: Character
        let width: Int
        let atom: Int
    }

    private let measure: CellMeasure
    private let atoms: [PreviewAtom]
    private var glyphs: [Glyph] = []

    init(_ atoms: [PreviewAtom], _ measure: CellMeasure) {
        self.measure = measure
        self.atoms = atoms
        for (index, atom) in atoms.enumerated() {
            for character in atom.text {
                glyphs.append(Glyph(character: character, width: measure.width(character), atom: index))
            }
        }
    }

    /// The widest line that would come out without a limit, in cells.
    var naturalWidth: Int {
        glyphs.split { $0.character.isNewline }.map { $0.reduce(0) { $0 + $1.width } }.max() ?? 0
    }

    /// The widest word, in cells.
    var longestWord: Int {
        glyphs.split { $0.character.isWhitespace }.map { $0.reduce(0) { $0 + $1.width } }.max() ?? 0
    }

    /// Lines of at most `columns` cells.
    func lines(columns: Int) -> [PreviewLayout.Line] {
        var lines: [PreviewLayout.Line] = []
        var start = 0
        while start < glyphs.count {
            let (end, next) = lineEnd(from: start, columns: max(columns, 1))
            lines.append(line(start..<end))
            start = next
        }
        return lines
    }

    /// Where the line that starts at `start` ends, and where the next one starts.
    private func lineEnd(from start: Int, columns: Int) -> (end: Int, next: Int) {
        var width = 0
        var breakAt = -1
        var index = start
        while index < glyphs.count {
            if glyphs[index].character.isNewline { return (trimmed(start, index), index + 1) }
            width += glyphs[index].width
            if width > columns, glyphs[index].character != " " { break }
            index += 1
            if index < glyphs.count, canBreak(before: index) { breakAt = index }
        }
        if index == glyphs.count { return (trimmed(start, index), index) }
        let end = breakAt > start ? breakAt : max(index, start + 1)
        return (trimmed(start, end), end)
    }

    private func trimmed(_ start: Int, _ end: Int) -> Int {
        var end = end
        while end > start, glyphs[end - 1].character == " " { end -= 1 }
        return end
    }

    private static let noStart: Set<Character> = [
        "、", "。", "，", "．", "！", "？", "：", "；", "）", "」", "』", "】", "〉", "》", "〕", "・", "ー", "ゃ", "ゅ", "ょ", "っ", "ャ",
        "ュ", "ョ", "ッ", "々", ")", "]", "}", ",", ".", "!", "?", ":", ";", "”", "’", "…",
    ]
    private static let noEnd: Set<Character> = ["（", "「", "『", "【", "〈", "《", "〔", "(", "[", "{", "“", "‘"]

    private func canBreak(before index: Int) -> Bool {
        let (left, right) = (glyphs[index - 1], glyphs[index])
        if right.character == " " { return false }
        if left.character == " " { return true }
        if left.character == "-" {
            return right.character.isLetter && index > 1 && glyphs[index - 2].character.isLetter
        }
        guard left.width == 2 || right.width == 2 else { return false }
        return !Self.noStart.contains(right.character) && !Self.noEnd.contains(left.character)
    }

    private func line(_ range: Range<Int>) -> PreviewLayout.Line {
        let source = atoms[glyphs[min(range.lowerBound, glyphs.count - 1)].atom].sourceLine
        var line = PreviewLayout.Line(sourceLine: source)
        var text = ""
        var atom = -1
        func flush() {
            if !text.isEmpty { line.runs.append(PreviewLayout.Run(text, atoms[atom].kind, link: atoms[atom].link)) }
            text = ""
        }
        for glyph in glyphs[range] {
            if glyph.atom != atom {
                if atom < 0 || atoms[glyph.atom].kind != atoms[atom].kind || atoms[glyph.atom].link != atoms[atom].link
                {
                    flush()
                }
                atom = glyph.atom
            }
            text.append(glyph.character)
        }
        flush()
        return line
    }
}
