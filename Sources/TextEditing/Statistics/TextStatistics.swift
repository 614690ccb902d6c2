import TextPrimitives

/// Counts of a text that are updated by its edits without reading the whole text again.
public struct TextStatistics: Hashable, Codable, Sendable {
    /// The number of words: text between white space that contains a letter or a digit and is not the tick of a task.
    ///
    /// Each Han, hiragana or katakana character is a word by itself.
    public private(set) var words = 0
    /// The number of words that are single characters of scripts written without spaces.
    private(set) var characterWords = 0
    /// The number of characters (grapheme clusters), without line breaks.
    public private(set) var characters = 0
    /// The number of lines, at least one.
    public private(set) var lines = 1

    /// The number of words read silently per minute.
    ///
    /// It is Brysbaert's mean over 190 studies of English (2019), 238, rounded.
    private static let wordsPerMinute = 240.0
    /// The number of Chinese or Japanese characters read per minute, from the same survey: 255 to 260 words of 1.5 to 2
    /// characters.
    private static let charactersPerMinute = 450.0

    /// Creates the counts of an empty text.
    public init() {}

    /// Counts a text.
    ///
    /// O(bytes), 10 MB of ASCII in some 20 ms; see `TextCounting` for counting in small steps.
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
    /// O(bytes).
    public init(_ text: String) { self.init(TextBuffer(text)) }

    /// The number of words of a text, counted like `words`.
    ///
    /// O(bytes).
    public static func wordCount(of text: String) -> Int { TextCounter.count(text).words }

    /// Creates the sum of counts and of the changes since they were made.
    init(_ counts: TextCounter.Counts, changes: TextStatistics, lines: Int) {
        self = changes
        add(counts, sign: 1)
        self.lines = lines
    }

    /// The time that reading the text takes.
    public var readingTime: Duration {
        let spaced = Double(words - characterWords) / TextStatistics.wordsPerMinute
        return .seconds((spaced + Double(characterWords) / TextStatistics.charactersPerMinute) * 60)
    }

    /// Updates the counts for an edit; `buffer` is the text after it.
    ///
    /// O(texts of the edit), plus some text around each replacement: up to the nearest letters, if there are any.
    public mutating func update(_ edit: Edit, in buffer: TextBuffer) { _ = follow(edit, in: buffer) }

    /// Updates the counts for an edit; returns the end of the text whose counts it may have changed.
    mutating func follow(_ edit: Edit, in buffer: TextBuffer) -> ByteOffset {
        lines = buffer.lineCount
        var end: ByteOffset = 0
        var open: RecountedPart?
        for group in edit.replacements.grouped(within: TextBuffer.countingContext) {
            let part = RecountedPart(group, shift: open?.shift ?? 0, in: buffer)
            guard let before = open else {
                open = part
                continue
            }
            if part.surroundings.lowerBound < before.surroundings.upperBound {
                open = before.joined(with: part)
            } else {
                recount(before, in: buffer)
                open = part
            }
        }
        if let open {
            recount(open, in: buffer)
            end = open.surroundings.upperBound
        }
        return end
    }

    /// Replaces the counts of the changed text with its surroundings: subtracts the old ones, adds the new ones.
    private mutating func recount(_ part: RecountedPart, in buffer: TextBuffer) {
        // The text before the change is counted once for both.
        var position = part.replacements.first?.now.lowerBound ?? part.surroundings.lowerBound
        // If no boundary was found, a mark at the start is assumed to be inside a word, as most marks are.
        let start = part.surroundings.lowerBound
        let isCut = start > 0 && position - start >= TextBuffer.maximumCountingContext
        let isInWord = isCut && buffer.scalarValue(at: start).map { WordClass($0) == .mark } ?? false
        var old = TextCounter(isInWord: isInWord)
        old.count(part.surroundings.lowerBound..<position, of: buffer)
        var now = old
        now.count(position..<part.surroundings.upperBound, of: buffer)
        for replacement in part.replacements {
            old.count(position..<replacement.now.lowerBound, of: buffer)
            var removed = replacement.removed
            removed.withUTF8 { old.count($0) }
            position = replacement.now.upperBound
        }
        old.count(position..<part.surroundings.upperBound, of: buffer)
        add(old.finish(), sign: -1)
        add(now.finish(), sign: 1)
    }

    private mutating func add(_ counts: TextCounter.Counts, sign: Int) {
        words += sign * counts.words
        characterWords += sign * counts.characterWords
        characters += sign * counts.characters
    }
}

/// A range of a text in which an edit may have changed the counts.
private struct RecountedPart {
    /// The removed texts, each with the range of its replacement in the new text.
    private(set) var replacements: [(removed: String, now: Range<ByteOffset>)] = []
    /// The growth in bytes up to the end of the range.
    private(set) var shift: Int
    /// The range of the new text that contains the changes; the counts of the text outside it stay the same.
    private(set) var surroundings: Range<ByteOffset> = 0..<0

    /// - Parameter shift: The growth in bytes before the replacements.
    init(_ group: ArraySlice<Edit.Replacement>, shift: Int, in buffer: TextBuffer) {
        self.shift = shift
        for replacement in group {
            let start = replacement.start + self.shift
            replacements.append((replacement.removed, start..<start + replacement.inserted.utf8.count))
            self.shift += replacement.growth
        }
        guard let first = replacements.first, let last = replacements.last else { return }
        surroundings =
            buffer.countingStart(before: first.now.lowerBound)..<buffer.countingEnd(after: last.now.upperBound)
    }

    /// Combines this part and the next, whose surroundings overlap.
    func joined(with next: RecountedPart) -> RecountedPart {
        var result = next
        result.replacements = replacements + next.replacements
        result.surroundings = surroundings.lowerBound..<max(surroundings.upperBound, next.surroundings.upperBound)
        return result
    }
}

extension [Edit.Replacement] {
    /// The replacements in groups that are more than `distance` bytes apart.
    fileprivate func grouped(within distance: Int) -> [ArraySlice<Edit.Replacement>] {
        var groups: [ArraySlice<Edit.Replacement>] = []
        var first = 0
        for index in indices.dropFirst() where self[index].start - self[index - 1].range.upperBound > distance {
            groups.append(self[first..<index])
            first = index
        }
        if first < count { groups.append(self[first...]) }
        return groups
    }
}

extension TextCounter {
    /// Counts a range of a text.
    fileprivate mutating func count(_ range: Range<ByteOffset>, of buffer: TextBuffer) {
        buffer.forEachPiece(in: range) { piece in
            count(piece)
            return true
        }
    }
}

extension TextBuffer {
    /// The number of bytes that are first searched for a boundary that a change cannot affect; nearly always enough.
    fileprivate static let firstCountingContext = 64
    /// The distance in bytes up to which replacements are counted together.
    fileprivate static let countingContext = 1024
    /// The most bytes that are searched for such a boundary.
    ///
    /// If none is found, the text after these bytes is counted as if it began there, both before and after the change,
    /// so that the difference is right all the same.
    fileprivate static let maximumCountingContext = 64 << 10

    fileprivate func scalarValue(at offset: ByteOffset) -> UInt32? {
        guard offset < end else { return nil }
        return withUTF8(in: offset..<scalarEnd(after: offset)) { Clusters.scalar(at: 0, in: $0) }
    }

    /// A boundary before `offset` where clusters and words on either side are independent.
    ///
    /// At least two letters are between it and `offset`, one of which decides whether a word is counted.
    fileprivate func countingStart(before offset: ByteOffset) -> ByteOffset {
        var context = TextBuffer.firstCountingContext
        while true {
            let start = scalarStart(atOrBefore: max(0, offset - context))
            let found = withUTF8(in: start..<offset) { $0.lastCountingBoundary() }
            if let found { return start + found }
            if start == 0 || context >= TextBuffer.maximumCountingContext { return start }
            context *= 4
        }
    }

    /// A boundary after `offset` where clusters and words on either side are independent.
    ///
    /// At least two letters are between `offset` and it, one of which decides whether a word is counted.
    fileprivate func countingEnd(after offset: ByteOffset) -> ByteOffset {
        var context = TextBuffer.firstCountingContext
        while true {
            let stop = scalarStart(atOrBefore: min(end, offset + context))
            let found = withUTF8(in: offset..<stop) { $0.firstCountingBoundary() }
            if let found { return offset + found }
            if stop == end || context >= TextBuffer.maximumCountingContext { return stop }
            context *= 4
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The last certain cluster boundary with at least two letters after it, one of which decides whether a word is
    /// counted.
    fileprivate func lastCountingBoundary() -> Int? {
        var (position, letters, isDecided) = (count, 0, false)
        while position > 0 {
            let previous = Clusters.scalarStart(before: position, in: self)
            let a = Clusters.scalar(at: previous, in: self)
            if letters >= 2, isDecided, Clusters.isSurelyBetween(a, Clusters.scalar(at: position, in: self)) {
                return position
            }
            let this = WordClass(a)
            letters += this == .mark ? 0 : 1
            isDecided = isDecided || this.decidesCounting(of: a)
            position = previous
        }
        return nil
    }

    /// The first certain cluster boundary with at least two letters before it, one of which decides whether a word is
    /// counted.
    fileprivate func firstCountingBoundary() -> Int? {
        var (position, letters, isDecided) = (0, 0, false)
        while position < count {
            let next = position + Clusters.scalarLength(self[position])
            guard next < count else { return nil }
            let a = Clusters.scalar(at: position, in: self)
            let this = WordClass(a)
            letters += this == .mark ? 0 : 1
            isDecided = isDecided || this.decidesCounting(of: a)
            if letters >= 2, isDecided, Clusters.isSurelyBetween(a, Clusters.scalar(at: next, in: self)) { return next }
            position = next
        }
        return nil
    }
}
