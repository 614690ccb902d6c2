import Foundation
import Terminal
import TerminalDriver
import Testing

@testable import tn

/// Tests pictures on their way through the real program to a terminal that draws them, and through tmux.
struct PictureWindowTests {
    let workplace: Workplace

    /// 16 by 32 pixels: red and green above, blue below.
    private static let png = """
        iVBORw0KGgoAAAANSUhEUgAAABAAAAAgCAIAAACU62+bAAAAIUlEQVR42mP4z8CAFTH8JxGNahjVMAw0jAbHqIZRDXAEAMIX/hATBV/KAAAAAElFTkSuQmCC
        """

    init() throws {
        workplace = try Workplace()
        let png = try #require(Data(base64Encoded: Self.png))
        try png.write(to: workplace.folder.appending(path: "map.png"))
        let lines = (1...80).map { "line \($0)\n\n" }.joined()
        #expect(try workplace.tn("--new", "--title", "Trip", input: "above\n\n\(lines)").status == 0)
        let added = try workplace.run(
            "/bin/sh", ["-c", #"cd "$0" && "$1" image add map.png"#, workplace.folder.path, Workplace.program])
        let link = added.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(link.hasPrefix("!["))
        #expect(try workplace.tn("--new", "--title", "Map", input: "\(link)\n\n\(lines)").status == 0)
    }

    // MARK: tmux

    /// A terminal around tmux, as a stand-in for tmux tells of it.
    private struct Around {
        var client = 11
        var cell = (width: "10", height: "20")
        var passes = "on"
        var name = "kitty(0.41.1)"
        var features = "256,RGB,title"
    }

    /// Puts a stand-in for tmux into the workplace, which expands what it is asked for and notes that it was asked.
    private func put(_ around: Around) throws {
        let script = """
            [ "$1 $2" = "display-message -p" ] || exit 1
            : > "${0%/*}/asked"
            printf '%s\\n' "$3" | sed -e 's/#{client_pid}/\(around.client)/' -e 's/#{client_cell_width}/\(around.cell.width)/' \\
                -e 's/#{client_cell_height}/\(around.cell.height)/' -e 's/#{allow-passthrough}/\(around.passes)/' \\
                -e 's/#{client_termtype}/\(around.name)/' -e 's/#{client_termfeatures}/\(around.features)/'
            """
        try StandIn.write(script, to: workplace.folder.appending(path: "tmux").path)
    }

    private var path: String { workplace.folder.path + ":" + (workplace.environment["PATH"] ?? "/usr/bin:/bin") }

    /// The deadline is longer than any load can last: what tmux says is tested, not how soon.
    private func ask() -> TmuxPictures? {
        TmuxPictures.ask(in: ["TMUX": "/tmp/none,1,0", "PATH": path], deadline: .seconds(600))
    }

    @Test func `tmux is asked what the terminal around it is, and how large its cells are`() throws {
        try put(Around())
        let known = try #require(ask())
        #expect(known.arePassedOn && known.isNamed && known.client == "11")
        #expect(known.cell == Capabilities.CellPixels(width: 10, height: 20))
        // What tmux does not know, or what no font has, is not taken.
        for cell in [("", ""), ("0", "0"), ("x", "20"), ("10", "9999")] {
            try put(Around(cell: cell))
            #expect(try #require(ask()).cell == nil)
            #expect(ask()?.arePassedOn == true)
        }
        #expect(known.hasAllColors)
        try put(Around(features: "256,clipboard,title"))
        #expect(ask()?.hasAllColors == false && ask()?.arePassedOn == true)
        try put(Around(passes: "off"))
        #expect(ask()?.arePassedOn == false)
        try put(Around(name: "kitty(0.26.5)"))
        #expect(ask()?.arePassedOn == false && ask()?.isNamed == true)
        try put(Around(name: ""))
        #expect(ask()?.arePassedOn == false && ask()?.isNamed == false)
        #expect(TmuxPictures.ask(in: ["PATH": path]) == nil)
        try StandIn.write("exit 1", to: workplace.folder.appending(path: "tmux").path)
        #expect(ask() == TmuxPictures())
    }

    private func start(_ environment: [String: String], _ version: String) throws -> PseudoTerminal {
        var personality = TerminalPersonality.kitty
        personality.version = version
        personality.hasKeyboardProtocol = false
        personality.environment = ["TERM": "xterm-kitty", "COLORTERM": "truecolor"].merging(environment) { $1 }
        let terminal = try PseudoTerminal(
            Workplace.program, environment: workplace.environment, columns: 120, rows: 40, as: personality)
        try terminal.wait(for: "Trip")
        try terminal.wait(for: "line 1")
        // From the list: the newest note in the reading view.
        try terminal.send("p")
        return terminal
    }

    private func sizes(_ screen: TerminalScreen) -> Set<[Int]> {
        Set(screen.pictures.values.filter { !$0.png.isEmpty }.map { [$0.columns, $0.rows] })
    }

    @Test func `in tmux a picture has the cells of the terminal around it, and another terminal gets it anew`() throws {
        // 16 by 32 pixels are 4 by 2 cells of 4 by 16.
        try put(Around(cell: ("4", "16")))
        let terminal = try start(
            ["TERM": "tmux-256color", "TMUX": "/tmp/none,1,0", "PATH": path], "tmux 3.5a")
        try terminal.wait(for: "a picture of 4 by 2") { sizes($0) == [[4, 2]] }
        try terminal.wait(for: "its placeholders") { hasPlaceholders($0) }
        // Another terminal of the same kind: it has no pictures. The focus tells that somebody is there.
        let before = terminal.screen.pictureBytes
        try put(Around(client: 12, cell: ("4", "16")))
        try terminal.send("\u{1B}[I")
        try terminal.wait(for: "the picture again") { $0.pictureBytes > before }
        // One with other cells.
        try put(Around(client: 13, cell: ("8", "8")))
        try terminal.send("\u{1B}[I")
        try terminal.wait(for: "a picture of 2 by 4") { sizes($0).contains([2, 4]) }
        #expect(terminal.screen.faults.isEmpty)
    }

    @Test func `a terminal with all colours that tmux alone knows of gets the picture, at the latest with Ctrl-L`()
        throws
    {
        try put(Around(name: "", features: "256"))
        let terminal = try start(
            ["TERM": "tmux-256color", "COLORTERM": "", "TMUX": "/tmp/none,1,0", "PATH": path], "tmux 3.5a")
        let asked = workplace.folder.appending(path: "asked").path
        try terminal.wait(for: "the question to tmux") { _ in FileManager.default.fileExists(atPath: asked) }
        try terminal.waitUntilIdle(milliseconds: 200)
        #expect(!hasPlaceholders(terminal.screen))
        try put(Around(client: 12))
        try terminal.send("\u{0C}")
        try terminal.wait(for: "its placeholders") { hasPlaceholders($0) }
        #expect(terminal.screen.faults.isEmpty)
    }

    private func hasPlaceholders(_ screen: TerminalScreen) -> Bool {
        screen.lines.contains { $0.unicodeScalars.contains("\u{10EEEE}") }
    }

    // MARK: Bytes

    @Test func `scrolling past a picture that was sent sends no more of it`() throws {
        let terminal = try start([:], "kitty(0.41.1)")
        try terminal.wait(for: "a picture") { hasPlaceholders($0) }
        let bytes = terminal.screen.pictureBytes
        try terminal.send("\u{1B}3")
        for key in ["6~", "6~", "5~", "5~", "B", "B", "A", "A"] {
            try terminal.send("\u{1B}[" + key)
            try terminal.waitUntilIdle(milliseconds: 200)
        }
        #expect(hasPlaceholders(terminal.screen))
        #expect(terminal.screen.pictureBytes == bytes)
        #expect(terminal.screen.faults.isEmpty)
    }
}
