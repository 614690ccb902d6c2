import ArgumentParser
import NoteStore
import Testing

@testable import tn

/// Tests that the plain parsing of the opening forms agrees with the parser.
struct OpeningTests {
    private static let plain = [
        [], ["open", "Reading list"], ["open", ""], ["takenote://note/1"], ["TakeNote://NOTE/1"],
        ["--database", "a b"], ["--database", "a", "open", "list"], ["--database", "a", "takenote://x"],
    ]

    @Test(arguments: plain)
    func `plain words are read by hand as the parser reads them`(words: [String]) throws {
        let opening = try #require(Opening(plainly: words))
        let command = try TakeNote.parseAsRoot(CommandWords.arranged(words))
        if let open = command as? Open {
            #expect(opening.reference == open.note)
            #expect(opening.database == open.options.database)
        } else {
            #expect(opening.reference == nil)
            #expect(opening.database == (command as? TakeNote)?.options.database)
        }
    }

    @Test(arguments: [
        ["open"], ["open", "a", "b"], ["list"], ["--help"], ["-h"], ["--version"], ["--database"], ["--database", ""],
        ["--database", "-x"], ["--database=x"], ["open", "--help"], ["open", "-x"], ["takenote://note/1", "x"],
        ["open", "x", "--database", "y"], ["--new"], ["help"], ["--", "open"], [""], ["Open", "x"],
    ])
    func `what is not plain is left to the parser`(words: [String]) {
        #expect(Opening(plainly: words) == nil)
    }
}

/// Tests the message of doctor about the SQLite library.
struct SQLiteLineTests {
    @Test func `a library with the fault is reported with its risk, another by its version alone`() {
        #expect(DoctorTexts.sqlite("3.51.3", hasLogResetFault: false) == "3.51.3")
        let faulty = DoctorTexts.sqlite("3.40.1", hasLogResetFault: true)
        #expect(faulty.hasPrefix("3.40.1, which can lose a write when two programs write at once (fixed in 3.51.3)"))
        #expect(faulty.contains("should not write while tn is open"))
    }

    @Test func `doctor names the library that the program uses`() throws {
        let workplace = try Workplace()
        _ = try workplace.tn("--new", "One")
        let lines = try workplace.tn("doctor").output.split(separator: "\n")
        let words = lines.map { $0.split(separator: "\t") }
        let said = try #require(words.first { $0.dropFirst().first == "sqlite" })
        let expected = DoctorTexts.sqlite(
            SQLiteLibrary.version, hasLogResetFault: SQLiteLibrary.hasLogResetFault)
        #expect(said.last.map(String.init) == expected)
    }
}
