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
        var screen = Screen(size: Size(columns: 20, rows: 9))
        list.arrange(in: Rect(column: 0, row: 0, columns: 20, rows: 9))
        list.draw(into: &screen, theme: theme, identical: "no change") { _, item in (item, "") }
        return (0..<9).map { row in (0..<20).map { screen[$0, row].text }.joined() }.joined(separator: "\n")
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
}
