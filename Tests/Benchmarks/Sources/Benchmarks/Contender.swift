import Foundation
import TerminalDriver

/// A program to type into, and the way to bring its caret to the middle of a text.
struct Contender {
    let name: String
    /// The keys that begin a new line at the end of the text, and leave the caret there, ready to type.
    let newLine: String
    /// Starts it with the caret in the middle of the document, ready to type.
    let start: (Document) throws -> PseudoTerminal

    /// A text as a file and as a notebook of one note.
    struct Document {
        let bytes: Int
        let file: String
        let middleLine: Int
        let notebook: String
        let note: String
    }

    static func document(bytes: Int, in workshop: Workshop) throws -> Document {
        var prose = Prose(seed: UInt64(bytes))
        let text = prose.document(bytes: bytes).text
        let before = text.components(separatedBy: "mitte")[0]
        let made = try workshop.notebook("document-\(bytes)", [.init(text: text)])
        return Document(
            bytes: bytes, file: try workshop.write(text, to: "document-\(bytes).md"),
            middleLine: before.utf8.count { $0 == 0x0A } + 1, notebook: made.path,
            note: made.notes[0].id.description)
    }

    /// Returns the installed contenders, with the floor and `tn` first.
    static func all(_ workshop: Workshop) -> [Contender] {
        let own = CommandLine.arguments[0]
        var all = [
            Contender(name: "echo floor", newLine: "") { _ in
                let terminal = try PseudoTerminal(own, ["echo"], environment: workshop.environment("echo"))
                try terminal.wait(for: "ready")
                return terminal
            },
            Contender(name: "tn", newLine: "\u{1B}[1;5F\r") { try startNotebook($0.notebook, $0.note, workshop) },
        ]
        for (name, arguments, keys, newLine) in peers(workshop) where Workshop.isInstalled(name) {
            all.append(
                Contender(name: name, newLine: newLine) { document in
                    let words = arguments.map {
                        $0.replacingOccurrences(of: "LINE", with: "\(document.middleLine)")
                            .replacingOccurrences(of: "FILE", with: document.file)
                    }
                    let terminal = try PseudoTerminal(name, words, environment: workshop.environment(name))
                    try terminal.wait(for: "mitte", seconds: 60)
                    try terminal.settle(quiet: 300, atMost: 20)
                    try terminal.send(keys)
                    try terminal.settle(quiet: 200, atMost: 5)
                    return terminal
                })
        }
        return all
    }

    /// Returns the names, arguments, the keys that prepare the programs for typing in the middle of the line, and those
    /// that then begin a new line at the end of the text.
    private static func peers(_ workshop: Workshop) -> [(String, [String], String, String)] {
        let nanorc = workshop.folder.appending(path: "nanorc").path
        // Without the file, nano has no colours, and the table would show it too fast: so report a failure.
        do {
            try Data("include /usr/share/nano/*.nanorc\nset softwrap\nset atblanks\n".utf8).write(
                to: URL(filePath: nanorc))
        } catch {
            Report.write("nano's settings cannot be written: \(error)")
        }
        return [
            ("vim", ["--clean", "-n", "+set linebreak noruler noshowcmd", "+LINE", "FILE"], "40li", "\u{1B}Go"),
            ("nvim", ["--clean", "-n", "+set linebreak noruler noshowcmd", "+LINE", "FILE"], "40li", "\u{1B}Go"),
            ("nano", ["--rcfile", nanorc, "+LINE,40", "FILE"], "", "\u{1B}/\r"),
            (
                "micro",
                // A backup of a run that was killed would be asked about.
                [
                    "-config-dir", workshop.folder.path, "-backup", "false", "-softwrap", "true", "-wordwrap", "true",
                    "+LINE:40", "FILE",
                ], "", "\u{1B}[1;5F\r"
            ),
            ("kak", ["-e", "add-highlighter global/ wrap -word; execute-keys LINEg40li", "FILE"], "", "\u{1B}geo"),
        ]
    }

    /// Starts `tn` with the caret after the word `mitte` of a note that shows `document of` at its start.
    static func startNotebook(_ notebook: String, _ note: String, _ workshop: Workshop) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(
            workshop.program, ["--database", notebook, "open", note],
            environment: workshop.environment("tn"))
        try terminal.wait(for: "document of", seconds: 60)
        try terminal.settle(quiet: 300)
        // Find the word, close the bar, and collapse the selection to its end.
        try terminal.send([0x06])
        try terminal.settle(quiet: 100)
        try terminal.send("mitte")
        try terminal.wait(for: "the middle") { $0.lines.filter { $0.contains("mitte") }.count > 1 }
        try terminal.send("\r")
        try terminal.settle(quiet: 100)
        try terminal.send("\u{1B}")
        try terminal.settle(quiet: 100)
        try terminal.send("\u{1B}[C")
        try terminal.settle(quiet: 700, atMost: 5)
        return terminal
    }
}

/// The floor: a program that only echoes its input.
func echo() -> Never {
    var attributes = termios()
    tcgetattr(0, &attributes)
    cfmakeraw(&attributes)
    tcsetattr(0, TCSANOW, &attributes)
    write(1, "ready", 5)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(0, &buffer, buffer.count)
        guard count > 0 else { exit(0) }
        write(1, buffer, count)
    }
}
