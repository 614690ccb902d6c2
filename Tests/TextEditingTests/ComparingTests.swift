import SeededRandom
import Testing

@testable import TextEditing

@Suite struct TextDiffTests {
    @Test func `a changed word is marked in both lines`() {
        let diff = TextDiff(from: "one\nthe red fox\nend", to: "one\nthe brown fox\nend")
        #expect(diff.lines.map(\.kind) == [.same, .removed, .added, .same])
        #expect(diff.lines[1].changedWords == [4..<7])
        #expect(diff.lines[2].changedWords == [4..<9])
        #expect(diff.lines[2].newLine == 1)
        #expect(diff.hunks(context: 0).count == 1)
    }

    @Test func `texts that are canonically equal but of other bytes differ`() {
        #expect(!TextDiff(from: "caf\u{E9}", to: "cafe\u{301}").isEmpty)
    }

    @Test func `an edit between two texts makes one of the other`() {
        var random = SeededGenerator(seed: 5)
        let words = ["a", "bc", " ", "\n", "\r\n", "漢", "é", "\n\n", "word"]
        for _ in 0..<400 {
            let old = (0..<Int.random(in: 0...30, using: &random)).map { _ in random.pick(words) }
            var new = old
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let position = Int.random(in: 0...new.count, using: &random)
                if Bool.random(using: &random), position < new.count {
                    new.remove(at: position)
                } else {
                    new.insert(random.pick(words), at: position)
                }
            }
            var buffer = TextBuffer(old.joined())
            let edit = Edit(from: old.joined(), to: new.joined())
            edit.apply(to: &buffer)
            #expect(buffer == TextBuffer(new.joined()))
            edit.inverse.apply(to: &buffer)
            #expect(buffer == TextBuffer(old.joined()))
        }
    }

    @Test func `the changes between two sequences are the fewest`() {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<500 {
            let a = (0..<Int.random(in: 0...25, using: &random)).map { _ in Int.random(in: 0...4, using: &random) }
            let b = (0..<Int.random(in: 0...25, using: &random)).map { _ in Int.random(in: 0...4, using: &random) }
            let changes = SequenceDiff.changes(from: a, to: b)
            var rebuilt = a
            for change in changes.reversed() { rebuilt.replaceSubrange(change.old, with: b[change.new]) }
            #expect(rebuilt == b)
            let cost = changes.reduce(0) { $0 + $1.old.count + $1.new.count }
            #expect(cost == a.count + b.count - 2 * longestCommon(a, b))
            let bounded = SequenceDiff.changes(from: a, to: b, costLimit: 2)
            var other = a
            for change in bounded.reversed() { other.replaceSubrange(change.old, with: b[change.new]) }
            #expect(other == b)
        }
    }

    private func longestCommon(_ a: [Int], _ b: [Int]) -> Int {
        var row = Array(repeating: 0, count: b.count + 1)
        for x in a {
            var corner = 0
            for (index, y) in b.enumerated() {
                let up = row[index + 1]
                row[index + 1] = x == y ? corner + 1 : max(up, row[index])
                corner = up
            }
        }
        return row[b.count]
    }
}

@Suite struct ThreeWayMergeTests {
    private func merged(_ base: String, _ ours: String, _ theirs: String) -> String? {
        guard case .merged(let text) = ThreeWayMerge.merge(base: base, ours: ours, theirs: theirs) else { return nil }
        return text
    }

    @Test func `changes of different lines are both kept`() {
        #expect(merged("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n") == "A\nb\nC\n")
        #expect(merged("a\nb\nc", "A\nb\nc", "a\nB\nc") == "A\nB\nc")
    }

    @Test func `changes of different words of a line are both kept`() {
        #expect(merged("the quick brown fox", "the slow brown fox", "the quick brown dog") == "the slow brown dog")
    }

    @Test func `lines put in at one position are all kept, theirs first, common ones once`() {
        #expect(merged("a\n", "a\nours\n", "a\ntheirs\n") == "a\ntheirs\nours\n")
        #expect(merged("a", "a\nours", "a\ntheirs") == "a\ntheirs\nours")
        #expect(merged("a\n", "a\nboth\nours\n", "a\nboth\n") == "a\nboth\nours\n")
    }

    @Test func `two texts put in behind a final line feed are both kept, theirs first`() {
        #expect(merged("a\n", "a\nours", "a\ntheirs") == "a\ntheirs\nours")
        #expect(merged("a\n", "a\nours\n", "a\ntheirs") == "a\ntheirs\nours\n")
        #expect(merged("a\n", "a\nours", "a\ntheirs\n") == "a\ntheirs\nours")
        #expect(merged("", "ours", "theirs") == "theirs\nours")
        #expect(merged("a\n\nb", "a\nours\nb", "a\ntheirs\nb") == "a\ntheirs\nours\nb")
    }

    @Test func `words typed at the end of one line on both sides are both kept, theirs first`() {
        let merge = ThreeWayMerge.merge(base: "a\ntail\nb", ours: "a\ntail mine\nb", theirs: "a\ntail yours\nb")
        #expect(merge == .merged("a\ntail yours mine\nb"))
    }

    /// The last line of one side had no line feed, or both typed between the same two marks.
    @Test func `words that both sides put in at one position never become one`() {
        #expect(merged("a\n", "a\nours\n", "a more\nand\ntheirs") == "a more\nand\ntheirs\nours\n")
        #expect(merged("see: ", "see: ours", "see: theirs") == "see: theirs ours")
        #expect(merged("-- --", "--ours --", "--theirs --") == "--theirs ours --")
        // Where they are two words anyway, nothing is added.
        #expect(merged("( )", "(ours )", "(theirs )") == "(theirs ours )")
        #expect(merged("a (b) c", "a (ours b) c", "a (theirs b) c") == "a (theirs ours b) c")
        #expect(merged("x 。", "x 世。", "x 界。") == "x 界世。")
    }

    @Test func `what one side typed on from the words of the other is there once`() {
        #expect(merged("a", "a one two three four five", "a one two three four") == "a one two three four five")
        #expect(merged("a", "a one two three four", "a one two three four five") == "a one two three four five")
        #expect(merged("a.", "a one two and three four.", "a one two three four.") == "a one two and three four.")
        #expect(merged("a", "a one two three four five", "a one two three fo") == "a one two three four five")
        #expect(merged("a\n", "a\nb c d e f\nnext\n", "a\nb c d e\n") == "a\nb c d e f\nnext\n")
        #expect(merged("a\n", "a\nb c d e", "a\nb c d e f\nnext\n") == "a\nb c d e f\nnext\n")
    }

    @Test func `a few words that both sides put in are kept twice, since they may be alike by chance`() {
        #expect(merged("buy", "buy oat milk", "buy milk") == "buy milk oat milk")
        #expect(merged("a\n", "a\n- oat milk\n", "a\n- milk\n") == "a\n- milk\n- oat milk\n")
        #expect(merged("a", "a one two three four", "a one two three") == "a one two three one two three four")
    }

    @Test func `the same change on both sides is made once`() {
        #expect(merged("a\nb", "a\nc", "a\nc") == "a\nc")
    }

    @Test func `one word changed differently is a conflict that keeps both`() {
        guard case .conflict(let conflict) = ThreeWayMerge.merge(base: "x\none y", ours: "x\ntwo y", theirs: "x\nsix y")
        else {
            Issue.record("merged")
            return
        }
        #expect(conflict.regions == [.init(base: "one y", ours: "two y", theirs: "six y")])
        #expect(conflict.preferringOurs == "x\ntwo y")
        #expect(conflict.preferringTheirs == "x\nsix y")
    }

    @Test func `a line removed here and changed there is a conflict`() {
        #expect(merged("a\nb\nc", "a\nc", "a\nB\nc") == nil)
    }

    @Test func `a line that one side has moved and the other has changed is changed at its new place`() {
        func expect(_ base: String, moved: String, changed: String, _ both: String) {
            #expect(merged(base, moved, changed) == both)
            #expect(merged(base, changed, moved) == both)
        }
        expect("a\nb\n", moved: "b\na\n", changed: "a\nb more\n", "b more\na\n")
        expect("a\nx\nb", moved: "b\nx\na", changed: "a\nx\nb more", "b more\nx\na")
        expect("a\nb\nc\nd\n", moved: "d\nc\nb\na\n", changed: "a 1\nb\nc 2\nd\n", "d\nc 2\nb\na 1\n")
        expect("a\nb\nc\n", moved: "c\na\nb\n", changed: "a\nb\nc more\nnew\n", "c more\nnew\na\nb\n")
        // Each side has moved what the other has changed.
        expect(
            "a\nb\nc\nd\n", moved: "b\na\nc\nd more\n", changed: "a more\nb\nd\nc\n", "b\na more\nd more\nc\n")
    }

    @Test func `another line in the place of one that the other side has moved stays where it is`() {
        let base = "buy milk\n# Done\n"
        #expect(merged(base, "# Done\nbuy milk\n", "call Ana\n# Done\n") == nil)
        #expect(merged(base, "call Ana\n# Done\n", "# Done\nbuy milk\n") == nil)
        #expect(merged(base, "# Done\nbuy milk\n", "buy bread\n# Done\n") == "# Done\nbuy bread\n")
        // The second of two lines became another one.
        #expect(merged("a\nb\nc\n", "c\na\nb\n", "a\nb\nd\n") == nil)
    }

    @Test func `where another conflict is left, each version has all changes of its side`() {
        let merge = ThreeWayMerge.merge(
            base: "a\nx\nb\nc\none y", ours: "b\na\nx\nc\ntwo y", theirs: "a\nx\nb more\nc\nsix y")
        guard case .conflict(let conflict) = merge else {
            Issue.record("merged")
            return
        }
        #expect(conflict.preferringOurs == "b\na\nx\nc\ntwo y")
        #expect(conflict.preferringTheirs == "b\na\nx\nb more\nc\nsix y")
    }

    @Test func `line ends are never altered`() {
        #expect(merged("a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n", "a\r\nb\r\nc\r\nd") == "a\r\nB\r\nc\r\nd")
    }

    @Test func `edits of different paragraphs are all in the merge`() {
        var random = SeededGenerator(seed: 12)
        let words = ["one", "two", "漢字", "e\u{301}", "x"]
        for _ in 0..<200 {
            let paragraphs = (0..<6).map { number in
                "p\(number) " + words.shuffled(using: &random).joined(separator: " ")
            }
            var (ours, theirs, both) = (paragraphs, paragraphs, paragraphs)
            for index in paragraphs.indices {
                let side = Int.random(in: 0...2, using: &random)
                let changed = paragraphs[index] + " \(index) changed"
                if side == 0 { ours[index] = changed } else if side == 1 { theirs[index] = changed }
                if side < 2 { both[index] = changed }
            }
            func text(_ parts: [String]) -> String { parts.joined(separator: "\n\n") + "\n" }
            #expect(merged(text(paragraphs), text(ours), text(theirs)) == text(both))
        }
    }

    @Test func `a merge with an unchanged side is the other side`() {
        var random = SeededGenerator(seed: 9)
        let lines = ["a", "b", "", "c d", "é"]
        for _ in 0..<200 {
            let base = (0..<8).map { _ in random.pick(lines) }.joined(separator: "\n")
            let side = (0..<9).map { _ in random.pick(lines) }.joined(separator: "\n")
            #expect(merged(base, side, base) == side)
            #expect(merged(base, base, side) == side)
            #expect(merged(base, side, side) == side)
        }
    }
}

@Suite struct ReviewedChangesTests {
    @Test func `no change taken is the old text, and all are the new one`() {
        var random = SeededGenerator(seed: 6)
        let words = ["a", "b", "\n", "\n\n", "漢", "\r\n", ""]
        for _ in 0..<300 {
            let texts = (0..<2).map { _ in
                (0..<Int.random(in: 0...12, using: &random)).map { _ in random.pick(words) }.joined()
            }
            let review = ReviewedChanges(from: texts[0], to: texts[1])
            #expect(review.text(taking: []).utf8.elementsEqual(texts[0].utf8))
            #expect(review.text(taking: Set(review.changes.indices)).utf8.elementsEqual(texts[1].utf8))
        }
    }

    @Test func `one change is taken without the others`() {
        let review = ReviewedChanges(from: "a\nb\nc\nd", to: "A\nb\nC\nC2\nd\ne")
        #expect(review.changes.count == 3)
        #expect(review.text(taking: [1]) == "a\nb\nC\nC2\nd")
        #expect(review.text(taking: [0, 2]) == "A\nb\nc\nd\ne")
    }
}
