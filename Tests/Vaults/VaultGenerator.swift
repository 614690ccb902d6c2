import Foundation
import SeededRandom

/// Generates a folder of notes with the traits of vaults that people have kept for years; one vault for each seed.
///
/// It has names and texts in thirty languages, composed and decomposed; links to existing and missing notes, by alias,
/// to headings and blocks; embeds of images and other files; names that repeat, end in dots or reach the file system's
/// limit; byte order marks, line ends of all kinds, front matter of all forms.
public struct VaultGenerator {
    /// A note of the vault.
    public struct Note: Sendable {
        /// The path relative to the vault's folder.
        public let path: String
        public let bytes: [UInt8]
        /// A word that the text contains; empty if none is known.
        public let word: String
    }

    private var random: SeededGenerator
    public private(set) var notes: [Note] = []
    /// Links with known targets.
    public private(set) var signposts: [Signpost] = []
    /// The other files, by path.
    public private(set) var media: [String: [UInt8]] = [:]

    /// Words of thirty languages; most of them have letters that can be composed in more than one way.
    public static let words = [
        "labyrinth", "Übergröße", "élève", "mañana", "coração", "żółw", "příliš", "őrült", "ștergere", "şişe", "þjóð",
        "ænglisc", "naïve", "việt", "ελληνικά", "ёжик", "їжак", "հայերեն", "ქართული", "עברית", "العربية", "فارسی",
        "हिन्दी", "বাংলা", "ਪੰਜਾਬੀ", "ગુજરાતી", "தமிழ்", "తెలుగు", "ಕನ್ನಡ", "മലയാളം", "සිංහල", "ไทย", "ລາວ", "မြန်မာ",
        "ខ្មែរ", "བོད་ཡིག", "አማርኛ", "한국어", "日本語", "がぎぐ", "中文笔记", "👩‍👩‍👧 family",
    ]

    /// The beginning of the names that the `lost` links have; no note has such a name.
    public static let lostName = "Lost "

    /// - Parameters:
    ///   - count: the number of notes, at least 20.
    ///   - signposts: the number of groups of further notes whose links are known, about ten notes each.
    ///   - lost: the number of further links by name that lead nowhere, spread over the notes.
    public init(seed: UInt64, count: Int, signposts: Int = 0, lost: Int = 0) {
        random = SeededGenerator(seed: seed)
        let stems = Self.stems(count, &random)
        var taken: Set<String> = []
        for (index, stem) in stems.enumerated() {
            let folder = folder()
            let isFull = stem.utf8.count + Self.ending.utf8.count == Self.maximumNameLength
            let ending = random.pick([".md", ".md", ".md", ".markdown", ".txt"])
            var path = folder + stem + (isFull ? Self.ending : ending)
            // A file system may not distinguish composed and decomposed names, or upper and lower case.
            while !taken.insert(path.precomposedStringWithCanonicalMapping.lowercased()).inserted {
                path = folder + "\(index) " + stem.prefix(40) + ".md"
            }
            // Each word in turn, composed in one note and decomposed in the next.
            let word = Self.words[index / 2 % Self.words.count]
            let text =
                text(Self.form(word, isComposed: index % 2 == 0), stems)
                + lines(ofLost: index * lost / count..<(index + 1) * lost / count)
            notes.append(Note(path: path, bytes: bytes(of: text), word: word))
        }
        for number in 0..<signposts {
            let group = Signpost.group(number)
            notes += group.notes.map { Note(path: $0.path, bytes: Array($0.text.utf8), word: "") }
            self.signposts += group.signposts
        }
        // A whole picture of one pixel; what follows its end makes each another one.
        let png: [UInt8] = [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00,
            0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3A, 0x7E, 0x9B, 0x55, 0x00,
            0x00, 0x00, 0x0A, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x68, 0x00, 0x00, 0x00, 0x82, 0x00, 0x81,
            0xDA, 0x45, 0x08, 0x3B, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
        ]
        for name in Self.mediaNames { media["Files/" + name] = name.hasSuffix(".png") ? png + Array(name.utf8) : [0] }
        media[".obsidian/app.json"] = Array("{}".utf8)
    }

    private static let mediaNames = [
        "dot.png", "রেখাচিত্র.png", "photo (1).png", "icon.svg", "loop.gif", "wide.webp", "clip.mp4", "paper.pdf",
        "board.canvas",
    ]

    /// Writes the vault into an existing folder.
    public func write(to folder: URL) throws {
        let files = notes.map { ($0.path, $0.bytes) } + media.map { ($0.key, $0.value) }
        for (path, bytes) in files {
            let file = folder.path + "/" + path
            let parent = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            guard FileManager.default.createFile(atPath: file, contents: Data(bytes)) else {
                throw CocoaError(.fileWriteUnknown)
            }
        }
    }

    // MARK: - Names

    private static let ending = ".md"
    /// The greatest length of a name on common file systems, in bytes, with its ending.
    public static let maximumNameLength = 255

    /// The names of the notes without their endings; among them each word composed and decomposed.
    private static func stems(_ count: Int, _ random: inout SeededGenerator) -> [String] {
        var named = 0
        func word() -> String {
            defer { named += 1 }
            return form(words[named / 2 % words.count], isComposed: named % 2 == 0)
        }
        return (0..<count).map { index in
            switch index % 12 {
            case 0: word() + " " + random.pick(words)
            case 1: "Untitled"
            case 2: full("\(index) ", random.pick(["क्षि", "ক্ষি", "é", "e\u{301}", "x"]))
            case 3: "C# tips \(word()) \(index)"
            case 4: "v1.2 (draft) \(word()) \(index)"
            case 5: "- " + word()
            case 6: "Trailing. \(word()) \(index)."
            case 7: "100% & more \(word()) \(index)"
            default: word() + " \(index)"
            }
        }
    }

    /// A name that with its ending has the greatest length, to the byte; it repeats a character.
    private static func full(_ beginning: String, _ character: String) -> String {
        var room = maximumNameLength - ending.utf8.count - beginning.utf8.count
        let repeated = String(repeating: character, count: room / character.utf8.count)
        room -= repeated.utf8.count
        return beginning + repeated + String(repeating: "x", count: room)
    }

    private static func form(_ text: String, isComposed: Bool) -> String {
        isComposed ? text.precomposedStringWithCanonicalMapping : text.decomposedStringWithCanonicalMapping
    }

    private mutating func form(_ text: String) -> String {
        Self.form(text, isComposed: !random.chance(50))
    }

    private mutating func folder() -> String {
        let depth = random.pick([0, 0, 1, 1, 2, 3])
        return (0..<depth).map { _ in form(random.pick(Array(Self.words.prefix(12)))) + "/" }.joined()
    }

    // MARK: - Texts

    private mutating func text(_ word: String, _ stems: [String]) -> String {
        var parts = [
            frontMatter(), "# \(form(random.pick(Self.words)))", "\(word) and \(form(random.pick(Self.words)))",
        ]
        for _ in 0..<random.number(in: 0...8) { parts.append(line(stems)) }
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private mutating func frontMatter() -> String {
        let word = random.pick(Self.words)
        return random.pick([
            "", "", "", "---\n---", "---\ntitle: \(word)\n---", "---\ntitle: \"\(word): \\\"two\\\"\"\n---",
            "---\ntitle: One: two\n---", "---\ntags: [\(word), to read, 2024]\n---",
            "---\ntags:\n  - \"#\(word)\"\n  - 1.0\n  - yes\n---", "---\ntags: a, b\naliases: [\(word), Other]\n---",
            "---\naliases:\n  - \(word) again\ncreated: 2020-02-03 04:05\n---",
            "---\ntag: one two\ndate: 2021-05-06\n---",
            "---\ntitle: >\n  folded\n  title\n---", "---\n[broken: {yaml\n---", "---\nx: &a [1]\ny: *a\n---",
            "---\ncssclass: wide\nempty:\n---",
        ])
    }

    private mutating func line(_ stems: [String]) -> String {
        let stem = random.pick(stems)
        let name = form(stem)
        return random.pick([
            "See [[\(name)]].", "See [[\(name)|that]] and [[\(name)#Part one]].", "Block [[\(name)^abc123]].",
            "Nowhere: [[Missing \(random.below(1000))]] and [[\(random.pick(Self.words)) \(random.below(1000))]].",
            "[[#Heading]] [[]] [[ ]] [[|x]] [[a|]]", "![[dot.png]] ![[রেখাচিত্র.png|200]]",
            "![[clip.mp4]] ![[paper.pdf#page=2]] ![[board.canvas]] ![[icon.svg]]",
            "![dot](Files/dot.png) ![p](<Files/photo (1).png>) ![g](Files/loop.gif \"t\")",
            "[file](\(LinkText.encoded(stem)).md) [up](../\(LinkText.encoded(stem)).md#top)", "![[\(name)]]",
            "```\n[[\(name)]] takenote://note/00000000-0000-4000-8000-000000000000\n```", "`[[\(name)]]`",
            "- [ ] \(form(random.pick(Self.words))) #tag/\(random.below(9))\n- [x] done", "> quote [[\(name)]]\n> more",
            "| a | b |\n|---|---|\n| [[x\\|y]] | 1 |", "Text[^1]\n\n[^1]: note", "$$x^2$$ ==marked== ~~gone~~",
            "<img src=\"Files/dot.png\" onerror=\"alert(1)\"> <https://example.org> [w](https://example.org/a_(b))",
        ])
    }

    private func lines(ofLost numbers: Range<Int>) -> String {
        numbers.map { number in
            let name = "\(Self.lostName)\(number)"
            let forms = [
                "[[\(name)]]", "[[\(name)|label]]", "[[\(name)#Part]]", "![[\(name)]]",
                "[[\(Self.lostName)folder/\(name)]]",
            ]
            return "\nTo \(forms[number % forms.count]).\n"
        }.joined()
    }

    private mutating func bytes(of text: String) -> [UInt8] {
        var text = text
        switch random.below(8) {
        case 0: text = text.replacingOccurrences(of: "\n", with: "\r\n")
        case 1: text = text.replacingOccurrences(of: "\n", with: "\r")
        default: break
        }
        return (random.chance(10) ? [0xEF, 0xBB, 0xBF] : []) + Array(text.utf8)
    }
}

private enum LinkText {
    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }
}
