import Foundation
import NoteStore
import SeededRandom
import Sync

/// Random texts of pieces that could be mistaken for tn's own lines, their fences or their escapes.
package struct FuzzedTexts {
    private var random: SeededGenerator

    package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private static let pieces = [
        "---", "---", "--- ", " ---", "----", "...", "\u{FEFF}", "\u{FEFF}---", "title: x", "title:",
        "title: \"a\\\"b\"", "tags: [a, b]",
        "tags:", "- a", "  - b", "created: 2020-01-01", "updated: never", "tn: 0B5C2E5A-0000-4000-8000-000000000001",
        "tn: ", "tn:", "tn-title: y", "tn-tn-title: y", "tn-nul: a", "nul: b", "starred: true", "follows: true",
        "default: z", "order: 7", "former: {}", "conflict-of: x", "aliases: [\"A\"]", "key: |", "  more", "# comment",
        "\0", "␀", "␀␀", "\\0", "%00", "e\u{301}", "\u{301}", "é", "👩‍👩‍👧", "\u{2028}", "\u{85}", "\u{B}", "\u{1B}[2J",
        "\u{202E}",
        "<<<<<<< a", "=======", "# Heading", "", "", " ", "\t", "word", "\"", "'", "`", "[[Link]]", "\u{FFFD}",
        "\u{10FFFF}",
    ]
    private static let ends = ["\n", "\n", "\n", "\n", "\r\n", "\r", "", "\n\n", "\u{2028}", " \n"]

    /// Returns the next text; half of them begin with a fence.
    package mutating func next() -> String {
        var text = random.chance(50) ? "---" + random.pick(Self.ends) : ""
        for _ in 0..<random.below(12) {
            text += random.pick(Self.pieces)
            text += random.pick(Self.ends)
        }
        return text
    }

    /// Writes notes with fuzzed texts and titles as files, reads them again, and returns what differs.
    package mutating func failures(notes count: Int) -> [String] {
        var state = SyncState()
        for _ in 0..<count {
            let text = next()
            let derived = ExactText(Notebook.Sync.derivedTitle(of: text))
            let title = random.chance(30) ? ExactText(next()) : derived
            var note = SyncNote(
                title: title, defaultTitle: random.chance(70) ? derived : ExactText(next()), text: ExactText(text),
                created: Int64(random.below(1 << 41)), updated: Int64(random.below(1 << 41)))
            if random.chance(20) { (note.summary, note.summaryHash) = (ExactText(next()), "0a") }
            let (one, two) = (random.next(), random.next())
            let uuid = withUnsafeBytes(of: (one, two)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            state.notes[NoteID(uuid)] = note
        }
        let change = encode(state, over: [:], Decoded()).change
        let read = decode(change.applied(to: [:]), contents: change.contents).state
        return differences(SyncState(notes: state.notes), SyncState(notes: read.notes))
    }
}

extension SyncState {
    fileprivate init(notes: [NoteID: SyncNote]) {
        self.init()
        self.notes = notes
    }
}
