import Markdown
import TextEditing

/// Misspelt words.
extension EditorSession {
    /// Returns the ranges of the misspelt words in a part of a line, as bytes of the line.
    ///
    /// The word that the caret touches is left out, because it is still being typed.
    public func misspelt(
        in text: String, from start: Int, of line: LineNumber, highlight: LineHighlight, by spelling: Spelling
    ) -> [Range<Int>] {
        let language = spellingLanguage ?? spelling.language
        let lineStart = editor.buffer.lineStart(line)
        return SpelledWords.words(in: text, from: start, highlight: highlight).compactMap { range, word in
            let caret = editor.selection.head - lineStart
            if editor.selection.isEmpty, (range.lowerBound + 1...range.upperBound).contains(caret) { return nil }
            guard case .wrong? = spelling.verdict(on: word, in: language) else { return nil }
            return range
        }
    }

    /// The language that the note's front matter names as `lang:` or `language:`; nil if there is none.
    var spellingLanguage: String? {
        let buffer = editor.buffer
        guard
            buffer.string(in: 0..<min(buffer.end, 4)).hasPrefix("---\n")
                || buffer.string(in: 0..<min(buffer.end, 5)) == "---\r\n"
        else { return nil }
        for number in 1..<min(Self.maximumFrontMatterLines, lineCount) {
            let range = buffer.lineRange(LineNumber(number))
            guard range.length < 200 else { continue }
            let line = buffer.string(in: range)
            if line.hasPrefix("---") { return nil }
            for key in ["lang:", "language:"] where line.hasPrefix(key) {
                let value = line.dropFirst(key.count).filter { !"\"' \r".contains($0) }
                return SpellingProgram.dictionaries(of: value).isEmpty ? nil : value
            }
        }
        return nil
    }

    /// The number of lines that are searched for the language.
    private static let maximumFrontMatterLines = 60

    /// The result of checking the words from the caret on.
    public enum FoundWord {
        case misspelt(range: Range<ByteOffset>, word: String, suggestions: [String])
        /// No word is known to be misspelt, but some have not been checked yet.
        case unknown
        case nothing
    }

    /// Returns the misspelt word at the caret, or the next one, with suggestions.
    ///
    /// It looks through the lines below, then from the top through those above, since the caret is after the words
    /// after writing them.
    public func misspeltWord(by spelling: Spelling) -> FoundWord {
        let caret = editor.selection.range.lowerBound
        let first = editor.buffer.lineNumber(at: caret).rawValue
        let below = misspeltWord(in: first..<min(lineCount, first + Self.linesLookedThrough), by: spelling) {
            $0.upperBound >= caret
        }
        guard case .nothing = below else { return below }
        let top = max(0, first + 1 - Self.linesLookedThrough)
        return misspeltWord(in: top..<first + 1, by: spelling) { $0.upperBound < caret }
    }

    /// Returns the first misspelt word of some lines that `isWanted` takes.
    private func misspeltWord(
        in lines: Range<Int>, by spelling: Spelling, isWanted: (Range<ByteOffset>) -> Bool
    ) -> FoundWord {
        var found = FoundWord.nothing
        let language = spellingLanguage ?? spelling.language
        for number in lines {
            let line = LineNumber(number)
            let range = editor.buffer.lineRange(line)
            // A longer paragraph is not one that is corrected by hand.
            guard range.length < 100_000 else { continue }
            let words = SpelledWords.words(
                in: editor.buffer.string(in: range), from: 0, highlight: highlight(of: line))
            for (bytes, word) in words {
                let wordRange = range.lowerBound + bytes.lowerBound..<range.lowerBound + bytes.upperBound
                guard isWanted(wordRange) else { continue }
                switch spelling.verdict(on: word, in: language) {
                case .wrong(let suggestions):
                    return .misspelt(range: wordRange, word: word, suggestions: suggestions)
                case nil where spelling.isAsking(in: language): found = .unknown
                case .right, nil: break
                }
            }
        }
        return found
    }

    /// The number of lines to look through, about a screen; lines further away have not been checked yet.
    private static let linesLookedThrough = 60

    /// Selects a range.
    public func select(_ range: Range<ByteOffset>) {
        editor.select(Selection(range))
        revealCaret()
    }

    /// Whether a range still contains a word.
    public func isText(_ word: String, at range: Range<ByteOffset>) -> Bool {
        range.upperBound <= editor.buffer.end && editor.buffer.isScalarStart(range.lowerBound)
            && editor.buffer.isScalarStart(range.upperBound) && editor.buffer.string(in: range) == word
    }
}
