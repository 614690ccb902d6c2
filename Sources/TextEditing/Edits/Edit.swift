/// An invertible change of a text: replacements in ascending order that neither overlap nor touch.
///
/// All offsets refer to the text before the edit:
///
///     "one two" with [0..<3 "one" -> "1", 4..<7 "two" -> "2"]  ==  "1 2"
public struct Edit: Hashable, Codable, Sendable {
    /// A range of the old text, its old content and its new content.
    public struct Replacement: Hashable, Codable, Sendable {
        /// The offset in the old text at which the replacement starts.
        public var start: ByteOffset
        /// The text that was removed.
        public var removed: String
        /// The text that was inserted.
        public var inserted: String

        /// Creates a replacement of `removed`, which starts at `start`, by `inserted`.
        public init(start: ByteOffset, removed: String, inserted: String) {
            self.start = start
            self.removed = removed
            self.inserted = inserted
        }

        /// The range of the old text that is replaced.
        public var range: Range<ByteOffset> { start..<start + removed.utf8.count }
        /// The number of bytes by which the text grows; negative if it shrinks.
        public var growth: Int { inserted.utf8.count - removed.utf8.count }
    }

    /// The replacements in ascending order.
    public private(set) var replacements: [Replacement]

    /// An edit that changes nothing.
    public init() { replacements = [] }

    /// An edit of one replacement.
    public init(_ replacement: Replacement) {
        replacements = replacement.removed.isEmpty && replacement.inserted.isEmpty ? [] : [replacement]
    }

    /// Creates an edit of replacements in ascending order; traps if they overlap.
    ///
    /// Replacements that touch are joined.
    public init(_ replacements: [Replacement]) {
        self.replacements = []
        self.replacements.reserveCapacity(replacements.count)
        for next in replacements where !(next.removed.isEmpty && next.inserted.isEmpty) {
            guard let last = self.replacements.last, next.start <= last.range.upperBound else {
                self.replacements.append(next)
                continue
            }
            precondition(next.start == last.range.upperBound, "the replacements of an edit overlap")
            self.replacements[self.replacements.count - 1].removed += next.removed
            self.replacements[self.replacements.count - 1].inserted += next.inserted
        }
    }

    /// The edit that replaces a range of `buffer` by `text`.
    public init(replacing range: Range<ByteOffset>, of buffer: TextBuffer, with text: String) {
        self.init(Replacement(start: range.lowerBound, removed: buffer.string(in: range), inserted: text))
    }

    /// The edit that replaces several ranges of `buffer`, given in ascending order.
    public init(replacing parts: [(range: Range<ByteOffset>, text: String)], of buffer: TextBuffer) {
        self.init(
            parts.map {
                Replacement(start: $0.range.lowerBound, removed: buffer.string(in: $0.range), inserted: $0.text)
            })
    }

    /// Whether the edit changes nothing.
    public var isEmpty: Bool { replacements.isEmpty }
    /// The number of bytes by which the text grows; negative if it shrinks.
    public var growth: Int { replacements.reduce(0) { $0 + $1.growth } }

    /// The memory that the edit takes, in bytes.
    var cost: Int {
        replacements.reduce(0) { $0 + $1.removed.utf8.count + $1.inserted.utf8.count + Edit.costOfReplacement }
    }

    /// The bytes that a replacement takes besides its texts: for its offset, two string headers, two allocations.
    static let costOfReplacement = MemoryLayout<Replacement>.stride + 64

    /// Whether the edit fits `buffer`: the text that it removes is at its position there.
    ///
    /// O(texts removed).
    public func fits(_ buffer: TextBuffer) -> Bool {
        var end: ByteOffset = 0
        return replacements.allSatisfy { old in
            let range = old.range
            guard range.lowerBound >= end, range.upperBound <= buffer.end else { return false }
            guard buffer.isScalarStart(range.lowerBound), buffer.isScalarStart(range.upperBound) else { return false }
            end = range.upperBound
            return buffer.string(in: range).utf8.elementsEqual(old.removed.utf8)
        }
    }

    /// Applies the edit to `buffer`, which must be the text that the edit was made for.
    ///
    /// O(replacements x log size + texts). Many replacements near each other are made at once, by copying the text
    /// between them.
    public func apply(to buffer: inout TextBuffer) {
        guard let span = oldRange else { return }
        if replacements.count > Edit.manyReplacements, span.length / replacements.count < Edit.nearBytes {
            return buffer.replace(span, with: newText(of: span, in: buffer))
        }
        for replacement in replacements.reversed() {
            buffer.replace(replacement.range, with: replacement.inserted)
        }
    }

    /// The number of replacements above which they may be made at once.
    private static let manyReplacements = 16
    /// The bytes per replacement below which they are made at once: copying this many takes about as long as one change
    /// of the rope, a microsecond.
    private static let nearBytes = 8 << 10

    private func newText(of span: Range<ByteOffset>, in buffer: TextBuffer) -> String {
        var text = ""
        text.reserveCapacity(span.length + growth)
        var position = span.lowerBound
        for replacement in replacements {
            text += buffer.string(in: position..<replacement.start)
            text += replacement.inserted
            position = replacement.range.upperBound
        }
        return text
    }

    /// The edit that undoes this one.
    public var inverse: Edit {
        var shift = 0
        var result = Edit()
        result.replacements = replacements.map { old in
            defer { shift += old.growth }
            return Replacement(start: old.start + shift, removed: old.inserted, inserted: old.removed)
        }
        return result
    }

    /// The range of the old text from the first replacement to the last; nil if the edit is empty.
    public var oldRange: Range<ByteOffset>? {
        guard let first = replacements.first, let last = replacements.last else { return nil }
        return first.start..<last.range.upperBound
    }

    /// The range of the new text that corresponds to `oldRange`; nil if the edit is empty.
    public var newRange: Range<ByteOffset>? {
        guard let old = oldRange else { return nil }
        return old.lowerBound..<old.upperBound + growth
    }
}
