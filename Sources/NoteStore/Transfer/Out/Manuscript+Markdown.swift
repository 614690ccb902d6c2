import Foundation
import Markdown

/// The manuscript as one Markdown text, with the pictures that it shows.
public struct MarkdownManuscript: Sendable {
    public var text: String
    /// The pictures by their addresses in the text.
    public var pictures: [String: [UInt8]] = [:]
}

extension Notebook.Transfer {
    /// Returns the manuscript as one Markdown text.
    ///
    /// - Parameter folder: the name of the folder for pictures, beside the file.
    public func markdown(
        of manuscript: Manuscript, picturesIn folder: String
    ) throws(StoreError) -> MarkdownManuscript {
        let escape = ManuscriptText.escaped
        var result = MarkdownManuscript(text: "# \(escape(manuscript.title))\n\n")
        if !manuscript.author.isEmpty { result.text += escape(manuscript.author) + "\n\n" }
        if !manuscript.details.isEmpty { result.text += escape(manuscript.details) + "\n\n" }
        result.text += Texts.words(manuscript.wordCount) + "\n"
        let texts = try PreparedTexts(notebook, keepsAllLines: manuscript.keepsLines)
        var number = 0
        for section in manuscript.sections {
            let level = min(section.level + 1, 6)
            result.text +=
                section.showsTitle
                ? "\n\(String(repeating: "#", count: level)) \(escape(section.title))\n" : "\n\(Self.sceneBreak)\n"
            for (index, row) in section.notes.enumerated() {
                if index > 0 { result.text += "\n\(Self.sceneBreak)\n" }
                number += 1
                let isChapter = section.notes.count == 1 && section.title == row.title
                let content = try texts.text(try notebook.notes.text(row.id) ?? "", of: row)
                var text = Markdown.body(of: content, titled: isChapter ? row.title : "\0")
                let least = Markdown.outline(of: text).map(\.level).min() ?? 1
                text = Markdown.demotingHeadings(of: text, by: max(0, level + 1 - least))
                text = try rewritten(text, folder, &result.pictures)
                text = Markdown.renamingFootnotes(of: text) { "\(number)-\($0)" }
                result.text += "\n" + text.trimmingCharacters(in: .newlines) + "\n"
            }
        }
        return result
    }

    private static let sceneBreak = "* * *"

    /// Returns the text with pictures in the folder beside the file, and links to notes as their labels.
    private func rewritten(
        _ text: String, _ folder: String, _ pictures: inout [String: [UInt8]]
    ) throws(StoreError) -> String {
        var links = LinkEdits(Array(text.utf8))
        for destination in Markdown.destinations(in: text) {
            switch destination.kind {
            case .wikilink:
                links.replace(destination.range, ManuscriptText.escaped(destination.label))
            case .embed: break
            case .link:
                guard let target = TakeNoteURL(destination.target), target.kind == .note,
                    let whole = links.plainLink(around: destination.range)
                else { continue }
                links.replace(whole.range, whole.label)
            case .image:
                guard let target = TakeNoteURL(destination.target), target.kind == .image,
                    let image = try notebook.images.load(target.uuid)
                else { continue }
                let address = "\(folder)/\(target.uuid.uuidString).\(image.mimeType.fileExtension)"
                pictures[address] = Array(image.imageData)
                links.replace(destination.range, LinkRewriter.address(of: address))
            }
        }
        return links.text
    }
}

enum ManuscriptText {
    /// Returns a title as Markdown that reads as that title.
    static func escaped(_ title: String) -> String {
        var result = ""
        for character in title {
            if "\\`*_[]<>&#|~$".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }
}
