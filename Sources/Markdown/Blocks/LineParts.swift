import TextPrimitives

enum ATXHeading {
    /// The end of the content that starts at `start`, excluding closing `#`s and white space.
    static func contentEnd(_ bytes: Bytes, from start: Int) -> Int {
        var end = bytes.count
        while end > start, bytes[end - 1].isBlank { end -= 1 }
        var hashes = end
        while hashes > start, bytes[hashes - 1] == Byte.hash { hashes -= 1 }
        guard hashes < end, hashes == start || bytes[hashes - 1].isBlank else { return end }
        while hashes > start, bytes[hashes - 1].isBlank { hashes -= 1 }
        return hashes
    }
}

enum Footnotes {
    /// The offset of the `]` of the footnote label `[^label]` whose `[` is at `start`; nil if it is none, or contains
    /// white space or brackets.
    static func labelEnd(_ bytes: Bytes, at start: Int) -> Int? {
        guard start + 3 < bytes.count, bytes[start + 1] == Byte.caret else { return nil }
        var offset = start + 2
        while offset < bytes.count, bytes[offset] != Byte.closeBracket {
            if bytes[offset].isSpace || bytes[offset] == Byte.openBracket { return nil }
            offset += 1
        }
        return offset < bytes.count && offset > start + 2 ? offset : nil
    }
}

/// The alignment of a table column.
public enum TableAlignment: UInt8, Sendable {
    case none, left, center, right
}

enum TableRows {
    /// The number of columns if the line from `start` on is a table's delimiter row.
    static func delimiterColumns(_ bytes: Bytes, from start: Int) -> Int? {
        alignments(bytes, from: start)?.count
    }

    /// The columns of a delimiter row (`| :-- | --: |`), or nil if the line is not one.
    static func alignments(_ bytes: Bytes, from start: Int) -> [TableAlignment]? {
        var columns: [TableAlignment] = []
        var offset = start
        func skipBlanks() { while offset < bytes.count, bytes[offset].isBlank { offset += 1 } }
        let hasPipe = offset < bytes.count && bytes[offset] == Byte.pipe
        if hasPipe { offset += 1 }
        while true {
            skipBlanks()
            guard offset < bytes.count else { break }
            let isLeft = bytes[offset] == Byte.colon
            if isLeft { offset += 1 }
            let dashes = offset
            while offset < bytes.count, bytes[offset] == Byte.hyphen { offset += 1 }
            guard offset > dashes else { return nil }
            let isRight = offset < bytes.count && bytes[offset] == Byte.colon
            if isRight { offset += 1 }
            columns.append(isLeft ? (isRight ? .center : .left) : (isRight ? .right : .none))
            skipBlanks()
            guard offset < bytes.count else { break }
            guard bytes[offset] == Byte.pipe else { return nil }
            offset += 1
        }
        return columns.isEmpty ? nil : columns
    }

    /// Whether a line that continues a table is a row; one with nothing but a pipe ends the table, as in cmark-gfm.
    static func hasCells(_ bytes: Bytes, from start: Int) -> Bool {
        bytes[start] != Byte.pipe || bytes[start + 1..<bytes.count].contains { !$0.isSpace }
    }

    /// Calls `body` with the range of each cell of a row, trimmed; cells end at pipes without a backslash before them.
    static func forEachCell(_ bytes: Bytes, from start: Int, to limit: Int, _ body: (Range<Int>) -> Void) {
        var end = limit
        while end > start, bytes[end - 1].isSpace { end -= 1 }
        var offset = start
        while offset < end, bytes[offset].isBlank { offset += 1 }
        if offset < end, bytes[offset] == Byte.pipe { offset += 1 }
        while offset < end {
            let cellStart = offset
            while offset < end, bytes[offset] != Byte.pipe {
                offset += isEscapedPipe(bytes, at: offset, to: end) ? 2 : 1
            }
            body(trim(bytes, cellStart, min(offset, end)))
            offset += 1
        }
    }

    /// Whether a pipe follows the backslash at an offset; as in cmark-gfm it is escaped after another backslash, too.
    static func isEscapedPipe(_ bytes: Bytes, at offset: Int, to end: Int) -> Bool {
        bytes[offset] == Byte.backslash && offset + 1 < end && bytes[offset + 1] == Byte.pipe
    }

    static func cellCount(_ bytes: Bytes, from start: Int, to end: Int) -> Int {
        var count = 0
        forEachCell(bytes, from: start, to: end) { _ in count += 1 }
        return count
    }

    private static func trim(_ bytes: Bytes, _ start: Int, _ end: Int) -> Range<Int> {
        var (start, end) = (start, end)
        while start < end, bytes[start].isSpace { start += 1 }
        while end > start, bytes[end - 1].isSpace { end -= 1 }
        return start..<end
    }
}
