/// A heading of a text.
public struct OutlineItem: Equatable, Sendable {
    /// The level, from 1 to 6.
    public var level: Int
    /// The title without markers.
    public var title: String
    /// The line, counted from 0.
    public var line: Int
}

/// A `- [ ]` item of a text.
public struct TaskItem: Equatable, Sendable {
    public var isDone: Bool
    /// The first line of the item's text, without markers.
    public var title: String
    /// The line, counted from 0.
    public var line: Int
}

extension Markdown {
    /// The front matter of a text, or nil if there is none; reads only the front matter.
    public static func frontMatter(of text: String) -> FrontMatter? {
        var text = text
        return text.withUTF8 { FrontMatter($0) }
    }

    /// The `#tags` of a text without `#`, each once, as it is first written.
    public static func tags(in text: String) -> [String] {
        MarkdownDocument(text).tags
    }

    /// The headings of a text.
    public static func outline(of text: String) -> [OutlineItem] {
        MarkdownDocument(text).outline
    }

    /// The task items of a text.
    public static func tasks(in text: String) -> [TaskItem] {
        MarkdownDocument(text).tasks
    }
}

extension MarkdownDocument {
    public var tags: [String] {
        content.withUnsafeBufferPointer { content in
            var seen: Set<String> = []
            var tags: [String] = []
            forEachInline { node in
                guard node.kind == .tag else { return }
                let name = String(decoding: content[Int(node.start) + 1..<Int(node.end)], as: UTF8.self)
                if seen.insert(name.lowercased()).inserted { tags.append(name) }
            }
            return tags
        }
    }

    public var outline: [OutlineItem] {
        content.withUnsafeBufferPointer { content in
            blocks.filter { $0.kind == .heading }.map {
                OutlineItem(
                    level: Int($0.detail), title: plainText(of: $0.firstInline, content).trimmed,
                    line: sourceLine($0.firstLine))
            }
        }
    }

    public var tasks: [TaskItem] {
        content.withUnsafeBufferPointer { content in
            blocks.indices.filter { blocks[$0].kind == .item && blocks[$0].detail != BlockNode.Task.none }.map {
                let item = blocks[$0]
                let hasText =
                    $0 + 1 < blocks.count && blocks[$0 + 1].kind == .paragraph
                    && Int(blocks[$0 + 1].parent) == $0
                let text = hasText ? plainText(of: blocks[$0 + 1].firstInline, content, breaks: "\n") : ""
                return TaskItem(
                    isDone: item.detail == BlockNode.Task.done,
                    title: String(text.split(separator: "\n").first ?? ""), line: sourceLine(item.firstLine))
            }
        }
    }
}
