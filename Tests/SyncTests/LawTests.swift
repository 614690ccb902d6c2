import Foundation
import NoteStore
import SyncSchedules
import Testing

@testable import Sync

/// Tests the laws of merging and of the files, over random states.
struct LawTests {
    @Test func `a merge is symmetric`() {
        for seed in 0..<cases(80) {
            var states = RandomStates(seed: UInt64(seed))
            let base = states.state()
            let (one, other) = (states.changed(base), states.changed(base))
            #expect(differences(merge(base: base, one, other), merge(base: base, other, one)) == [], "seed \(seed)")
            #expect(differences(merge(base: nil, one, other), merge(base: nil, other, one)) == [], "seed \(seed)")
        }
    }

    @Test func `an unchanged side yields the other`() {
        for seed in 0..<cases(80) {
            var states = RandomStates(seed: UInt64(seed))
            let base = states.state()
            let other = states.changed(base)
            #expect(differences(merge(base: base, base, other), other) == [], "seed \(seed)")
            #expect(differences(merge(base: base, other, base), other) == [], "seed \(seed)")
            #expect(differences(merge(base: base, other, other), other) == [], "seed \(seed)")
        }
    }

    @Test func `a merge of a merge changes nothing`() {
        for seed in 0..<cases(80) {
            var states = RandomStates(seed: UInt64(seed))
            let base = states.state()
            let (one, other) = (states.changed(base), states.changed(base))
            let merged = merge(base: base, one, other)
            #expect(differences(merge(base: one, one, merged), merged) == [], "seed \(seed)")
            #expect(differences(merge(base: other, merged, other), merged) == [], "seed \(seed)")
        }
    }

    @Test func `what was encoded is decoded`() {
        for seed in 0..<cases(120) {
            var states = RandomStates(seed: UInt64(seed))
            let first = states.state(notes: 14)
            let one = encode(first, over: [:], Decoded())
            let (tree, decoded) = Self.decoded(one.change, over: [:], [:])
            #expect(differences(decoded.state, first) == [], "seed \(seed)")
            // Over another state's tree the result is the same, whichever files stay.
            let second = states.changed(first)
            let two = encode(second, over: tree, decoded)
            let contents = one.change.contents.merging(two.change.contents) { first, _ in first }
            let (newTree, after) = Self.decoded(two.change, over: tree, contents)
            #expect(differences(after.state, second) == [], "seed \(seed)")
            #expect(encode(second, over: newTree, after).change.isEmpty, "seed \(seed)")
        }
    }

    @Test func `a fuzzed text comes back byte for byte`() {
        var texts = FuzzedTexts(seed: 1)
        for number in 0..<cases(40) { #expect(texts.failures(notes: 50) == [], "round \(number)") }
    }

    /// The names in a tree must be accepted by git and every file system.
    @Test func `names are harmless`() {
        for title in RandomStates.titles {
            let name = TreeNames.safe(title)
            #expect(
                !TreePath(name).isUnsafe && !name.hasPrefix(".") && !name.contains("/") && !name.isEmpty, "\(title)")
            let seen = String(
                String.UnicodeScalarView(name.unicodeScalars.filter { $0.properties.generalCategory != .format }))
            #expect(!seen.lowercased().hasPrefix("git~") && !seen.hasPrefix("."), "\(title)")
        }
    }

    static func decoded(
        _ change: TreeChange, over tree: Tree, _ contents: [String: [UInt8]]
    ) -> (Tree, Decoded) {
        let new = change.applied(to: tree)
        var decoded = decode(new, contents: contents.merging(change.contents) { first, _ in first })
        decoded.state.files[TreeLayout.readme] = nil
        decoded.state.files[TreeLayout.attributes] = nil
        return (new, decoded)
    }
}
