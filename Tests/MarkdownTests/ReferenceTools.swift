import Foundation
import SeededRandom

/// Another Markdown renderer, for comparison.
struct ReferenceTool {
    let path: String
    let arguments: [String]

    static let cmark = ReferenceTool("cmark", ["--unsafe"])
    static let cmarkGFM = ReferenceTool("cmark-gfm", ["--unsafe"] + extensions)
    /// Prints the tree of blocks, each with its first and last line and column.
    static let cmarkGFMTree = ReferenceTool("cmark-gfm", ["-t", "xml", "--sourcepos"] + extensions)

    private static let extensions = ["table", "strikethrough", "autolink", "tagfilter", "tasklist"]
        .flatMap { ["-e", $0] }

    /// Finds the program in PATH; prints a warning if it is missing.
    init?(_ name: String, _ arguments: [String]) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        guard let found = folders.map({ "\($0)/\(name)" }).first(where: FileManager.default.isExecutableFile) else {
            print("\(name.uppercased()) IS NOT INSTALLED: NOTHING WAS COMPARED WITH IT")
            return nil
        }
        path = found
        self.arguments = arguments
    }

    /// Returns the program's output for each text.
    func output(for texts: [String]) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("markdown-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // A leftover temporary folder does no harm.
        for (index, text) in texts.enumerated() {
            try Data(text.utf8).write(to: folder.appendingPathComponent("\(index).md"))
        }
        // One shell for all texts: starting a process with Foundation takes longer than the rendering.
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        let script = "i=0; while [ -f $i.md ]; do \"$@\" $i.md > $i.html || exit 1; i=$((i+1)); done"
        shell.arguments = ["-c", script, "sh", path] + arguments
        shell.currentDirectoryURL = folder
        try shell.run()
        shell.waitUntilExit()
        return try texts.indices.map {
            String(decoding: try Data(contentsOf: folder.appendingPathComponent("\($0).html")), as: UTF8.self)
        }
    }
}

/// Generates realistic documents from a seed.
struct DocumentGenerator {
    private var random: SeededGenerator
    private static let words = [
        "morning", "coffee", "the", "a", "window", "rain", "über", "notes", "piranesi", "日本", "train", "of", "and",
        "we", "list", "x_y", "2*3", "don't", "“quoted”", "end.", "why?", "(maybe)", "12:30", "C++", "a/b", "50%", "—",
    ]

    init(seed: Int) {
        random = SeededGenerator(seed: UInt64(seed))
    }

    mutating func document() -> String {
        (0..<Int.random(in: 2...9, using: &random)).map { _ in block(depth: 0) }.joined(separator: "\n")
    }

    private mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    private mutating func block(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 2 ? 6 : 10), using: &random) {
        case 0: return String(repeating: "#", count: Int.random(in: 1...6, using: &random)) + " " + words(1...5) + "\n"
        case 1: return words(1...6) + "\n" + pick(["===", "---", "-----"]) + "\n"
        case 2:
            // Nested ones might become text of a paragraph, and cmark 0.30 misses code spans after a run of three
            // backticks without a closing run.
            let fence = pick(depth == 0 ? ["```\n", "~~~ swift\n", "```js\n"] : ["~~~\n", "~~~ js\n"])
            return fence + words(2...6) + "\n\n  " + words(1...3) + "\n"
        case 3: return "    " + words(2...5) + "\n    " + words(1...5) + "\n"
        case 4: return table()
        case 5: return pick(["---\n", "* * *\n", "[ref]: /url \"title\"\n"])
        case 6, 7: return list(depth: depth)
        case 8: return indented(block(depth: depth + 1), by: "> ", "> ")
        default: return words(8...40) + "\n"
        }
    }

    private mutating func list(depth: Int) -> String {
        let marker = pick(["- ", "* ", "+ ", "1. ", "7) ", "10. "])
        let gap = pick(["", "", "\n"])
        var items: [String] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let task = depth == 0 && marker == "- " ? pick(["", "", "[ ] ", "[x] "]) : ""
            let inner = pick([0, 0, 0, 1]) == 0 ? "" : gap + block(depth: depth + 1)
            let rest = String(repeating: " ", count: marker.count)
            items.append(indented(task + words(1...12) + "\n" + inner, by: marker, rest))
        }
        return items.joined(separator: gap)
    }

    private func indented(_ text: String, by first: String, _ rest: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines.enumerated().map { ($0 == 0 ? first : $1.isEmpty && rest.first == " " ? "" : rest) + $1 + "\n" }
            .joined()
    }

    private mutating func table() -> String {
        var text = "| \(words(1...2)) | \(words(1...2)) |\n| --- | \(pick([":-:", "--:", "---"])) |\n"
        for _ in 0..<Int.random(in: 0...3, using: &random) { text += "| \(words(1...3)) | \(words(1...3)) |\n" }
        return text
    }

    private mutating func words(_ range: ClosedRange<Int>) -> String {
        var result = ""
        for index in 0..<Int.random(in: range, using: &random) {
            if index > 0 { result += Int.random(in: 0..<12, using: &random) == 0 ? "\n" : " " }
            let word = pick(Self.words)
            switch Int.random(in: 0..<24, using: &random) {
            case 0: result += "*\(word)*"
            case 1: result += "**\(word) \(pick(Self.words))**"
            case 2: result += "`\(word)`"
            case 3: result += "[\(word)](https://example.org/a_b \"t\")"
            case 4: result += "~~\(word)~~"
            case 5: result += "_\(word) **\(pick(Self.words))** x_"
            case 6:
                result += pick(["<https://example.org>", "https://example.org/x.", "www.example.org", "a@example.org"])
            case 7: result += pick(["\\*", "**", "*", "_", "[", "]", "~~", "[\(word)][ref]", "\\_", "***"])
            default: result += word
            }
        }
        // A line that starts with a marker by chance would make a different block.
        return result.split(separator: "\n").map { $0.first?.isLetter ?? false ? String($0) : "w" + $0 }
            .joined(separator: "\n")
    }
}
