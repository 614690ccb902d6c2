import Foundation
import TerminalDriver
import Testing

/// Tests changes of the configuration while the notebook is open.
@Suite(.serialized)
struct ConfigurationTests {
    let workplace: Workplace
    let terminal: TmuxTerminal

    init() throws {
        workplace = try Workplace()
        _ = try workplace.tn("--new", "Only note")
        terminal = try TmuxTerminal(workplace)
    }

    private func write(_ text: String, to name: String = "config.toml") throws {
        let file = workplace.folder.appending(path: "config/takenote").appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    /// Returns the style of the name at the top left.
    private func accent() throws -> TerminalStyle? {
        try terminal.picture().rows[0].first { $0.text == "T" }?.style
    }

    @Test func `theme, frames and keys change as the file is saved, and a mistake is named with its line`() throws {
        try write("theme = \"dark\"\n")
        try terminal.startNotebook()
        try terminal.waitFor("Only note")
        let dark = try accent()
        try write("theme = \"high-contrast\"\n")
        try terminal.wait(for: "another theme") { try accent() != dark }
        try write("theme = \"dark\"\n[screen]\nglyphs = \"ascii\"\n")
        try terminal.waitFor("frames of ASCII") { $0[1].contains("|") && !$0.joined().contains("│") }
        #expect(try accent() == dark)
        try write("theme = \"dark\"\n[editor]\nwrap = \"maybe\"\n")
        try terminal.waitFor("config.toml, line 3: editor.wrap is true or false, not \"maybe\"")
        try terminal.waitFor("frames of lines") { $0.contains { $0.contains("│") } }
        try write("[keys.list]\n\"note.star\" = \"z\"\n")
        try terminal.wait(for: "the new key") {
            try terminal.press("z")
            return try terminal.screen().contains { $0.contains("★ Starred") }
        }
    }

    @Test func `a configuration is read although no folder was there for it at the start`() throws {
        try? FileManager.default.removeItem(at: workplace.folder.appending(path: "config"))  // it may not exist
        try terminal.startNotebook()
        try terminal.waitFor("Only note")
        #expect(try terminal.screen().joined().contains("│"))
        try write("[screen]\nglyphs = \"ascii\"\n")
        try terminal.waitFor("frames of ASCII") { $0[1].contains("|") && !$0.joined().contains("│") }
    }

    /// A command of the shell after which the system watches no file for what the same shell starts.
    private static let withoutWatches = "echo 0 >/proc/sys/user/max_inotify_watches"

    /// Whether the command above may be used in a namespace of its own.
    private static let canForbidWatches: Bool = {
        guard let workplace = try? Workplace() else { return false }  // Only decides whether a test runs.
        let result = try? workplace.run("/usr/bin/env", ["unshare", "-r", "sh", "-c", withoutWatches])
        return result?.status == 0
    }()

    @Test(.enabled(if: canForbidWatches, "needs a namespace of its own"))
    func `a configuration is read as it is saved although the system watches no more files`() throws {
        try write("\n")
        try terminal.enter("unshare -r sh -c '\(Self.withoutWatches); exec \"\(Workplace.program)\"'")
        try terminal.waitFor("Only note")
        #expect(try terminal.screen().joined().contains("│"))
        try write("[screen]\nglyphs = \"ascii\"\n")
        try terminal.waitFor("frames of ASCII") { $0[1].contains("|") && !$0.joined().contains("│") }
    }

    @Test func `a theme of one's own is worn as soon as it is there, and changes with its file`() throws {
        try write("theme = \"mine\"\n")
        try write("base = \"dark\"\n[window]\naccent = \"#00FF00\"\n", to: "themes/mine.toml")
        try terminal.startNotebook()
        try terminal.waitFor("Only note")
        let green = try accent()
        try write("base = \"dark\"\n[window]\naccent = \"#0000FF\"\n", to: "themes/mine.toml")
        try terminal.wait(for: "the new colour") { try accent() != green }
    }

    @Test func `a slow line is heeded from when the file says so`() throws {
        try write("\n")
        try terminal.startNotebook()
        try terminal.waitFor("Only note")
        let usual = try accent()
        try write("[screen]\nlow-bandwidth = true\nescape-timeout = 200\nambiguous-width = \"wide\"\n")
        try terminal.wait(for: "coarser colours") { try accent() != usual }
        try terminal.press("n")
        try terminal.type("x")
        try terminal.waitFor("Esc list")
        try terminal.press("Escape")
        try terminal.waitFor("? help")
    }

    @Test func `a configuration behind a symbolic link is changed behind it`() throws {
        let manager = FileManager.default
        try write("wrap = false\n")
        let link = workplace.folder.appending(path: "config/takenote/config.toml")
        let dotfiles = workplace.folder.appending(path: "dotfiles")
        try manager.createDirectory(at: dotfiles, withIntermediateDirectories: true)
        let file = dotfiles.appending(path: "takenote.toml")
        try Data("theme = \"dark\"\n# mine\n".utf8).write(to: file)
        try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        try manager.removeItem(at: link)
        try manager.createSymbolicLink(atPath: link.path, withDestinationPath: "../../dotfiles/takenote.toml")
        try terminal.startNotebook()
        try terminal.waitFor("Only note")
        try terminal.press("C-p")
        try terminal.type("change the theme")
        try terminal.waitFor("Change the theme…")
        try terminal.press("Enter")
        try terminal.waitFor("─ Theme ─")
        try terminal.type("monochrome")
        try terminal.press("Enter")
        try terminal.wait(for: "the changed file") {
            try String(contentsOf: file, encoding: .utf8) == "theme = \"monochrome\"\n# mine\n"
        }
        #expect(try manager.destinationOfSymbolicLink(atPath: link.path) == "../../dotfiles/takenote.toml")
        #expect(try manager.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o640)
        #expect(try manager.contentsOfDirectory(atPath: dotfiles.path) == ["takenote.toml"])
    }

    @Test func `state is kept in a folder whose name begins with a sign of Bengali after two slashes`() throws {
        // Foundation's functions on paths as texts do not find the slash before a combining sign.
        let folder = "\(workplace.folder.path)//\u{9BE}বাংলা"
        try terminal.enter("export XDG_STATE_HOME='\(folder)'")
        try terminal.startNotebook("; echo left-$?")
        try terminal.waitFor("Only note")
        try terminal.press("C-q")
        try terminal.waitFor("left-0")
        let manager = FileManager.default
        let state = ["takenote-dev", "takenote"].map { "\(folder)/\($0)" }.first { manager.fileExists(atPath: $0) }
        let kept = try #require(state)
        #expect(try manager.attributesOfItem(atPath: kept)[.posixPermissions] as? Int == 0o700)
        #expect(try manager.attributesOfItem(atPath: kept + "/state.json")[.posixPermissions] as? Int == 0o600)
        let run = try workplace.tn(
            "edit", "Only note", environment: ["XDG_STATE_HOME": folder, "EDITOR": "sed -i s/Only/Changed/"])
        #expect(run.status == 0, "\(run.error)")
        #expect(try workplace.tn("show", "Changed note").output == "Changed note")
        #expect(try manager.contentsOfDirectory(atPath: kept + "/drafts") == [])
        #expect(try workplace.tn("status", environment: ["XDG_STATE_HOME": folder]).status == 0)
    }
}
