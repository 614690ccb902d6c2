/// Counts of a text that follow its edits without reading it anew.
public struct TextStatistics: Hashable, Codable, Sendable {
    /// Words: what stands between white space and has a letter or a digit; each Han, hiragana or katakana character is
    /// one by itself.
    public private(set) var words = 0
    /// Of the words, those that are single characters of scripts written without spaces.
    public private(set) var characterWords = 0
    /// Characters (grapheme clusters), line breaks left out.
    public private(set) var characters = 0
    /// Lines, at least one.
    public private(set) var lines = 1

    /// Words a minute of silent reading: M.
    ///
    /// Brysbaert's mean over 190 studies of English (2019), 238, rounded.
    private static let wordsPerMinute = 240.0
    /// Characters a minute for Chinese and Japanese, from the same survey: 255 to 260 words of 1.5 to 2 characters.
    private static let charactersPerMinute = 450.0

    /// The counts of an empty text.
    public init() {}

    /// Counts a text.
    ///
    /// O(bytes), 10 MB of ASCII in some 20 ms; see `TextCounting` for doing it in small steps.
    public init(_ buffer: TextBuffer) {
        var counter = TextCounter()
        buffer.forEachPiece(in: buffer.range) { piece in
            counter.count(piece)
            return true
        }
        add(counter.finish(), sign: 1)
        lines = buffer.lineCount
    }

    /// Counts a text.
    ///
    /// O(bytes)
    public init(_ text: String) { self.init(TextBuffer(text)) }

    /// The words of a text, as `words` counts them.
    ///
    /// O(bytes)
    public static func wordCount(of text: String) -> Int { TextCounter.count(text).words }

    /// Counts and what has changed since they were made.
    init(_ counts: TextCounter.Counts, changes: TextStatistics, lines: Int) {
        self = changes
        add(counts, sign: 1)
        self.lines = lines
    }

    /// The time that reading takes.
    public var readingTime: Duration {
        let spaced = Double(words - characterWords) / TextStatistics.wordsPerMinute
        return .seconds((spaced + Double(characterWords) / TextStatistics.charactersPerMinute) * 60)
    }

    /// Follows an edit; `buffer` is the text after it.
    ///
    /// O(texts of the edit), plus a little around each replacement.
    public mutating func update(_ edit: Edit, in buffer: TextBuffer) {
        lines = buffer.lineCount
        if edit.replacements.count == 1 {
            let only = edit.replacements[0]
            return recount(only.removed, now: only.start..<only.start + only.inserted.utf8.count, in: buffer)
        }
        var shift = 0
        for group in edit.replacements.grouped(within: TextBuffer.countingReach) {
            var removed = ""
            var place = group[0].start
            for replacement in group {
                removed += buffer.string(in: place + shift..<replacement.start + shift) + replacement.removed
                shift += replacement.growth
                place = replacement.range.upperBound
            }
            let growth = group.reduce(0) { $0 + $1.growth }
            recount(removed, now: group[0].start + shift - growth..<place + shift, in: buffer)
        }
    }

    /// Counts the surroundings of a change with the old and with the new text in them.
    private mutating func recount(_ removed: String, now new: Range<ByteOffset>, in buffer: TextBuffer) {
        let (start, end) = (buffer.countingStart(before: new.lowerBound), buffer.countingEnd(after: new.upperBound))
        var (old, now) = (TextCounter(), TextCounter())
        buffer.withUTF8(in: start..<new.lowerBound) { old.count($0) }
        var removed = removed
        removed.withUTF8 { old.count($0) }
        buffer.withUTF8(in: new.upperBound..<end) { old.count($0) }
        buffer.forEachPiece(in: start..<end) { piece in
            now.count(piece)
            return true
        }
        add(old.finish(), sign: -1)
        add(now.finish(), sign: 1)
    }

    private mutating func add(_ counts: TextCounter.Counts, sign: Int) {
        words += sign * counts.words
        characterWords += sign * counts.characterWords
        characters += sign * counts.characters
    }
}

extension [Edit.Replacement] {
    /// The replacements in groups that lie more than `reach` bytes apart.
    fileprivate func grouped(within reach: Int) -> [ArraySlice<Edit.Replacement>] {
        var groups: [ArraySlice<Edit.Replacement>] = []
        var first = 0
        for index in indices.dropFirst() where self[index].start - self[index - 1].range.upperBound > reach {
            groups.append(self[first..<index])
            first = index
        }
        if first < count { groups.append(self[first...]) }
        return groups.map { ArraySlice(Array($0)) }
    }
}

extension TextBuffer {
    /// Bytes within which a place is looked for that a change cannot reach across: half of them on each side.
    ///
    /// In a kilobyte without a letter or a space the words may be miscounted by one.
    static let countingReach = 2048

    /// A place two letters or more before `offset`, one that decides what is a word among them, where clusters and words before and behind are told independently.
    fileprivate func countingStart(before offset: ByteOffset) -> ByteOffset {
        let start = scalarStart(atOrBefore: max(0, offset - TextBuffer.countingReach / 2))
        return withUTF8(in: start..<offset) { bytes in
            var (place, letters, isDecided) = (bytes.count, 0, false)
            while place > 0 {
                let previous = Clusters.scalarStart(before: place, in: bytes)
                let a = Clusters.scalar(at: previous, in: bytes)
                if letters >= 2, isDecided, Clusters.isSurelyBetween(a, Clusters.scalar(at: place, in: bytes)) {
                    return start + place
                }
                letters += WordClass(a) == .mark ? 0 : 1
                isDecided = isDecided || WordClass(a).decidesCounting && a != 0x5F
                place = previous
            }
            return start
        }
    }

    /// A place two letters or more after `offset`, one that decides what is a word among them, where clusters and words before and behind are told independently.
    fileprivate func countingEnd(after offset: ByteOffset) -> ByteOffset {
        let stop = scalarStart(atOrBefore: min(end, offset + TextBuffer.countingReach / 2))
        return withUTF8(in: offset..<stop) { bytes in
            var (place, letters, isDecided) = (0, 0, false)
            while place < bytes.count {
                let next = place + Clusters.scalarLength(bytes[place])
                guard next < bytes.count else { break }
                let a = Clusters.scalar(at: place, in: bytes)
                letters += WordClass(a) == .mark ? 0 : 1
                isDecided = isDecided || WordClass(a).decidesCounting && a != 0x5F
                if letters >= 2, isDecided, Clusters.isSurelyBetween(a, Clusters.scalar(at: next, in: bytes)) {
                    return offset + next
                }
                place = next
            }
            return stop
        }
    }
}
