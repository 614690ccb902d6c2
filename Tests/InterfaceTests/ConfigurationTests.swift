import Foundation
import TestSupport
import Testing
import ViewModel

@testable import Interface

/// Tests the settings read from `config.toml`, and the messages about mistakes in it.
@MainActor
@Suite(.serialized)
struct ConfigurationTests {
    @Test func `the printed default is the default`() {
        let reading = Configuration.read(Configuration.defaultText)
        #expect(reading.configuration == Configuration())
        #expect(reading.problems.isEmpty)
    }

    @Test func `every setting and every key of the printed default is read, once it is not a comment`() {
        let text = Configuration.defaultText.replacing(/(?m)^# (?="[a-zA-Z.]+" = )/, with: "")
        let reading = Configuration.read(text)
        #expect(reading.problems.isEmpty)
        let registry = CommandRegistry.standard
        #expect(Set(reading.configuration.keys.map(\.command)).count == registry.all.count)
        let (keymap, problems) = registry.keymap(with: reading.configuration.keys)
        #expect(problems.isEmpty)
        let expected = registry.defaultKeymap
        for command in registry.all { #expect(keymap.keys(of: command.name) == expected.keys(of: command.name)) }
        for setting in Setting.all { #expect(text.contains("\n\(setting.entry.key) = ")) }
    }

    @Test func `what is in force is printed so that it reads the same`() {
        let text = """
            theme = "light"
            editor.wrap = false
            screen = { glyphs = "ascii", escape-timeout = 100 }
            [keys.list]
            "note.new" = ["N", "g n"]
            "note.star" = ""
            """
        let reading = Configuration.read(text)
        #expect(reading.problems.isEmpty)
        let again = Configuration.read(reading.configuration.text)
        #expect(again.configuration.text == reading.configuration.text)
        #expect(again.configuration.editor.wrap == false)
        #expect(again.configuration.screen.glyphs == .ascii)
        #expect(again.configuration.keys.count == 2)
    }

    @Test(arguments: [
        ("theme = 3", "line 1: theme is a text in quotes, not 3"),
        ("\n\n[editor]\nwrap = \"maybe\"", "line 4: editor.wrap is true or false, not \"maybe\""),
        ("[editor]\ntab-width = 99", "line 2: editor.tab-width is a number from 1 to 16, not 99"),
        ("[screen]\nglyphs = \"emoji\"", "line 2: screen.glyphs is \"auto\", \"unicode\", \"ascii\" or \"nerd-font\""),
        ("[editor]\nreadable-width = 7", "line 2: editor.readable-width is 0, or a number from 20 to 1000, not 7"),
        ("tab-width = 4", "line 1: there is no setting tab-width; did you mean editor.tab-width?"),
        ("[keys.list]\n\"note.nw\" = \"n\"", "line 2: there is no command note.nw"),
        ("[keys.list]\n\"new\" = \"n\"", "line 2: there is no command new; did you mean note.new?"),
        ("[keys.list]\n\"note.new\" = \"Hyper-N\"", "line 2: no key is called \"Hyper-N\" (note.new)"),
        ("[keys.list]\n\"note.new\" = 3", "line 2: note.new is a key like \"Ctrl-S\", a list of keys, or \"\", not 3"),
        ("[keys.editor]\n\"note.new\" = \"n\"", "line 2: n types a character in editor, so note.new cannot have it"),
    ])
    func `a mistake is named with its line, and the rest counts`(text: String, message: String) {
        let reading = Configuration.read(text + "\n[daily]\ntitle = \"%d\"\n")
        let problems =
            reading.problems + CommandRegistry.standard.keymap(with: reading.configuration.keys).problems
        #expect(problems.count == 1)
        #expect(problems.first.map { "\($0)" }?.hasPrefix("config.toml, " + message) == true, "\(problems)")
        #expect(reading.configuration.daily.title == "%d")
    }

    @Test func `a file that is no TOML is named with its line, and what was in force stays`() throws {
        let window = try Window()
        defer { window.close() }
        window.interface.apply(Configuration.read("[editor]\ntab-width = 2\n"))
        #expect(window.fixture.model.editorSettings.tabWidth == 2)
        window.interface.apply(Configuration.read("[editor]\n\ntab-width = \n"))
        window.draw()
        #expect(window.fixture.model.editorSettings.tabWidth == 2)
        #expect(window.lines.last?.contains("config.toml, line 3: ") == true)
        window.interface.apply(Configuration.read(""))
        #expect(window.fixture.model.editorSettings == EditorSettings())
    }

    @Test func `what is wrong is shown until it is mended, however long that takes`() throws {
        let window = try Window()
        defer { window.close() }
        window.interface.apply(Configuration.read("[editor]\n\ntab-width = \n"))
        window.fixture.scheduler.advance(by: .seconds(60))
        #expect(window.fixture.model.notice?.text.hasPrefix("config.toml, line 3: ") == true)
        window.interface.apply(Configuration.read(""))
        #expect(window.fixture.model.notice == nil)
    }

    @Test func `several mistakes are counted in one line`() {
        let reading = Configuration.read("theme = 1\n[editor]\nwrap = 1\n")
        let first = "config.toml, line 1: theme is a text in quotes, not 1"
        #expect(reading.problems.notice == first + " (and 1 more: tn config)")
    }

    @Test func `the environment's theme goes before the file's`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tn-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let takenote = folder.appending(path: "takenote")
        try FileManager.default.createDirectory(at: takenote, withIntermediateDirectories: true)
        try Data("theme = \"light\"\n".utf8).write(to: takenote.appending(path: "config.toml"))
        var environment = ["XDG_CONFIG_HOME": folder.path]
        #expect(Configuration.readFromUser(environment).configuration.theme == "light")
        environment["TAKENOTE_THEME"] = "terminal"
        #expect(Configuration.readFromUser(environment).configuration.theme == "terminal")
    }

    @Test func `a file that is not UTF-8 is refused whole`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tn-\(UUID()).toml")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data([0x74, 0xFF, 0x0A]).write(to: file)
        let reading = Configuration.read(contentsOf: file.path)
        #expect(!reading.isReadable)
        #expect(reading.problems.notice == "config.toml: is not UTF-8; the defaults apply")
    }

    @Test func `a file above a megabyte is not read, and one of a megabyte is`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tn-\(UUID()).toml")
        defer { try? FileManager.default.removeItem(at: file) }
        let setting = Data("theme = \"light\"\n".utf8)
        try (setting + Data(repeating: 10, count: 1_000_000 - setting.count)).write(to: file)
        #expect(Configuration.read(contentsOf: file.path).configuration.theme == "light")
        // Only the size is checked, since reading the whole file would take longer than anybody waits.
        try FileHandle(forWritingTo: file).truncate(atOffset: 100_000_000_000)
        let reading = Configuration.read(contentsOf: file.path)
        #expect(!reading.isReadable && reading.configuration == Configuration())
        #expect(
            reading.problems.notice == "config.toml: is larger than 1 MB and is not read; the defaults apply")
    }

    @Test func `a folder in the place of the file is named, and a missing file is not a problem`() {
        let folder = FileManager.default.temporaryDirectory.path
        #expect(
            Configuration.read(contentsOf: folder).problems.notice == "config.toml: cannot be read; the defaults apply")
        #expect(Configuration.read(contentsOf: folder + "/tn-\(UUID())") == Configuration.Reading())
    }

    @Test func `every command on one key leaves that key to one command in each place, and the rest is reported`() {
        let ids = CommandRegistry.standard.all.map(\.name)
        let text = "[keys]\n" + ids.map { "\"\($0)\" = \"f9\"\n" }.joined()
        let reading = Configuration.read(text)
        #expect(reading.problems.isEmpty && reading.configuration.keys.count == ids.count)
        let problems = CommandRegistry.standard.keymap(with: reading.configuration.keys).problems
        // One command has the key, each of the others may be told, and one line says that Ctrl-Q still quits.
        #expect(!problems.isEmpty && problems.count <= ids.count)
        #expect(problems.contains { $0.text.contains("app.quit keeps Ctrl-Q") })
    }

    @Test func `only tables and lists that nest more deeply than any setting are refused, with their line`() {
        let (limit, deep) = (TOMLDepth.limit, TOMLDepth.limit + 1)
        func names(_ count: Int) -> String { Array(repeating: "a", count: count).joined(separator: ".") }
        func brackets(_ count: Int) -> String {
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        for text in [
            names(limit) + " = 1", "[" + names(limit) + "]", "a = " + brackets(limit), "# " + names(deep),
            "a = \"" + names(deep) + "\"", "a = '" + brackets(deep) + "'", "a = \"\\\"" + brackets(deep) + "\"",
            "a = \"\"\"\n" + names(deep) + "\"\"\"", "a = [" + String(repeating: "1.5, ", count: 90) + "]",
            String(repeating: "[[a]]\nb = 1.5\n", count: 90), "a = \"open " + names(deep) + "\nb = 1",
        ] {
            #expect(TOMLDepth.tooDeepLine(in: text) == nil, "\(text)")
        }
        for text in [
            names(deep) + " = 1", "[" + names(deep) + "]", "a = " + brackets(deep),
            names(deep).replacing(".", with: " . "), names(deep).replacing("a", with: "'a.b'"),
            "a = " + String(repeating: "{a = ", count: deep), "a = { " + names(deep) + " = 1 }",
        ] {
            #expect(TOMLDepth.tooDeepLine(in: "b = 1\n\n" + text) == 3, "\(text)")
        }
        let reading = Configuration.read("theme = \"dark\"\n" + names(100_000) + " = 1")
        let problem = "line 2: tables and lists are nested more than 32 levels deep"
        #expect(reading.problems.first?.description.contains(problem) == true)
    }
}
