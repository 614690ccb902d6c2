import Foundation
import Testing

/// Tests that stilted words do not come back into what a person reads.
struct PlainEnglishTests {
    /// Patterns of words that were replaced, each with what is said instead.
    private static let replaced: [(old: String, new: String)] = [
        (#"Nothing fits"#, "No matches"),
        (#"(”|\\"|\)) made\b(?! no)"#, "Folder “X” created"),
        (#"\bMade in\b"#, "Created in Inbox"),
        (#"\b(make|makes) (it|this tag)$"#, "create, create tag"),
        (#"\b(takes|sets|chooses) it, "#, "Enter OK"),
        (#"\b(Enter|Space|Tab) (chooses|takes|sets|leaves)\b"#, "Enter select, Space excludes"),
        (#"\bEsc (leaves|is done)$"#, "Esc cancel, Esc closes"),
        (#"\bempty follows\b"#, "leave empty to use the first line"),
        (#"\breads on\b"#, "PgDn scrolls"),
        (#"\bUndone: new\b"#, "Undone: create folder “X”"),
        (#"\bDone again\b"#, "Redone: …"),
        (#"\bout of the Archive\b"#, "“X” unarchived"),
        (#"… the top\b"#, "Top level"),
        (#"^is here$"#, "current folder"),
        (#"\bbelongs to the notebook\b"#, "is built in and can't be changed"),
        (#"\btext is back;"#, "Earlier version restored"),
        (#"\btakes it away again\b"#, "u in the list undoes it"),
        (#"\b(is no|not an) (expression|filter)\b"#, "invalid regex, is not a filter"),
        (#"[↓↑](upd|cre|abc)\b"#, "↓ updated, ↓ created, ↑ title"),
        (#"\bKeep this search\b"#, "Save search as"),
    ]

    /// The string literals of the files with texts, each with its file.
    private func texts() throws -> [(file: String, text: String)] {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { path in
            path.hasSuffix(".swift") && (path.contains("/Texts") || path.hasSuffix("Texts.swift"))
        }
        #expect(files.count > 30)
        return try files.flatMap { file in
            let lines = try String(contentsOf: sources.appending(path: file), encoding: .utf8).split(separator: "\n")
            return lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.flatMap { line in
                line.matches(of: /"((?:[^"\\]|\\.)*)"/).map { (file: file, text: String($0.1)) }
            }
        }
    }

    @Test func `no text has words that were replaced by plain English`() throws {
        let texts = try texts()
        #expect(texts.count > 1_000)
        for (old, new) in Self.replaced {
            let pattern = try Regex(old)
            for (file, text) in texts where text.contains(pattern) {
                Issue.record("\(file): “\(text)” should be worded like “\(new)”")
            }
        }
    }
}
