import Foundation
import NoteStore
import TerminalDriver

/// A folder for one run: environments, texts and notebooks.
final class Workshop {
    let folder: URL
    /// The path of `tn`, built with this program unless `TN_BINARY` is set.
    let program: String

    init() throws {
        folder = URL(filePath: NSTemporaryDirectory()).appending(path: "tn-benchmarks-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let own = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        program =
            ProcessInfo.processInfo.environment["TN_BINARY"]
            ?? own.deletingLastPathComponent().appending(path: "tn").path
    }

    deinit {
        // A folder that remains in the temporary folder does no harm.
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns an environment without any of the user's files.
    func environment(_ name: String) -> [String: String] {
        let home = folder.appending(path: "home-\(name)").path
        var environment = ["HOME": home, "LANG": "C.UTF-8", "TZ": "UTC"]
        for variable in ["PATH", "TMPDIR"] { environment[variable] = ProcessInfo.processInfo.environment[variable] }
        // The program that needs the folder fails without it.
        try? FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        return environment
    }

    func write(_ text: String, to name: String) throws -> String {
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// Creates a notebook with the given notes.
    func notebook(_ name: String, _ notes: [NewNote]) throws -> (path: String, notes: [NoteRow]) {
        let path = folder.appending(path: "\(name).sqlite").path
        let notebook = try Notebook.open(path, mode: .command)
        var rows: [NoteRow] = []
        for start in stride(from: 0, to: notes.count, by: 500) {
            rows += try notebook.notes.create(Array(notes[start..<min(start + 500, notes.count)]))
        }
        try notebook.close()
        // The file alone is copied, so nothing of it may be in the log.
        try RawSQLite(path).run("PRAGMA wal_checkpoint(TRUNCATE)")
        return (path, rows)
    }

    /// Returns a notebook of many notes: created once and stored with the build, copied for each run.
    func filledNotebook(_ count: Int) throws -> String {
        let cache = URL(filePath: program).deletingLastPathComponent().appending(path: "notebook-\(count).sqlite")
        if !FileManager.default.fileExists(atPath: cache.path) {
            var prose = Prose(seed: 42)
            let now = Date()
            let notes = (0..<count).map { index in
                NewNote(
                    text: prose.note(words: 150), starred: index % 50 == 0,
                    created: now.addingTimeInterval(Double(index - count) * 60))
            }
            let made = try notebook("making-\(count)", notes).path
            try FileManager.default.moveItem(atPath: made, toPath: cache.path)
        }
        let copy = folder.appending(path: "notebook-\(count)-\(UUID().uuidString.prefix(4)).sqlite").path
        try FileManager.default.copyItem(atPath: cache.path, toPath: copy)
        return copy
    }

    /// Runs a program to its end and discards its output.
    ///
    /// - Returns: the milliseconds from before its start to after the wait for its end.
    func time(_ program: String, _ arguments: [String], environment: [String: String]) throws -> Double {
        var status: Int32 = 0
        let start = PseudoTerminal.now
        let process = try ProgramRun.spawn(
            program, arguments, environment: environment,
            streams: [.opened(0, "/dev/null", O_RDONLY), .opened(1, "/dev/null", O_WRONLY)])
        waitpid(process, &status, 0)
        let end = PseudoTerminal.now
        guard status == 0 else {
            throw PseudoTerminal.Failure(description: "\(program) \(arguments): status \(status)")
        }
        return Double(end - start) / 1e6
    }

    static func isInstalled(_ program: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            access("\($0)/\(program)", X_OK) == 0
        }
    }
}

/// Generates prose with the word frequencies of natural text, always the same.
///
/// It is in lower case, so that capitals can be markers.
struct Prose {
    private var state: UInt64

    /// The most frequent word first.
    static let words: [String] = {
        let syllables = [
            "ba", "ne", "ti", "ro", "lu", "ka", "mi", "so", "pe", "du", "the", "an", "er", "in", "st", "or",
        ]
        var words: [String] = []
        for number in 0..<20_000 {
            var (word, rest) = ("", number &* 7919 % 65_536)
            repeat {
                word += syllables[rest % 16]
                rest /= 16
            } while rest > 0
            words.append(word)
        }
        return words
    }()

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }

    mutating func word() -> String {
        let uniform = Double(next() % 1_000_000) / 1_000_000
        return Self.words[min(Self.words.count - 1, Int(pow(Double(Self.words.count), uniform)) - 1)]
    }

    mutating func note(words count: Int) -> String {
        "# " + (0..<4).map { _ in word() }.joined(separator: " ") + "\n\n" + paragraph(words: count)
    }

    /// Returns a line of prose that contains Markdown.
    mutating func paragraph(words count: Int) -> String {
        (0..<count).map { index in
            let word = word()
            switch index % 23 {
            case 5: return "**\(word)**"
            case 11: return "`\(word)`"
            case 17: return "[\(word)](https://example.org/\(word))"
            default: return word
            }
        }.joined(separator: " ")
    }

    /// Returns a document of about `size` bytes; a line in its middle begins with `mitte`.
    mutating func document(bytes size: Int) -> (text: String, middleLine: Int) {
        var text = "# document of \(size) bytes\n\n"
        var line = 3
        var middleLine = 0
        while text.utf8.count < size {
            if middleLine == 0, text.utf8.count >= size / 2 {
                middleLine = line
                text += "mitte "
            }
            switch next() % 8 {
            case 0: text += "## " + paragraph(words: 4) + "\n\n"
            case 1: text += (0..<3).map { _ in "- [ ] " + paragraph(words: 6) + "\n" }.joined() + "\n"
            case 2: text += "> " + paragraph(words: 30) + "\n\n"
            default: text += paragraph(words: 70) + "\n\n"
            }
            line += 2
        }
        return (text, middleLine)
    }
}
