import Markdown

/// The words of a line whose spelling can be checked: no code, address, tag, name with digits or acronym.
enum SpelledWords {
    /// Text that is written for machines.
    private static let unchecked: SpanKind = [
        .code, .codeBlock, .linkTarget, .tag, .html, .math, .frontMatter, .fenceInfo, .definition, .entity, .wikilink,
        .image, .footnote,
    ]

    /// Returns the words of a part of a line, with their bytes in the line.
    ///
    /// - Parameters:
    ///   - text: the part, which begins at the line's byte `start`.
    ///   - highlight: the highlighting of the whole line.
    static func words(
        in text: String, from start: Int, highlight: LineHighlight
    ) -> [(range: Range<Int>, word: String)] {
        let closed = highlight.runs.filter { !$0.kind.isDisjoint(with: unchecked) }.map(\.range)
        var words: [(range: Range<Int>, word: String)] = []
        var offset = start
        for piece in text.split(omittingEmptySubsequences: false, whereSeparator: isSpace) {
            let range = offset..<offset + piece.utf8.count
            // A space takes one byte or more, since those of other scripts are longer.
            offset = range.upperBound
            if piece.endIndex < text.endIndex { offset += text[piece.endIndex].utf8.count }
            guard !piece.isEmpty, !isName(piece) else { continue }
            words += self.words(of: piece, from: range.lowerBound)
                .filter { word in !closed.contains { $0.overlaps(word.range) } }
        }
        return words
    }

    private static func isSpace(_ character: Character) -> Bool { character.isWhitespace }

    /// Whether a piece is an address, a file or an identifier.
    private static func isName(_ piece: Substring) -> Bool {
        var before: Unicode.Scalar?
        for scalar in piece.unicodeScalars {
            if "@/\\_#<>=".unicodeScalars.contains(scalar) || scalar.properties.numericType != nil { return true }
            if before == "." || before == ":", scalar.properties.isAlphabetic { return true }
            before = scalar
        }
        return false
    }

    private static func words(of piece: Substring, from start: Int) -> [(range: Range<Int>, word: String)] {
        var words: [(range: Range<Int>, word: String)] = []
        var word = ""
        var (offset, begin) = (start, start)
        func isInner(_ scalar: Unicode.Scalar) -> Bool { scalar == "'" || scalar == "\u{2019}" }
        func end() {
            var text = word[...]
            while let last = text.unicodeScalars.last, isInner(last) { text.unicodeScalars.removeLast() }
            if isChecked(text) { words.append((begin..<begin + text.utf8.count, String(text))) }
            word = ""
        }
        for scalar in piece.unicodeScalars {
            let isMark = scalar.properties.generalCategory == .nonspacingMark
            if scalar.properties.isAlphabetic || !word.isEmpty && (isInner(scalar) || isMark) {
                if word.isEmpty { begin = offset }
                word.unicodeScalars.append(scalar)
            } else if !word.isEmpty {
                end()
            }
            offset += UTF8.width(scalar)
        }
        if !word.isEmpty { end() }
        return words
    }

    /// The largest number of characters in a checked word: nothing longer is a real word.
    private static let maximumLength = 60

    private static func isChecked(_ word: Substring) -> Bool {
        let scalars = word.unicodeScalars
        guard scalars.count > 1, scalars.count <= maximumLength else { return false }
        // Scripts without spaces between words have no words to look up.
        guard scalars.allSatisfy({ $0.value < 0x0E00 || 0x1E00..<0x2100 ~= $0.value }) else { return false }
        // ACRONYMS and camelCase are not checked.
        return !scalars.dropFirst().contains { $0.properties.isUppercase }
    }
}
