import Foundation
import Markdown

/// A note that Standard Notes' editor Super has written: a tree of elements in JSON, as the library Lexical stores it.
///
/// It becomes HTML, and the HTML Markdown, so that the one converter escapes and nests everything.
struct SuperNote {
    /// How many elements may contain each other; each takes room on the stack, and no note has so many.
    private static let maximumDepth = 100
    private struct TooDeep: Error {}

    private struct Root: Decodable {
        let root: Element
    }

    private struct Element: Decodable {
        let type: String
        let text, tag, listType, language, url, src, alt, fileUuid, itemUuid, videoID, id: String?
        /// Of text, the sum of the bits in `styles`; of other elements, where they stand on the line.
        let format: Int?
        let start: Int?
        let checked: Bool?
        let children: [Element]?

        private enum CodingKeys: String, CodingKey {
            case type, text, tag, listType, language, url, src, alt, fileUuid, itemUuid, videoID, id
            case format, start, checked, children
        }

        init(from decoder: any Decoder) throws {
            // Each element adds its index in the children of another one.
            guard decoder.codingPath.count <= 2 * maximumDepth else { throw TooDeep() }
            let values = try decoder.container(keyedBy: CodingKeys.self)
            // A property of another form in some element means nothing that Markdown can say. Most are missing, and an
            // error for each of them, with the whole way to it, would cost far more than the rest.
            func optional<Value: Decodable>(_ key: CodingKeys) -> Value? {
                (try? values.decodeIfPresent(Value.self, forKey: key)) ?? nil
            }
            type = optional(.type) ?? ""
            (text, tag, listType) = (optional(.text), optional(.tag), optional(.listType))
            (language, url, src, alt) = (optional(.language), optional(.url), optional(.src), optional(.alt))
            (fileUuid, itemUuid) = (optional(.fileUuid), optional(.itemUuid))
            (videoID, id) = (optional(.videoID), optional(.id))
            (format, start, checked) = (optional(.format), optional(.start), optional(.checked))
            children = try values.decodeIfPresent([Element].self, forKey: .children)
        }

        var all: [Element] { children ?? [] }
        /// The identities of the files in it.
        var files: [String] { (fileUuid.map { [$0] } ?? []) + all.flatMap(\.files) }
    }

    /// The text in Markdown.
    let text: String
    /// The names of the files that the note shows, which no backup contains.
    let files: [String]

    /// Converts the text of a note; `nil` for one that Super has not written.
    ///
    /// - Parameter titles: the titles of the export's notes and the names of its files, by their identities.
    init?(_ json: String, titles: [String: String]) {
        guard json.hasPrefix("{\"root\":"),
            let root = try? JSONDecoder().decode(Root.self, from: Data(json.utf8)).root,  // else it is text like any
            root.type == "root"
        else { return nil }
        text = MarkdownFromHTML(Self.html(of: root.all, titles)).text
        files = root.files.map { titles[$0] ?? $0 }
    }

    /// The elements of HTML for the bits of a text's format; underlined text has none in Markdown.
    private static let styles = [(1, "b"), (2, "i"), (4, "s"), (16, "code"), (128, "mark")]

    /// The elements that have the same meaning in HTML under another name.
    private static let blocks = [
        "paragraph": "p", "table": "table", "tablerow": "tr", "tablecell": "td", "collapsible-title": "p",
    ]

    private static func html(of elements: [Element], _ titles: [String: String]) -> String {
        elements.map { html(of: $0, titles) }.joined()
    }

    private static func html(of element: Element, _ titles: [String: String]) -> String {
        func content() -> String { html(of: element.all, titles) }
        switch element.type {
        case "text", "code-highlight":
            let marks = styles.filter { (element.format ?? 0) & $0.0 != 0 }.map(\.1)
            return marks.reduce(escaped(element.text)) { "<\($1)>\($0)</\($1)>" }
        case "linebreak": return "<br>"
        case "tab": return "\t"
        case "heading": return wrapped(content(), in: element.tag ?? "h1")
        case "quote": return "<blockquote><p>\(content())</p></blockquote>"
        case "list": return list(element, titles)
        case "code":
            let language = (element.language ?? "").filter { $0.isLetter || $0.isNumber }
            return "<pre class=\"language-\(language)\">\(content())</pre>"
        case "horizontalrule": return "<hr>"
        case "link", "autolink": return link(to: element.url, showing: content())
        case "snbubble":
            return link(to: element.itemUuid.map { "takenote://note/\($0)" }, showing: name(element.itemUuid, titles))
        case "snfile": return "<p>\(name(element.fileUuid, titles))</p>"
        case "remote-image", "unencrypted-image":
            return "<p><img src=\"\(escaped(element.src))\" alt=\"\(escaped(element.alt))\"></p>"
        case "youtube": return address("https://www.youtube.com/watch?v=", element.videoID)
        case "tweet": return address("https://twitter.com/i/web/status/", element.id)
        default: return blocks[element.type].map { wrapped(content(), in: $0) } ?? content()
        }
    }

    /// Returns a list; a list inside of it is an item of its own in Super, and belongs to the item before it.
    private static func list(_ element: Element, _ titles: [String: String]) -> String {
        var items: [String] = []
        for item in element.all {
            let content = html(of: item.all, titles)
            if item.all.first?.type == "list", let last = items.popLast() {
                items.append(last + content)
            } else if element.listType == "check" {
                items.append("<input type=\"checkbox\"\(item.checked == true ? " checked" : "")>" + content)
            } else {
                items.append(content)
            }
        }
        let inner = items.map { wrapped($0, in: "li") }.joined()
        return element.listType == "number"
            ? "<ol start=\"\(element.start ?? 1)\">\(inner)</ol>" : wrapped(inner, in: "ul")
    }

    private static func wrapped(_ content: String, in name: String) -> String { "<\(name)>\(content)</\(name)>" }

    private static func link(to address: String?, showing content: String) -> String {
        address.map { "<a href=\"\(escaped($0))\">\(content)</a>" } ?? content
    }

    private static func address(_ start: String, _ end: String?) -> String {
        end.map { wrapped(link(to: start + $0, showing: escaped(start + $0)), in: "p") } ?? ""
    }

    private static func name(_ id: String?, _ titles: [String: String]) -> String {
        escaped(id.flatMap { titles[$0] } ?? id)
    }

    private static func escaped(_ text: String?) -> String { XMLText.escaped(text ?? "") }
}
