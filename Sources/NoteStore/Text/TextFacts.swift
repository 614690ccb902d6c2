import Foundation
import Markdown
import TextEditing

/// Everything the store derives from a note's text.
///
/// The one place that asks the Markdown and text modules.
struct TextFacts {
    /// Bits of `note.features`.
    struct Features: OptionSet {
        let rawValue: Int64
        static let link = Features(rawValue: 1)
        static let image = Features(rawValue: 2)
        static let task = Features(rawValue: 4)
    }

    let derivedTitle: String
    let preview: String
    let wordCount: Int
    let size: Int
    let features: Features
    let links: [LinkFact]

    /// A link to a note or an image, as it is written.
    struct LinkFact: Equatable {
        enum Kind: String { case note, title, image }
        let kind: Kind
        let target: String
        /// 0-based.
        let line: Int
        /// The line it stands in, at most 200 characters.
        let context: String
    }

    /// `title`: the note's own, if it does not follow the text.
    init(of text: String, title: String?) {
        derivedTitle = Self.derivedTitle(of: text)
        preview = Self.preview(of: text, title: title ?? derivedTitle)
        wordCount = Self.wordCount(of: text)
        size = text.utf8.count
        features = []
        links = []
    }
}

// A stand-in until the Markdown module has landed.
extension TextFacts {
    static func derivedTitle(of text: String) -> String {
        for line in text.replacing("\0", with: "").split(whereSeparator: \.isNewline).prefix(100) {
            let words = line.trimmingCharacters(in: CharacterSet(charactersIn: " \t#*_>`"))
            if !words.isEmpty { return String(words.prefix(200)) }
        }
        return "New Note"
    }

    static func wordCount(of text: String) -> Int { text.split(whereSeparator: \.isWhitespace).count }

    static func preview(of text: String, title: String) -> String {
        let lines = text.prefix(2000).split(whereSeparator: \.isNewline).drop { $0.allSatisfy(\.isWhitespace) }
        return String(lines.dropFirst().joined(separator: " ").prefix(200))
    }
}
