import Foundation
import TerminalDriver

/// A notebook that the examples of the help can be run on, and stand-ins for the programs that they call.
enum ExampleWorld {
    /// Programs in the order of their names: what a machine may lack, or what would leave it.
    private static let standIns = [
        // Notes each call and its status.
        "tn": #""$TN_PROGRAM" "$@"; status=$?; printf '%s\t%s\n' $status "$*" >> "$HOME/calls"; exit $status"#,
        "tmux": #"shift 2; exec "$@""#, "pbpaste": "echo 'copied elsewhere'", "make": "echo done", "less": "cat",
        // An editor in a window of its own, which changes the file.
        "code": #"for file; do :; done; echo edited >> "$file""#,
        "vi": #"echo edited >> "$1""#, "editor": #"exec vi "$1""#, "sensible-editor": #"exec vi "$1""#,
        // The machine called desktop is this one.
        "ssh": #"for command; do :; done; cd "$HOME"; exec sh -c "$command""#,
        // A model that answers with one text, and one that makes the same vector of every text.
        "model": #"cat >/dev/null; cat "$HOME/answer""#,
        "vectors": "jq -c 'map([1, 2, 3])'",
    ]

    /// The notes, folders and files that the examples name.
    private static let contents = #"""
        for folder in Work Work/Meetings Work/Clients Books Books/Read Reading Clippings Novel Journal; do
            tn folder add $folder
        done
        for text in "Reading list" Groceries "Build log" Letter Menu "Letter to Ana" "Tax 2025" "Old list" \
            "Shopping (conflict)" "Trip to Delft" "Other note"; do tn --new "$text"; done
        printf 'Meeting with Ana\n\nshe likes coffee\n' > answer
        tn --new < answer
        tn --new --tag books --tag to-read --folder Reading "Piranesi and the house"
        tn rename "Piranesi and the house" Piranesi
        for n in 1 2 3 4; do tn append Piranesi "more $n, see [[Reading list]] "; done
        tn --new "Borges wrote of a labyrinth"
        tn rename "Borges wrote of a labyrinth" Borges
        tn --new "Notes on coffee filters and the stand-up"
        tn --new --tag done "Done thing"
        tn --new --tag web --tag travel --tag private "Web page"
        tn --new --tag budget --folder Work "Budget: Ana said the budget must not grow. She signs every invoice."
        tn --new --folder Work/Meetings Minutes
        tn --new --folder Novel "Chapter one"
        sqlite3 "$DATABASE" "UPDATE note SET uuid = '3F2A5E5A-6A3C-4C5C-9D3E-1F2A3B4C5D6E' WHERE title = 'Meeting with Ana';
            UPDATE note SET uuid = '81C05E5A-6A3C-4C5C-9D3E-1F2A3B4C5D6E' WHERE title = 'Other note';
            UPDATE note SET uuid = '0B5C2E5A-6A3C-4C5C-9D3E-1F2A3B4C5D6E' WHERE title = 'Menu'"
        mkdir -p notes vault trip stick .config/takenote
        echo '# A' | tee notes/a.md vault/a.md trip/report.md > README.md
        echo '%PDF-1.4' > paper.pdf
        echo 'correct horse battery staple' > new.txt
        echo '<?xml version="1.0"?><en-export><note><title>Soup</title><content><![CDATA[<en-note>leeks</en-note>]]></content>
            </note></en-export>' > Kitchen.enex
        """#

    /// An archive with one note of Keep, as Google packs it.
    private static let takeout = """
        UEsDBBQAAAAAAAAAIVq49bM00wAAANMAAAAWAAAAVGFrZW91dC9LZWVwL01pbGsuanNvbnsidGl0bGUiOiAiTWlsayIsICJ0ZXh0Q29udGVu\
        dCI6ICJhbmQgZWdncyIsICJpc1RyYXNoZWQiOiBmYWxzZSwgImlzQXJjaGl2ZWQiOiBmYWxzZSwgImlzUGlubmVkIjogZmFsc2UsICJjb2xv\
        ciI6ICJERUZBVUxUIiwgInVzZXJFZGl0ZWRUaW1lc3RhbXBVc2VjIjogMTcwMDAwMDAwMDAwMDAwMCwgImNyZWF0ZWRUaW1lc3RhbXBVc2Vj\
        IjogMTcwMDAwMDAwMDAwMDAwMH1QSwECFAMUAAAAAAAAACFauPWzNNMAAADTAAAAFgAAAAAAAAAAAAAAgAEAAAAAVGFrZW91dC9LZWVwL01p\
        bGsuanNvblBLBQYAAAAAAQABAEQAAAAHAQAAAAA=
        """
    private static let picture = """
        iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==
        """

    private static let configuration = """
        [ai]
        chat = "p"
        embed = "e"
        [ai.provider.p]
        command = ["model"]
        [ai.provider.e]
        command = ["vectors"]
        """

    /// Makes the first such place, which others are copies of.
    static func make() throws -> Workplace {
        let place = try Workplace()
        let bin = place.folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        for (name, text) in standIns {
            try StandIn.write(text, to: bin.appending(path: name).path)
        }
        try place.configure(configuration)
        try Data(base64Encoded: picture)?.write(to: place.folder.appending(path: "labyrinth.png"))
        try Data(base64Encoded: takeout)?.write(to: place.folder.appending(path: "takeout.zip"))
        try place.runExample(contents.replacing("$DATABASE", with: place.database.path))
        // What may leave the machine is agreed to once.
        for (command, question) in [("tn ai test", "[N]o"), ("tn ai index", "[N]o")] {
            try place.runExample(command, [(question, "always\r")])
        }
        return place
    }
}

extension Workplace {
    /// The calls of `tn`, each with its status, and what was printed.
    struct ExampleResult: CustomStringConvertible {
        var calls: [(status: Int, words: String)] = []
        var printed = ""
        var description: String { "\(calls.map { "\($0.status): \($0.words)" }) \(printed)" }
    }

    private var exampleEnvironment: [String: String] {
        environment.merging([
            "PATH": "\(folder.path)/bin:\(environment["PATH"] ?? "/usr/bin:/bin")", "TN_PROGRAM": Self.program,
            "GIT_SSH_COMMAND": "\(folder.path)/bin/ssh", "GIT_CONFIG_GLOBAL": "/dev/null",
            "TERM": "xterm-256color",
        ]) { $1 }
    }

    /// Puts the files of another workplace into this empty one.
    func copyFiles(of other: Workplace) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: other.folder.path) {
            if name == "bin" {
                // A program that was just copied may still be open for writing in another test's child.
                try FileManager.default.createSymbolicLink(
                    at: folder.appending(path: name), withDestinationURL: other.folder.appending(path: name))
                continue
            }
            try FileManager.default.copyItem(at: other.folder.appending(path: name), to: folder.appending(path: name))
        }
    }

    /// Runs the words of an example in a shell; with steps in a terminal, else without one.
    ///
    /// - Parameter steps: each a text to wait for and what is typed then.
    @discardableResult
    func runExample(_ example: String, _ steps: [(wait: String, keys: String)]? = nil) throws -> ExampleResult {
        let log = folder.appending(path: "calls")
        try Data().write(to: log)
        let words = ["-c", "cd \"$HOME\"\n" + example.replacing("/media/stick", with: "\(folder.path)/stick")]
        var result = ExampleResult()
        if let steps {
            // Wide enough for a question with a path of any temporary folder in one line.
            let terminal = try PseudoTerminal("/bin/bash", words, environment: exampleEnvironment, columns: 250)
            for step in steps {
                try terminal.wait(for: step.wait)
                try terminal.send(step.keys)
            }
            _ = terminal.waitForExit()
            result.printed = terminal.screen.lines.joined(separator: "\n")
        } else {
            let run = try ProgramRun.run("/bin/bash", words, input: "", environment: exampleEnvironment)
            result.printed = run.output + run.error
        }
        result.calls = try String(contentsOf: log, encoding: .utf8).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t", maxSplits: 1)
            return Int(parts[0]).map { ($0, parts.count > 1 ? String(parts[1]) : "") }
        }
        return result
    }
}
