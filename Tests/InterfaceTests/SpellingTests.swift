import Foundation
import Markdown
import SystemPackage
import TestSupport
import Testing

@testable import Interface
@testable import ViewModel

/// Tests the spelling of the text on the screen, with a program that behaves like hunspell.
@MainActor
@Suite(.serialized)
struct SpellingTests {
    /// Creates a folder with a program called hunspell, which knows some wrong words and counts its starts.
    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "spelling-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let script = """
            #!/bin/sh
            echo "$*" >> '\(folder.path)/starts'
            case "$*" in *xx*) echo "no dictionary" >&2; exit 1;; esac
            echo "@(#) International Ispell Version 3.2.06 (but really Hunspell 1.7.1)"
            while read -r word; do
                case $word in
                "^wrng") echo "& wrng 2 0: wrong, wring" ;;
                "^qqqq") echo "# qqqq 0" ;;
                "^manyy") echo "& manyy 9 0: one, two, three, four, five, six, seven, eight, nine" ;;
                *) echo "*" ;;
                esac
                echo
            done
            """
        let file = folder.appending(path: "hunspell")
        try Data(script.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        return folder
    }

    private func window(_ folder: URL, _ text: String, language: String = "en_US") throws -> Window {
        let window = try Window(columns: 100, rows: 20, notes: [text])
        window.fixture.model.spelling.environment = ["PATH": folder.path + ":/usr/bin:/bin"]
        window.fixture.model.spelling.ownWordsFile = FilePath(folder.path + "/words.txt")
        window.interface.apply(Configuration.read("[editor]\nspelling = \"\(language)\"\n"))
        window.press("Enter", "Ctrl-End")
        return window
    }

    private func starts(_ folder: URL) -> Int {
        let text = try? String(contentsOf: folder.appending(path: "starts"), encoding: .utf8)
        return text?.split(separator: "\n").count ?? 0
    }

    /// Returns the texts on the screen that have a curly underline.
    private func underlined(_ window: Window) -> [String] {
        var words: [String] = []
        for row in 0..<window.size.rows {
            let characters = Array(window.screen.text(row: row))
            var word = ""
            for column in 0..<window.size.columns {
                if window.screen[column, row].style.underline == .curly {
                    word.append(characters[column])
                } else if !word.isEmpty {
                    words.append(word)
                    word = ""
                }
            }
        }
        return words
    }

    private func wait(_ window: Window, until isDone: @escaping @MainActor () -> Bool) -> Bool {
        window.fixture.scheduler.run(until: {
            window.fixture.scheduler.advance(by: .milliseconds(100))
            window.draw()
            return isDone()
        })
    }

    @Test func `what is wrong is underlined, but no code, address or tag, and not the word being written`() throws {
        let folder = try folder()
        let text = "A wrng word\n\n`wrng` #wrng <http://wrng.org> wrng.txt wrng2 [wrng](wrng)\n\n```\nwrng\n```\n\nwrng"
        let window = try window(folder, text)
        defer { window.close() }
        #expect(wait(window) { underlined(window).count == 2 }, "\(underlined(window))")
        window.press("Left", "Up")
        #expect(wait(window) { underlined(window) == ["wrng", "wrng", "wrng"] }, "\(underlined(window))")
        #expect(starts(folder) == 1)
        // Known words are not checked again.
        window.press("Ctrl-Home", "\"a wrng \"")
        #expect(wait(window) { underlined(window).count == 4 } && starts(folder) == 1)
    }

    @Test func `F4 offers what may be meant, and adds the word to the person's own`() throws {
        let folder = try folder()
        let window = try window(folder, "A wrng word qqqq here")
        defer { window.close() }
        #expect(wait(window) { underlined(window).count == 2 })
        window.press("Ctrl-Home", "F4")
        #expect(window.lines.contains { $0.contains("wring") })
        // Nothing is selected, so the next character replaces nothing.
        window.press("Esc", "\"x\"")
        #expect(window.fixture.model.session?.text == "A xwrng word qqqq here")
        window.press("Ctrl-Z", "Ctrl-Home", "F4", "Enter")
        #expect(window.fixture.model.session?.text == "A wrong word qqqq here")
        window.press("F4")
        #expect(window.lines.contains { $0.contains("Add “qqqq”") })
        window.press("Enter")
        #expect(wait(window) { underlined(window).isEmpty })
        #expect(try String(contentsOf: folder.appending(path: "words.txt"), encoding: .utf8) == "qqqq\n")
        window.press("Ctrl-Home", "F4")
        #expect(wait(window) { window.lines.last?.contains("Nothing is spelt wrong") == true })
        window.press("Ctrl-Z")
        #expect(window.fixture.model.session?.text == "A wrng word qqqq here")
    }

    @Test func `after many suggestions the row that adds the word is in sight`() throws {
        let window = try window(folder(), "manyy here")
        defer { window.close() }
        #expect(wait(window) { underlined(window) == ["manyy"] })
        window.press("Ctrl-Home", "F4")
        #expect(window.lines.contains { $0.contains("seven") } && !window.lines.contains { $0.contains("eight") })
        #expect(window.lines.contains { $0.contains("Add “manyy”") })
        window.press("\"nine\"", "Enter")
        #expect(window.fixture.model.session?.text == "nine here")
    }

    @Test func `a dictionary of more than a megabyte is not read, and nothing is added to it`() throws {
        let folder = try folder()
        let file = folder.appending(path: "words.txt")
        let long = Data("wrng\n".utf8) + Data(repeating: UInt8(ascii: "x"), count: SettingsFile.limit)
        try long.write(to: file)
        let window = try window(folder, "A wrng word")
        defer { window.close() }
        #expect(wait(window) { underlined(window) == ["wrng"] })
        #expect(window.message.contains("words.txt is larger than 1 MB and is not read"), "\(window.message)")
        window.press("Ctrl-Home", "F4", "Down", "Down", "Enter")
        #expect(window.message.contains("words.txt is larger than 1 MB and is not read"), "\(window.message)")
        #expect(try Data(contentsOf: file) == long)
        try Data("wrng\n".utf8).write(to: file)
        window.press("Ctrl-Home", "F4", "Down", "Down", "Enter")
        #expect(wait(window) { underlined(window).isEmpty })
        #expect(try String(contentsOf: file, encoding: .utf8) == "wrng\nwrng\n")
    }

    @Test func `words that are added without a file all last`() throws {
        let folder = try folder()
        let window = try window(folder, "A wrng word qqqq here")
        defer { window.close() }
        window.fixture.model.spelling.ownWordsFile = nil
        #expect(wait(window) { underlined(window).count == 2 })
        window.press("Ctrl-Home", "F4", "Down", "Down", "Enter", "Ctrl-Home", "F4", "Enter")
        #expect(window.fixture.model.session?.text == "A wrng word qqqq here")
        #expect(wait(window) { underlined(window).isEmpty })
    }

    @Test func `F4 behind the wrong words, where the caret is after writing, begins again above`() throws {
        let folder = try folder()
        let window = try window(folder, "A wrng word\n\nqqqq here and more")
        defer { window.close() }
        #expect(wait(window) { underlined(window).count == 2 })
        window.press("Ctrl-End", "F4")
        #expect(wait(window) { window.lines.contains { $0.contains("wring") } })
        window.press("Enter")
        #expect(window.fixture.model.session?.text == "A wrong word\n\nqqqq here and more")
    }

    @Test func `a note's language is that of its front matter, and a missing dictionary is reported once`() throws {
        let folder = try folder()
        let window = try window(folder, "---\nlang: xx\n---\n\nA wrng word")
        defer { window.close() }
        #expect(wait(window) { window.lines.last?.contains("no dictionary “xx”") == true })
        #expect(underlined(window).isEmpty && starts(folder) == 2)
        window.press("Ctrl-End", "\" more words here\"")
        for _ in 0..<20 { window.fixture.scheduler.advance(by: .milliseconds(100)) }
        #expect(starts(folder) == 2)
    }

    @Test func `nothing is started where no language is set`() throws {
        let folder = try folder()
        let window = try window(folder, "A wrng word", language: "")
        defer { window.close() }
        for _ in 0..<50 {
            window.fixture.scheduler.advance(by: .seconds(1))
            window.draw()
        }
        window.press("F4")
        #expect(window.lines.last?.contains("editor.spelling") == true && window.interface.overlays.isEmpty)
        #expect(starts(folder) == 0 && underlined(window).isEmpty)
    }

    @Test func `words are what is written for people`() {
        func words(_ text: String) -> [String] {
            SpelledWords.words(in: text, from: 0, highlight: LineHighlight()).map(\.word)
        }
        #expect(words("Don't say ‘naïve’ — it's e.g. NASA’s plan.") == ["Don't", "say", "naïve", "it's", "plan"])
        #expect(words("see src/main.swift, a@b.org, v2 camelCase file_name 3rd x") == ["see"])
        #expect(words("東京 hello Ελλάδα мир") == ["hello", "Ελλάδα", "мир"])
        let ranges = SpelledWords.words(
            in: "é wrng", from: 4, highlight: LineHighlight())
        #expect(ranges.map(\.range) == [7..<11])
    }

    @Test func `an answer is taken only if it is whole`() {
        let output = "@(#) x\n*\n\n& wrng 2 1: wrong, wring it\n\n# q 1\n\n+ ROOT\n\n"
        let verdicts = SpellingProgram.verdicts(in: output, on: ["a", "wrng", "q", "b"])
        #expect(verdicts?["wrng"] == .wrong(suggestions: ["wrong", "wring it"]))
        #expect(verdicts?["q"] == .wrong(suggestions: []) && verdicts?["a"] == .right && verdicts?["b"] == .right)
        #expect(SpellingProgram.verdicts(in: "@\n*\n\n*", on: ["a", "b", "c"]) == nil)
        #expect(SpellingProgram.verdicts(in: "", on: ["a"]) == nil)
        #expect(
            SpellingProgram.dictionaries(of: "de-de") == ["de_DE"] && SpellingProgram.dictionaries(of: "de").count == 2)
        #expect(SpellingProgram.dictionaries(of: "../../etc") == [] && SpellingProgram.dictionaries(of: "-d") == [])
    }

    @Test func `F4 before the answer waits for it, unless the user goes on`() throws {
        let folder = try folder()
        let window = try window(folder, "A wrng word qqqq here")
        defer { window.close() }
        window.press("Ctrl-Home", "F4")
        #expect(window.message.contains("The spelling is being checked"))
        #expect(window.interface.overlays.isEmpty)
        #expect(wait(window) { window.lines.contains { $0.contains("wring") } })
        #expect(starts(folder) == 1)
    }

    @Test func `nothing opens under the hands of a user who went on after F4`() throws {
        let folder = try folder()
        let window = try window(folder, "A wrng word qqqq here")
        defer { window.close() }
        window.press("Ctrl-Home", "F4", "\"x\"")
        #expect(wait(window) { underlined(window).count == 2 })
        #expect(window.interface.overlays.isEmpty)
        #expect(window.fixture.model.session?.text == "xA wrng word qqqq here")
    }
}
