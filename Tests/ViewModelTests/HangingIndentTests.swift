import Testing

@testable import ViewModel

struct HangingIndentTests {
    @Test(arguments: [
        ("plain text", 0), ("", 0), ("    indented", 4), ("  the second line of an item", 2), ("- item", 2),
        ("  * item", 4), ("12. item", 4), ("1) item", 3), ("- [ ] task", 6), ("  - [x] done", 8), ("> quote", 2),
        ("> > deeper", 4), ("> - item", 4), ("-no item", 0), ("1.no item", 0), ("-", 0), ("1234567890. too long", 0),
        ("2026 was a year", 0),
    ])
    func `wrapped rows hang under the text of their line`(line: String, cells: Int) {
        var line = line
        #expect(line.withUTF8 { HangingIndent.cells(of: $0) } == cells)
    }
}
