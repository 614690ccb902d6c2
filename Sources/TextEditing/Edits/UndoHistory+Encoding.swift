/// A compact encoding of a history for storage: numbers with 7 bits per byte, texts unchanged.
///
/// Decoding copies the texts, so a note with a long history opens as quickly as one without.
extension UndoHistory {
    /// The version of the encoding, its first byte.
    private static let version: UInt8 = 1

    /// The newest steps that fit in `limit` bytes: those to undo, then those to redo.
    ///
    /// The next step to undo and the next to redo are kept up to the history's budget even if they exceed the limit, as
    /// a large paste may. O(bytes).
    public func encoded(limit: Int = 1 << 20) -> [UInt8] {
        if group != nil {
            var whole = self
            whole.endGroup()
            return whole.encoded(limit: limit)
        }
        var left = limit
        func newest(_ steps: [Step]) -> ArraySlice<Step> {
            var first = steps.endIndex
            while first > 0 {
                let cost = steps[first - 1].edit.cost
                guard cost <= (first == steps.endIndex ? budget : left) else { break }
                first -= 1
                left -= cost
            }
            return steps[first...]
        }
        var writer = HistoryWriter()
        writer.bytes = [UndoHistory.version]
        let (done, undone) = (newest(done), newest(undone))
        writer.write(budget)
        writer.write(done)
        writer.write(undone)
        return writer.bytes
    }

    /// Decodes the output of `encoded(limit:)`; nil for any other bytes.
    ///
    /// O(bytes).
    public init?(encoded bytes: some Collection<UInt8>) {
        let read = bytes.withContiguousStorageIfAvailable { UndoHistory(reading: $0) }
        guard let history = read ?? Array(bytes).withUnsafeBufferPointer({ UndoHistory(reading: $0) }) else {
            return nil
        }
        self = history
    }

    private init?(reading bytes: UnsafeBufferPointer<UInt8>) {
        var reader = HistoryReader(bytes)
        guard reader.byte() == UndoHistory.version, let budget = reader.number(), let done = reader.steps(),
            let undone = reader.steps(), reader.isAtEnd
        else { return nil }
        self.init(budget: budget)
        self.done = done
        self.undone = undone
        cost = (done + undone).reduce(0) { $0 + $1.edit.cost }
    }
}

private struct HistoryWriter {
    var bytes: [UInt8] = []

    mutating func write(_ number: Int) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func write(_ text: String) {
        write(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func write(_ steps: ArraySlice<UndoHistory.Step>) {
        write(steps.count)
        for step in steps {
            bytes.append(step.kind.code)
            for offset in [step.before.anchor, step.before.head, step.after.anchor, step.after.head] {
                write(offset.rawValue)
            }
            write(step.edit.replacements.count)
            for replacement in step.edit.replacements {
                write(replacement.start.rawValue)
                write(replacement.removed)
                write(replacement.inserted)
            }
        }
    }
}

/// Decodes stored histories, and checks every length, since one may be damaged.
private struct HistoryReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    /// A number that is not negative.
    mutating func number() -> Int? {
        var (result, shift) = (UInt(0), 0)
        while let byte = byte(), shift < 63 {
            result |= UInt(byte & 0x7F) << UInt(shift)
            if byte < 0x80 { return Int(exactly: result) }
            shift += 7
        }
        return nil
    }

    mutating func text() -> String? {
        guard let count = number(), count <= bytes.count - position else { return nil }
        defer { position += count }
        return String(validating: bytes[position..<position + count], as: UTF8.self)
    }

    mutating func steps() -> [UndoHistory.Step]? {
        // A step takes at least six bytes, so a damaged count cannot request excessive memory.
        guard let count = number(), count <= bytes.count / 6 else { return nil }
        var steps: [UndoHistory.Step] = []
        steps.reserveCapacity(count)
        for _ in 0..<count {
            guard let step = step() else { return nil }
            steps.append(step)
        }
        return steps
    }

    private mutating func step() -> UndoHistory.Step? {
        guard let kind = byte().flatMap({ EditKind(code: $0) }), let before = selection(), let after = selection(),
            let edit = edit()
        else { return nil }
        return UndoHistory.Step(edit: edit, before: before, after: after, kind: kind)
    }

    private mutating func selection() -> Selection? {
        guard let anchor = number(), let head = number() else { return nil }
        return Selection(anchor: ByteOffset(anchor), head: ByteOffset(head))
    }

    private mutating func edit() -> Edit? {
        guard let count = number(), count <= bytes.count / 3 else { return nil }
        var replacements: [Edit.Replacement] = []
        var end: ByteOffset = 0
        for _ in 0..<count {
            guard let start = number(), let removed = text(), let inserted = text(), start >= end.rawValue,
                start < Int.max / 2
            else { return nil }
            replacements.append(Edit.Replacement(start: ByteOffset(start), removed: removed, inserted: inserted))
            end = replacements[replacements.count - 1].range.upperBound
        }
        return Edit(replacements)
    }
}

extension EditKind {
    /// The kinds in the order of their codes; new ones may only be appended.
    private static let coded: [EditKind] = [.typing, .deleting, .paste, .command, .external]

    fileprivate var code: UInt8 { UInt8(EditKind.coded.firstIndex(of: self) ?? 0) }

    fileprivate init?(code: UInt8) {
        guard code < EditKind.coded.count else { return nil }
        self = EditKind.coded[Int(code)]
    }
}
