import Markdown
import ModalEditing
import TextEditing

/// The Markdown text objects of vim keys: a link, code, emphasis, a list item, a section.
extension EditorSession {
    /// Returns the range of a Markdown object around a position, from its line's highlighting and the text's headings.
    func range(of object: VimMarkdownObject, at position: ByteOffset, around: Bool) -> Range<ByteOffset>? {
        let buffer = editor.buffer
        let line = buffer.lineNumber(at: position)
        let start = buffer.lineStart(line)
        switch object {
        case .section: return section(around: line, withHeading: around)
        case .item: return item(around: line)
        case .link:
            let text = buffer.string(of: line)
            guard Markdown.link(at: position - start, in: text) != nil else { return nil }
            return linkRange(in: Array(text.utf8), at: position - start, around: around).map {
                start + $0.lowerBound..<start + $0.upperBound
            }
        case .code: return marked(by: "`", in: line, at: position, around: around)
        case .emphasis:
            return marked(by: "**", in: line, at: position, around: around)
                ?? marked(by: "*", in: line, at: position, around: around)
                ?? marked(by: "_", in: line, at: position, around: around)
        }
    }

    /// Returns the text between square brackets around a position, or the whole link if `around` is set.
    private func linkRange(in bytes: [UInt8], at column: Int, around: Bool) -> Range<Int>? {
        var opening = min(column, bytes.count - 1)
        while opening > 0, bytes[opening] != 0x5B { opening -= 1 }
        guard bytes.indices.contains(opening), bytes[opening] == 0x5B,
            let closing = bytes[opening...].firstIndex(of: 0x5D)
        else { return nil }
        guard around else { return opening + 1..<closing }
        guard closing + 1 < bytes.count, bytes[closing + 1] == 0x28,
            let end = bytes[closing...].firstIndex(of: 0x29)
        else { return opening..<closing + 1 }
        return opening..<end + 1
    }

    /// Returns the range around a position between two occurrences of a mark in a line.
    private func marked(by mark: String, in line: LineNumber, at position: ByteOffset, around: Bool) -> Range<
        ByteOffset
    >? {
        let start = editor.buffer.lineStart(line)
        let bytes = editor.buffer.bytes(in: editor.buffer.lineRange(line))
        let mark = Array(mark.utf8)
        let column = position - start
        var opening: Int?
        var index = 0
        while index + mark.count <= bytes.count {
            guard bytes[index..<index + mark.count].elementsEqual(mark) else {
                index += 1
                continue
            }
            if let first = opening {
                if (first...index + mark.count - 1).contains(column) {
                    return around
                        ? start + first..<start + (index + mark.count) : start + (first + mark.count)..<start + index
                }
                opening = nil
            } else {
                opening = index
            }
            index += mark.count
        }
        return nil
    }

    /// Returns the lines under the nearest heading at or above a line, up to the next of its level or a higher one.
    private func section(around line: LineNumber, withHeading: Bool) -> Range<ByteOffset>? {
        let buffer = editor.buffer
        func level(_ line: LineNumber) -> Int? {
            let marks = buffer.withUTF8(of: line) { bytes in
                let count = bytes.prefix { $0 == 0x23 }.count
                return count > 0 && count < 7 && (bytes.count == count || bytes[count] == 0x20) ? count : 0
            }
            return marks > 0 ? marks : nil
        }
        var first = line
        while first > 0, level(first) == nil { first -= 1 }
        guard let found = level(first) else { return nil }
        var last = first
        while last.rawValue + 1 < buffer.lineCount, level(last + 1).map({ $0 > found }) ?? true { last += 1 }
        let begin = withHeading ? first : first + 1
        guard begin <= last else { return nil }
        return buffer.lineStart(begin)..<buffer.lineEndIncludingTerminator(last)
    }

    /// Returns the lines of a list item: the one with the marker, and those indented under it.
    private func item(around line: LineNumber) -> Range<ByteOffset>? {
        let buffer = editor.buffer
        func indent(_ line: LineNumber) -> Int { buffer.indentEnd(of: line) - buffer.lineStart(line) }
        func isItem(_ line: LineNumber) -> Bool {
            let text = buffer.string(of: line).drop { $0 == " " || $0 == "\t" }
            if text.hasPrefix("- ") || text.hasPrefix("* ") || text.hasPrefix("+ ") { return true }
            let digits = text.prefix { $0.isNumber }
            return !digits.isEmpty && (text.dropFirst(digits.count).hasPrefix(". "))
        }
        var first = line
        while first > 0, !isItem(first), !buffer.isBlank(first) { first -= 1 }
        guard isItem(first) else { return nil }
        var last = first
        while last.rawValue + 1 < buffer.lineCount, !buffer.isBlank(last + 1), indent(last + 1) > indent(first) {
            last += 1
        }
        return buffer.lineStart(first)..<buffer.lineEndIncludingTerminator(last)
    }
}
