import Foundation

/// The lines of a page of Logseq as Markdown understands them.
///
/// Logseq counts tabs from the left edge, and a block need not have a dash. What is below a heading without one, or at
/// the start of the page, is indented, which Markdown reads as code. Such blocks are moved to the left:
///
///     # Heading           # Heading
///     	- child       →    - child
///     		- deeper        	- deeper
enum LogseqBlocks {
    static func asMarkdown(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\t")) || text.contains("\n    ") || text.hasPrefix("    ") else {
            return text
        }
        var lines = Lines()
        return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { lines.moved(Substring($0)) }.joined(separator: "\n")
    }

    /// The state between two lines.
    private struct Lines {
        /// The white space that is taken from the start of each line, until a line begins further to the left.
        private var shift: Substring = ""
        private var isListOpen = false
        private var isAfterBlank = true
        /// The fence of the code that the line is in.
        private var fence: Substring?

        mutating func moved(_ line: Substring) -> Substring {
            let content = line.drop { $0 == " " || $0 == "\t" }
            let indent = line[..<content.startIndex]
            let rest = shift.isEmpty || !indent.hasPrefix(shift) ? line : line[shift.endIndex(in: line)...]
            if let open = fence {
                let marks = content.prefix { $0 == open.first }
                if marks.count >= open.count, content[marks.endIndex...].allSatisfy(\.isWhitespace) { fence = nil }
                return rest
            }
            defer { isAfterBlank = content.isEmpty || content == "\r" }
            if content.isEmpty || content == "\r" { return line }
            let isItem = content == "-" || content == "-\r" || content.hasPrefix("- ")
            fence = Self.fence(in: isItem ? content.dropFirst(2) : content)
            if isItem {
                if !isListOpen || !indent.hasPrefix(shift) { shift = indent }
                isListOpen = true
                return line[shift.endIndex(in: line)...]
            }
            // A line at the left edge that does not continue a paragraph ends all blocks.
            if indent.isEmpty, isAfterBlank || content.hasPrefix("#") || fence != nil {
                (isListOpen, shift) = (false, "")
            }
            return rest
        }

        private static func fence(in content: Substring) -> Substring? {
            guard let first = content.first, first == "`" || first == "~" else { return nil }
            let marks = content.prefix { $0 == first }
            return marks.count >= 3 && !content[marks.endIndex...].contains("`") ? marks : nil
        }
    }
}

extension Substring {
    /// The index in a line that begins with this text at which the text ends.
    fileprivate func endIndex(in line: Substring) -> Index { line.utf8.index(line.startIndex, offsetBy: utf8.count) }
}
