import Markdown
import TextPrimitives

/// Bear's tags of several words, `#two words#`, as tags of the notebook, which end at a blank.
enum BearTags {
    /// A tag that is to be written in another way.
    private struct Tag {
        /// The bytes from its first `#` to its last.
        let range: Range<Int>
        /// The name with `_` for each run of characters that the notebook's tags cannot have.
        let name: String
    }

    /// Returns a text with `#two_words` for each `#two words#`.
    static func translated(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let found = tags(in: bytes)
        guard !found.isEmpty else { return text }
        // A `#` in code, in an address or after a backslash begins no tag, whatever follows it.
        let written = writing(found, in: bytes)
        let starts = Set(Markdown.tagOccurrences(in: written.text).map(\.range.lowerBound))
        let tags = zip(found, written.starts).filter { starts.contains($1) }.map(\.0)
        return writing(tags, in: bytes).text
    }

    /// Returns what may be tags of several words, in order.
    private static func tags(in bytes: [UInt8]) -> [Tag] {
        let hash = UInt8(ascii: "#")
        var tags: [Tag] = []
        var next = bytes.firstIndex(of: hash)
        while let start = next {
            guard let end = bytes[(start + 1)...].firstIndex(where: { $0 == hash || $0.isLineEnd }) else { break }
            next = bytes[end] == hash ? end : bytes[end...].firstIndex(of: hash)
            guard bytes[end] == hash, let name = name(in: bytes, start + 1..<end) else { continue }
            tags.append(Tag(range: start..<end + 1, name: name))
            next = bytes[(end + 1)...].firstIndex(of: hash)
        }
        return tags
    }

    /// Returns the name between two `#` for the notebook; `nil` if they do not enclose a tag, or one of a single word.
    private static func name(in bytes: [UInt8], _ range: Range<Int>) -> String? {
        guard let first = bytes[range].first, let last = bytes[range].last, !first.isBlank, !last.isBlank,
            // No letter or `#` follows the last one.
            range.upperBound + 1 == bytes.count || bytes[range.upperBound + 1].endsTag,
            !bytes[range].contains(where: { "`*[]<>\\".utf8.contains($0) })
        else { return nil }
        let written = String(decoding: bytes[range], as: UTF8.self)
        let parts = written.split { $0 != "-" && $0 != "/" && !Markdown.isTag("x\($0)") }
        let name = parts.joined(separator: "_")
        return parts.count > 1 && Markdown.isTag(name) ? name : nil
    }

    /// Returns the text with these tags in their new form, and the offsets of their names in it.
    private static func writing(_ tags: [Tag], in bytes: [UInt8]) -> (text: String, starts: [Int]) {
        var (result, starts): ([UInt8], [Int]) = ([], [])
        var done = 0
        for tag in tags {
            result += bytes[done...tag.range.lowerBound]
            starts.append(result.count)
            result += Array(tag.name.utf8)
            done = tag.range.upperBound
        }
        return (String(decoding: result + bytes[done...], as: UTF8.self), starts)
    }
}

extension UInt8 {
    fileprivate var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
    /// Whether it is a character of ASCII other than a letter, a digit and `#`.
    fileprivate var endsTag: Bool {
        let scalar = Unicode.Scalar(self)
        return scalar.isASCII && !scalar.properties.isAlphabetic && !isDigit && self != UInt8(ascii: "#")
    }
}
