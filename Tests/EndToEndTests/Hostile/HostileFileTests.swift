import Foundation
import TerminalDriver
import Testing

/// Tests files that are small to write and large to read: JSON of other programs, settings and themes.
///
/// The program has an address space of 3 GB and 20 seconds of a processor. If it exceeds them, a signal ends it.
struct HostileFileTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    /// Runs `tn` within the limits.
    private func limited(_ words: [String]) throws -> Workplace.Result {
        let script = "ulimit -v 3000000; ulimit -t 20; exec '\(Workplace.program)' \"$@\""
        return try workplace.run("/bin/sh", ["-c", script, "sh"] + words)
    }

    private func write(_ bytes: Data, _ path: String) throws {
        let file = workplace.folder.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: file)
    }

    // MARK: - JSON

    /// Values that do no harm to a parser with limits.
    enum Bomb: String, CaseIterable {
        case arrays, openArrays, objects, digits, fraction, exponent, duplicates, surrogate, surrogateInText, longString

        private static let depth = 100_000
        private static let digitCount = 1_000_000

        /// The value, in JSON.
        var value: String {
            switch self {
            case .arrays: String(repeating: "[", count: Self.depth) + String(repeating: "]", count: Self.depth)
            case .openArrays: String(repeating: "[", count: Self.depth)
            case .objects:
                String(repeating: "{\"a\":", count: Self.depth) + "1" + String(repeating: "}", count: Self.depth)
            case .digits: String(repeating: "9", count: Self.digitCount)
            case .fraction: "0." + String(repeating: "3", count: Self.digitCount)
            case .exponent: "1e" + String(repeating: "9", count: Self.digitCount)
            case .duplicates: (0..<50_000).map { _ in "1,\"more\":" }.joined() + "1"
            case .surrogate: "\"\\ud800 \\udc00\""
            case .surrogateInText, .longString: "1"
            }
        }

        var text: String { self == .surrogateInText ? "a \\ud800 b" : "a note" }

        /// Whether a parser may skip the value, since no note needs it.
        var isPassed: Bool { [.digits, .fraction, .exponent, .duplicates, .surrogate].contains(self) }
    }

    enum Program: String, CaseIterable {
        case simplenote, standardNotes, keep, tn

        /// The file's path, and the path that is imported.
        var paths: (file: String, named: String) {
            switch self {
            case .keep: ("Takeout/Keep/note.json", "Takeout")
            case .tn: ("notebook.json", "notebook.json")
            default: ("export.json", "export.json")
            }
        }

        func export(_ bomb: Bomb) -> Data {
            let size = bomb == .longString ? 100_000_001 : 0
            let start = head + bomb.text
            return Data(start.utf8) + Data(repeating: UInt8(ascii: "x"), count: size) + Data(tail(bomb.value).utf8)
        }

        private var head: String {
            switch self {
            case .simplenote: "{\"activeNotes\":[{\"id\":\"1\",\"content\":\""
            case .standardNotes:
                "{\"items\":[{\"uuid\":\"11111111-1111-4111-8111-111111111111\",\"content_type\":\"Note\","
                    + "\"content\":{\"title\":\"t\",\"text\":\""
            case .keep: "{\"isTrashed\":false,\"createdTimestampUsec\":1,\"textContent\":\""
            case .tn:
                "{\"archive\":\"tn-notebook\",\"containers\":[],\"images\":[],\"notes\":[],\"searches\":[],"
                    + "\"name\":\""
            }
        }

        private func tail(_ value: String) -> String {
            switch self {
            case .simplenote: "\",\"more\":\(value)}]}"
            case .standardNotes: "\",\"more\":\(value)}}]}"
            case .keep: "\",\"more\":\(value)}"
            case .tn: "\",\"version\":1,\"more\":\(value)}"
            }
        }
    }

    @Test(arguments: Program.allCases, Bomb.allCases)
    func `JSON that would burst a careless parser is refused by name, or its note is taken`(
        program: Program, bomb: Bomb
    ) throws {
        // The whole notebook may be larger, and Keep has one note in each file.
        if bomb == .longString, program == .tn || program == .keep { return }
        let (file, named) = program.paths
        try write(program.export(bomb), file)
        let result = try limited(["import", workplace.folder.path + "/" + named])
        // `tn`'s own export has no notes here.
        let taken = program == .tn ? "0 notes imported" : "1 note imported"
        // Half a character is replaced, and its note told.
        if bomb.isPassed || bomb == .surrogateInText && (program != .tn || result.status == 0) {
            #expect(result.status == 0 && result.output.contains(taken), "\(result)")
        } else {
            #expect(result.status == 65 && result.error.contains(file), "\(result)")
            #expect(result.error.split(separator: "\n").count == 1, "\(result)")
        }
        #expect(try workplace.tn("doctor").status == 0)
    }

    // MARK: - TOML

    /// Settings that nest deeply or are long, with the words of the refusal.
    static let settings: [(name: String, words: String, text: @Sendable () -> String)] = {
        let (depth, nested) = (100_000, "nested more than 32 levels deep")
        @Sendable func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
        return [
            ("lists", nested, { "theme = " + many("[", depth) + many("]", depth) }),
            ("open lists", nested, { "theme = " + many("[", depth) }),
            ("tables in braces", nested, { "theme = " + many("{a=", depth) + "1" + many("}", depth) }),
            ("the names of a table", nested, { "[a" + many(".a", depth) + "]\nb = 1" }),
            ("the names of a key", nested, { "a" + many(".\"a\"", depth) + " = 1" }),
            ("names in braces", nested, { "theme = " + many("{" + many("a.", 40) + "b = ", 30) + "1" + many("}", 30) }),
            ("digits", "over the range", { "tab-width = " + many("1", 900_000) }),
            ("duplicate keys", "redefine", { "theme = \"dark\"\ntheme = \"light\"" }),
            ("a surrogate", "surrogate", { #"theme = "\ud800""# }),
            ("a long text", "larger than 1 MB", { "theme = \"" + many("x", 20_000_000) + "\"" }),
        ]
    }()

    @Test(arguments: 0..<settings.count)
    func `settings and themes that would burst a careless parser are refused with their line`(index: Int) throws {
        let (name, words, text) = Self.settings[index]
        let file = Data(text().utf8)
        try write(file, "config/takenote/config.toml")
        let listed = try limited(["list"])
        #expect(listed.status == 0, "\(name): \(listed)")
        let doctor = try limited(["doctor"])
        #expect(doctor.status < 128 && doctor.output.contains("config.toml"), "\(name): \(doctor)")
        #expect(doctor.output.contains(words) || name == "digits", "\(name): \(doctor.output)")
        try write(file, "config/takenote/themes/mine.toml")
        try workplace.configure("theme = \"mine\"")
        let themed = try limited(["doctor"])
        #expect(themed.status < 128 && themed.output.contains("mine"), "\(name): \(themed)")
    }
}
