import Terminal
import Testing
import TextEditing

@testable import Interface

@MainActor
@Suite("A list with the changes of the row under its cursor")
struct ComparedListTests {
    /// Comparisons that end when the test ends them.
    @MainActor
    private final class Comparisons {
        var begun: [(item: String, deliver: @MainActor @Sendable (TextDiff?) -> Void)] = []

        func end(_ number: Int) {
            let (item, deliver) = begun[number]
            deliver(TextDiff(from: "same", to: item))
        }
    }

    private let theme = Theme.dark

    private func lines(of list: ComparedList<String>) -> String {
        let area = OverlayArea(size: Size(columns: 24, rows: 11), isRead: false)
        let box = OverlayBox(content: Size(columns: 20, rows: 9), on: area)
        var screen = Screen(size: area.size)
        list.arrange(in: box.inside)
        list.draw(in: box, into: &screen, theme: theme, identical: "no change") { _, item in (item, "") }
        return (1..<10).map { row in (2..<22).map { screen[$0, row].text }.joined() }.joined(separator: "\n")
    }

    @Test func `a comparison that ends late does not replace that of the row under the cursor`() {
        let comparisons = Comparisons()
        let list = ComparedList(["apple", "pear"]) { comparisons.begun.append(($0, $1)) }
        list.perform(.down)
        comparisons.end(1)
        comparisons.end(0)
        #expect(lines(of: list).contains("+ pear"))
        #expect(!lines(of: list).contains("+ apple"))
    }

    @Test func `the row that takes the place of a removed one is compared`() {
        let comparisons = Comparisons()
        let list = ComparedList(["apple", "pear"]) { comparisons.begun.append(($0, $1)) }
        list.perform(.down)
        list.removeCurrent()
        #expect(list.current == "apple")
        #expect(comparisons.begun.map(\.item) == ["apple", "pear", "apple"])
        list.removeCurrent()
        #expect(list.current == nil)
        #expect(comparisons.begun.count == 3)
    }

    @Test func `a changed line is wrapped, so that its changed words can be seen`() {
        let comparisons = Comparisons()
        let list = ComparedList(["same words and then a change"]) { comparisons.begun.append(($0, $1)) }
        _ = lines(of: list)
        comparisons.begun[0].deliver(
            TextDiff(from: "same words and then a whim", to: "same words and then a change"))
        let rows = lines(of: list).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(rows.contains("- same words and") && rows.contains("then a whim"))
        #expect(rows.contains("+ same words and") && rows.contains("then a change"))
    }

    @Test func `a row shows its first match, with the words before it that have room`() {
        func row(_ text: String, _ match: Range<Int>, _ columns: Int) -> String {
            let parts = text.parts(marking: [match], fitting: columns, ellipsis: "…")
            return parts.map { $0.isMarked ? "<\($0.text)>" : String($0.text) }.joined()
        }
        #expect(row("a match here", 2..<7, 20) == "a <match> here")
        #expect(row("letter atlas orchard labyrinth river delta", 31..<36, 24) == "…<river> delta")
        #expect(row("one two three four five six", 19..<23, 18) == "…four <five> six")
        #expect(row("東京の博物館は月曜日に休みます", 33..<39, 12).contains("<休み>"))
    }

    @Test(arguments: 1...12) func `wrapping leaves nothing out and goes over no row`(columns: Int) {
        for text in ["", "one two three", "a  b ", "東京の 博物館", "abcdefghijklmnop qr", "👨‍👩‍👧 family"] {
            let ranges = text.wrapped(into: columns)
            let bytes = Array(text.utf8)
            #expect(ranges.flatMap { bytes[$0] } == bytes)
            for range in ranges {
                let row = String(decoding: bytes[range], as: UTF8.self)
                #expect(row.count <= 1 || TextWidth.shared.width(of: row) <= columns, "\(text) \(columns)")
            }
        }
    }
}
