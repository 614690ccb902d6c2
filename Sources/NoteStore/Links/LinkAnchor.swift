import Foundation
import Markdown

/// The target inside a note that a link names: `#Heading`, `^block` or `#^block`.
public enum LinkAnchor: Equatable, Sendable {
    case heading(String)
    case block(String)

    /// - Parameter written: the anchor with its leading `#` or `^`.
    public init?(_ written: String) { self.init(written[...]) }

    init?(_ written: Substring) {
        let isBlock = written.hasPrefix("^") || written.hasPrefix("#^")
        let name = Folding.trimmed(String(written.drop { $0 == "#" || $0 == "^" }))
        if name.isEmpty { return nil }
        if isBlock {
            self = .block(name)
        } else {
            // `[[Note#Chapter#Section]]` names a heading after its parent headings.
            let last = name.split(separator: "#").last.map { Folding.trimmed(String($0)) } ?? name
            self = last.hasPrefix("^") ? .block(String(last.dropFirst())) : .heading(last)
        }
    }

    /// Returns the 0-based line of the heading or block in a text, or `nil` if there is none.
    public func line(in text: String) -> Int? {
        switch self {
        case .heading(let name):
            let wanted = Self.letters(name)
            return Markdown.outline(of: text).first { Self.letters($0.title) == wanted }?.line
        case .block(let name):
            let wanted = "^" + Folding.key(name)
            return Self.lines(of: text).firstIndex { line in
                let key = Folding.key(String(line))
                return key == wanted || key.hasSuffix(" " + wanted)
            }
        }
    }

    /// Splits a text into lines, which end at LF as in the outline.
    private static func lines(of text: String) -> [Substring] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(Substring.init)
    }

    /// Returns the letters and digits of a heading, by which headings are compared, since programs treat the rest
    /// differently.
    private static func letters(_ text: String) -> String {
        let letters = Folding.key(text).filter { $0.isLetter || $0.isNumber }
        return letters.isEmpty ? Folding.key(text) : letters
    }
}

extension NoteID {
    /// Returns `[label](address)` for a link to this note that its title cannot express.
    ///
    /// - Parameter anchor: the anchor with its leading `#` or `^`; empty for the note itself.
    func link(showing label: String, anchor: String) -> String {
        let escaped = anchor.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed.union(["#"])) ?? anchor
        return "[\(ImportRun.escaped(label))](\(url)\(escaped))"
    }
}
