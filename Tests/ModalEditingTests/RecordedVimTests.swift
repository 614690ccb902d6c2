import Foundation
import Testing
import VimCases

/// Tests results of vim 9 for random cases.
///
/// They were recorded by `Tests/Vim/compare.sh --count 1550 --seed 2026 --record FILE`, which keeps the cases in which
/// the modal keys agreed with vim at that time.
@Suite struct RecordedVimTests {
    @Test func `our keys make of the recorded cases what vim made of them`() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "recorded.txt")
        let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 1500)
        for line in lines {
            let record = try #require(VimRecord(line: String(line)), "\(line)")
            #expect(record.entry.result == record.result, "\(record.entry.commands.joined(separator: "  "))")
        }
    }

    @Test func `a final line feed is not a line for our keys, as it is none in a file that vim reads`() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "recorded.txt")
        for line in try String(contentsOf: path, encoding: .utf8).split(separator: "\n") {
            let record = try #require(VimRecord(line: String(line)), "\(line)")
            #expect(
                record.entry.result(endsInLineFeed: true) == record.result,
                "\(record.entry.commands.joined(separator: "  "))")
        }
    }

    @Test func `a record is read as it was written`() throws {
        let entry = VimCase(lines: ["a\tb", "", "\\n"], line: 1, column: 2, commands: ["dw", "i\\<Esc>"])
        let result = VimResult(number: 0, lines: ["", "x"], line: 2, column: 1, register: "\t", shape: "v")
        let read = try #require(VimRecord(line: VimRecord(entry, result).line))
        #expect(read.entry == entry && read.result == result)
    }
}
