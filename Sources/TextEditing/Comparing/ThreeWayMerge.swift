/// The result of merging two texts that were derived from one.
public enum MergeResult: Hashable, Sendable {
    /// The text contains both sides' changes.
    case merged(String)
    /// The sides changed the same words differently.
    case conflict(MergeConflict)
}

/// A merge that needs a decision.
public struct MergeConflict: Hashable, Sendable {
    /// A region that both sides changed, with its text in each version.
    public struct Region: Hashable, Sendable {
        /// The lines before both changes.
        public var base: String
        /// The lines in our version; empty if we removed them.
        public var ours: String
        /// The lines in their version; empty if they removed them.
        public var theirs: String
    }

    /// The conflicting regions, in order.
    public var regions: [Region]
    /// The merged text, with our version of each conflicting region.
    public var preferringOurs: String
    /// The merged text, with their version of each conflicting region.
    public var preferringTheirs: String
}

/// Merges two texts that were derived from one: by lines, and by words where both changed the same lines.
///
/// Lines or words that both sides insert at the same position, or write on the same blank line, are all kept, theirs
/// first, and two words never become one. So no typed text is lost, and two people who type at the end of one line do
/// not get a conflict. Four words and more that one side put in, and the other side has typed on from, stand once. Words
/// that one side changed must not touch words that the other side changed.
public enum ThreeWayMerge {
    /// Merges the changes from `base` to `ours` and from `base` to `theirs`.
    public static func merge(base: String, ours: String, theirs: String) -> MergeResult {
        let sides = MergeSides(
            base: TextTokens.lines(of: base), ours: TextTokens.lines(of: ours), theirs: TextTokens.lines(of: theirs))
        let result = merge(sides)
        guard case .conflict = result, let followed = sides.followingMoves() else { return result }
        // With another conflict in it, a version would be without a change that was made elsewhere in it.
        guard case .merged(let text) = merge(followed) else { return result }
        return .merged(text)
    }

    private static func merge(_ sides: MergeSides) -> MergeResult {
        var pieces: [Piece] = []
        for part in sides.parts(touching: false) {
            switch part {
            case .settled(let lines):
                pieces += lines.map { .line($0) }
            case .contested(let base, let ours, let theirs):
                pieces.append(contentsOf: mergeLines(base: base, ours: ours, theirs: theirs))
            }
        }
        return result(of: pieces)
    }

    /// The lines of both texts in one: common lines appear once; elsewhere the first text's lines come before the
    /// second's.
    public static func union(_ first: String, _ second: String) -> String {
        union(TextTokens.lines(of: first), TextTokens.lines(of: second), growing: false).joined(separator: "\n")
    }

    /// A piece of the merged text.
    private enum Piece {
        case line(Substring)
        case lines(String)
        case conflict(MergeConflict.Region, ours: [Substring], theirs: [Substring])
    }

    private static func mergeLines(base: [Substring], ours: [Substring], theirs: [Substring]) -> [Piece] {
        // On blank lines, such as the one after a final line feed, both sides have only inserted.
        if base.isEmpty { return union(theirs, ours, growing: true).map { .line($0) } }
        if base.allSatisfy(\.isEmpty) {
            // The line feed that ends their lines is the one before ours.
            let first = theirs.last?.isEmpty == true && !ours.isEmpty ? theirs.dropLast() : theirs[...]
            let both = union(Array(first), ours, growing: true)
            // If ours are all in theirs, the line feed stays theirs.
            return (both == Array(first) ? theirs : both).map { .line($0) }
        }
        let texts = (
            base: base.joined(separator: "\n"), ours: ours.joined(separator: "\n"),
            theirs: theirs.joined(separator: "\n")
        )
        // If a side has removed all the lines, it has no words to merge.
        if !ours.isEmpty, !theirs.isEmpty,
            let merged = mergeWords(base: texts.base[...], ours: texts.ours[...], theirs: texts.theirs[...])
        {
            return [.lines(merged)]
        }
        let region = MergeConflict.Region(base: texts.base, ours: texts.ours, theirs: texts.theirs)
        return [.conflict(region, ours: ours, theirs: theirs)]
    }

    /// The lines of both; common lines appear once, and with `growing` a line that was typed on stands for both.
    private static func union(_ first: [Substring], _ second: [Substring], growing: Bool) -> [Substring] {
        var numbers = TokenNumbers()
        let changes = SequenceDiff.changes(from: numbers.numbers(of: first), to: numbers.numbers(of: second))
        var result: [Substring] = []
        var position = 0
        for change in changes {
            result += first[position..<change.old.lowerBound]
            var (old, new) = (first[change.old], second[change.new])
            while growing, let one = old.first, let other = new.first, let line = grown(one, other) {
                result.append(line)
                (old, new) = (old.dropFirst(), new.dropFirst())
            }
            result += old + new
            position = change.old.upperBound
        }
        return result + first[position...]
    }

    /// Returns the one of two lines that was typed on from the other; nil if neither was.
    private static func grown(_ first: Substring, _ second: Substring) -> Substring? {
        let (one, other) = (TextTokens.words(of: first), TextTokens.words(of: second))
        if goesOn(one, from: other) { return first }
        return goesOn(other, from: one) ? second : nil
    }

    private static func mergeWords(base: Substring, ours: Substring, theirs: Substring) -> String? {
        let sides = MergeSides(
            base: TextTokens.words(of: base), ours: TextTokens.words(of: ours), theirs: TextTokens.words(of: theirs))
        var text = ""
        for part in sides.parts(touching: true) {
            switch part {
            case .settled(let words): text += words.joined()
            case .contested(base: [], let ours, let theirs):
                if goesOn(ours, from: theirs) {
                    text += ours.joined()
                } else if goesOn(theirs, from: ours) {
                    text += theirs.joined()
                } else {
                    text += theirs.joined() + separator(between: theirs, and: ours) + ours.joined()
                }
            case .contested: return nil
            }
        }
        return text
    }

    /// Whether words were typed on from earlier ones: all of them are there, and the others came at one place.
    ///
    /// The other side has got the earlier words without this side being told, as by a synchronisation that was cut off.
    /// A few words may be alike by chance, such as “milk” and “oat milk” on two lists, so they are kept twice.
    private static func goesOn(_ words: [Substring], from earlier: [Substring]) -> Bool {
        guard words.count >= earlier.count, earlier.count(where: isWord) > 3 else { return false }
        func common(_ pairs: some Sequence<(Substring, Substring)>) -> Int {
            pairs.prefix { $0.0.utf8.elementsEqual($0.1.utf8) }.count
        }
        let start = common(zip(words, earlier))
        if start + common(zip(words.reversed(), earlier.reversed())) >= earlier.count { return true }
        // The last word was not finished then.
        return start == earlier.count - 1 && words[start].utf8.starts(with: earlier[start].utf8)
    }

    /// Whether a token has a letter or a digit.
    static func isWord(_ token: Substring) -> Bool { token.contains { $0.isLetter || $0.isNumber } }

    /// Returns the separator between the last word of one text and the first word of the other: nothing if they stay
    /// two words without it, a line feed if one of the texts contains one, or else a space.
    private static func separator(between first: [Substring], and second: [Substring]) -> String {
        guard let last = first.last, let next = second.first, !last.allSatisfy(\.isWhitespace),
            TextTokens.words(of: last + next).count == 1
        else { return "" }
        return (first + second).contains("\n") ? "\n" : " "
    }

    private static func result(of pieces: [Piece]) -> MergeResult {
        var regions: [MergeConflict.Region] = []
        var (ours, theirs): ([String], [String]) = ([], [])
        for piece in pieces {
            switch piece {
            case .line(let line):
                ours.append(String(line))
                theirs.append(String(line))
            case .lines(let lines):
                ours.append(lines)
                theirs.append(lines)
            case .conflict(let region, let ourLines, let theirLines):
                regions.append(region)
                ours += ourLines.map(String.init)
                theirs += theirLines.map(String.init)
            }
        }
        let text = ours.joined(separator: "\n")
        if regions.isEmpty { return .merged(text) }
        return .conflict(
            MergeConflict(regions: regions, preferringOurs: text, preferringTheirs: theirs.joined(separator: "\n")))
    }
}
