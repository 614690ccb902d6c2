import TextPrimitives

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
    /// O(texts of the edit), plus a little around each replacement: as far as the next letters, and no further than the
    /// text goes on without any.
    public mutating func update(_ edit: Edit, in buffer: TextBuffer) { _ = follow(edit, in: buffer) }

    /// Follows an edit, and tells how far into the text after it the counting may have come out otherwise.
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

    /// Counts the surroundings of a change with the old and with the new text in them.
    private mutating func recount(_ part: RecountedPart, in buffer: TextBuffer) {
        // What stands before the change is counted once for both.
        var place = part.replacements.first?.now.lowerBound ?? part.surroundings.lowerBound
        // Where no boundary was found, a mark is taken to stand in a word, as marks do.
        let start = part.surroundings.lowerBound
        let isCut = start > 0 && place - start >= TextBuffer.maximumCountingContext
        let isInWord = isCut && buffer.scalarValue(at: start).map { WordClass($0) == .mark } ?? false
        var old = TextCounter(isInWord: isInWord)
        old.count(part.surroundings.lowerBound..<place, of: buffer)
        var now = old
        now.count(place..<part.surroundings.upperBound, of: buffer)
        for replacement in part.replacements {
            old.count(place..<replacement.now.lowerBound, of: buffer)
            var removed = replacement.removed
            removed.withUTF8 { old.count($0) }
            place = replacement.now.upperBound
        }
        old.count(place..<part.surroundings.upperBound, of: buffer)
        add(old.finish(), sign: -1)
        add(now.finish(), sign: 1)
    }

    private mutating func add(_ counts: TextCounter.Counts, sign: Int) {
        words += sign * counts.words
        characterWords += sign * counts.characterWords
        characters += sign * counts.characters
    }
}

/// A part of a text in which an edit may have changed the counts.
private struct RecountedPart {
    /// What was removed, and where in the new text that is which came in its place.
    private(set) var replacements: [(removed: String, now: Range<ByteOffset>)] = []
    /// By how much the text behind the part has moved.
    private(set) var shift: Int
    /// The part of the new text that holds them; what is before and behind it is counted as it was.
    private(set) var surroundings: Range<ByteOffset> = 0..<0

    /// - Parameter shift: by how much the text before the replacements has moved.
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

    /// Both as one, since what is around them cannot be told apart.
    func joined(with next: RecountedPart) -> RecountedPart {
        var result = next
        result.replacements = replacements + next.replacements
        result.surroundings = surroundings.lowerBound..<max(surroundings.upperBound, next.surroundings.upperBound)
        return result
    }
}

extension [Edit.Replacement] {
    /// The replacements in groups that lie more than `distance` bytes apart.
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
    /// Counts a part of a text.
    fileprivate mutating func count(_ range: Range<ByteOffset>, of buffer: TextBuffer) {
        buffer.forEachPiece(in: range) { piece in
            count(piece)
            return true
        }
    }
}

extension TextBuffer {
    /// Bytes that are looked at first for a place that a change cannot reach across: nearly always enough.
    fileprivate static let countingContext = 1024
    /// Bytes that are looked at for one at most.
    ///
    /// What begins there is counted by itself, before the change and after it alike, so that the difference is right
    /// where a text goes on and on.
    fileprivate static let maximumCountingContext = 64 << 10

    fileprivate func scalarValue(at offset: ByteOffset) -> UInt32? {
        guard offset < end else { return nil }
        return withUTF8(in: offset..<scalarEnd(after: offset)) { Clusters.scalar(at: 0, in: $0) }
    }

    /// A place two letters or more before `offset`, one that decides what is a word among them, where clusters and words before and behind are told independently.
    fileprivate func countingStart(before offset: ByteOffset) -> ByteOffset {
        var context = TextBuffer.countingContext
        while true {
            let start = scalarStart(atOrBefore: max(0, offset - context))
            let found = withUTF8(in: start..<offset) { $0.lastCountingBoundary() }
            if let found { return start + found }
            if start == 0 || context >= TextBuffer.maximumCountingContext { return start }
            context *= 4
        }
    }

    /// A place two letters or more after `offset`, one that decides what is a word among them, where clusters and words before and behind are told independently.
    fileprivate func countingEnd(after offset: ByteOffset) -> ByteOffset {
        var context = TextBuffer.countingContext
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
    /// The last place with two letters or more behind it, one of which decides what is a word, that surely parts two
    /// clusters.
    fileprivate func lastCountingBoundary() -> Int? {
        var (place, letters, isDecided) = (count, 0, false)
        while place > 0 {
            let previous = Clusters.scalarStart(before: place, in: self)
            let a = Clusters.scalar(at: previous, in: self)
            if letters >= 2, isDecided, Clusters.isSurelyBetween(a, Clusters.scalar(at: place, in: self)) {
                return place
            }
            let this = WordClass(a)
            letters += this == .mark ? 0 : 1
            isDecided = isDecided || this.decidesCounting && a != 0x5F
            place = previous
        }
        return nil
    }

    /// The first place with two letters or more before it, one of which decides what is a word, that surely parts two
    /// clusters.
    fileprivate func firstCountingBoundary() -> Int? {
        var (place, letters, isDecided) = (0, 0, false)
        while place < count {
            let next = place + Clusters.scalarLength(self[place])
            guard next < count else { return nil }
            let a = Clusters.scalar(at: place, in: self)
            let this = WordClass(a)
            letters += this == .mark ? 0 : 1
            isDecided = isDecided || this.decidesCounting && a != 0x5F
            if letters >= 2, isDecided, Clusters.isSurelyBetween(a, Clusters.scalar(at: next, in: self)) { return next }
            place = next
        }
        return nil
    }
}
