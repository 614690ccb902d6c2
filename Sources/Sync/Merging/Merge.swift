import Foundation
import NoteStore

/// Returns the three-way merge of two states.
///
/// The merge is symmetric and idempotent, an unchanged side yields the other one, and it cannot fail: of conflicting
/// texts both are kept. Clocks only decide which text takes precedence.
///
/// - Parameters:
///   - base: The common ancestor of both sides, or `nil` if there is none.
///   - isFirst: Whether the base has only what one side has received of the other so far, and all else is new.
///   - last: Notes that a side lacks without having deleted them for good, as they last were on that side. The other
///     side may never have had these texts.
public func merge(
    base: SyncState?, _ one: SyncState, _ other: SyncState, isFirst: Bool = false, last: [NoteID: SyncNote] = [:]
) -> SyncState {
    if one == other, last.isEmpty { return Merge.settled(one, base: isFirst ? one : base ?? one) }
    var merge = Merge(base: base, one, other, isFirst: isFirst)
    merge.last = last
    return merge.result()
}

/// A merge in progress: the three states, with duplicates replaced by their successors, and the result.
struct Merge {
    let base: SyncState
    /// Whether the sides have a common ancestor; otherwise everything in them is new.
    let hasBase: Bool
    let one: SyncState
    let other: SyncState
    /// The deleted objects that a side has again, so that nothing replaces them any more.
    private let restored: Set<UUID>
    /// Notes that a side lacks without having deleted them for good, as they last were there.
    var last: [NoteID: SyncNote] = [:]
    var merged = SyncState()
    /// The texts that lost in a conflict, as notes of their own.
    var copies: [NoteID: SyncNote] = [:]

    init(base: SyncState?, _ one: SyncState, _ other: SyncState, isFirst: Bool = false) {
        let ancestor = isFirst ? nil : base
        hasBase = ancestor != nil
        restored =
            ancestor.map { Set($0.gone.keys.filter { one.gone[$0] == nil || other.gone[$0] == nil }) }
            ?? Self.tagsGivenAgain(in: one, replacedIn: other).union(Self.tagsGivenAgain(in: other, replacedIn: one))
        let successors = Self.successors(in: [one, other], except: restored)
        self.base = (base ?? SyncState()).replacing(successors)
        self.one = one.replacing(successors)
        self.other = other.replacing(successors)
    }

    func result() -> SyncState {
        var merge = self
        merge.mergeGone()
        merge.mergeTags()
        merge.mergeFolders()
        merge.mergeNotes()
        merge.mergeLists()
        merge.mergeFiles()
        merge.mergeAttachments()
        return Self.settled(merge.merged, base: base)
    }

    /// Returns the merged value: the changed one, or the result of `choose` if both sides changed it.
    static func pick<Value: Equatable>(
        _ base: Value?, _ one: Value, _ other: Value, choose: (Value, Value) -> Value
    ) -> Value {
        if one == other || other == base { return one }
        if one == base { return other }
        return choose(one, other)
    }

    /// Returns the merged set.
    ///
    /// It contains the members that a side added and those that both sides still have.
    static func members<Member: Hashable>(
        _ base: Set<Member>, _ one: Set<Member>, _ other: Set<Member>
    ) -> Set<Member> {
        one.intersection(other).union(one.subtracting(base)).union(other.subtracting(base))
    }

    // MARK: - Permanent deletions

    private mutating func mergeGone() {
        // A side that has restored an object cancels its deletion.
        for id in Set(one.gone.keys).union(other.gone.keys) where !restored.contains(id) {
            let successors = [one.gone[id] ?? nil, other.gone[id] ?? nil].compactMap { $0 }
            merged.gone[id] = .some(successors.min { $0.precedes($1) })
        }
    }

    // MARK: - Lists

    /// Merges searches and images, each of them separately.
    private mutating func mergeLists() {
        merged.searches = Self.mergeValues(base.searches, one.searches, other.searches) { one, other in
            (one.created, one.name, one.query) > (other.created, other.name, other.query) ? one : other
        }
        merged.images = Self.mergeValues(base.images, one.images, other.images) { one, other in
            (one.object, one.created) < (other.object, other.created) ? one : other
        }
        // A picture to which a text still refers stays, even if a side without that text has removed it.
        for uuid in References.uuids(of: .image, in: merged.notes.values) where merged.images[uuid] == nil {
            if let image = one.images[uuid] ?? other.images[uuid] { merged.images[uuid] = image }
        }
    }

    static func mergeValues<Key: Hashable, Value: Equatable>(
        _ base: [Key: Value], _ one: [Key: Value], _ other: [Key: Value], choose: (Value, Value) -> Value
    ) -> [Key: Value] {
        var merged: [Key: Value] = [:]
        for key in Set(one.keys).union(other.keys) {
            switch (one[key], other[key]) {
            case (let left?, let right?): merged[key] = pick(base[key], left, right, choose: choose)
            // One side has removed it, so it stays only if the other one changed it.
            case (let left?, nil): if left != base[key] { merged[key] = left }
            case (nil, let right?): if right != base[key] { merged[key] = right }
            case (nil, nil): break
            }
        }
        return merged
    }

    // MARK: - Files

    private mutating func mergeFiles() {
        for path in Set(one.files.keys).union(other.files.keys) {
            let (before, left, right) = (base.files[path], one.files[path], other.files[path])
            switch (left, right) {
            case (let left?, let right?) where left == right || right == before: merged.files[path] = left
            case (let left?, let right?) where left == before: merged.files[path] = right
            case (let left?, let right?):
                let first = left.object < right.object
                merged.files[path] = first ? left : right
                let second = first ? right : left
                merged.files[Self.path(ofSecond: path, second)] = second
            case (let left?, nil): if left != before { merged.files[path] = left }
            case (nil, let right?): if right != before { merged.files[path] = right }
            case (nil, nil): break
            }
        }
    }

    /// Returns the path for the second of two conflicting files, as in `Work/plan (conflict 0a1b2c3d).pdf`.
    static func path(ofSecond path: TreePath, _ entry: TreeEntry) -> TreePath {
        let name = Array(path.name)
        let mark = Array(" (conflict \(entry.object.prefix(8)))".utf8)
        let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? name.endIndex
        return path.folder.appending(name[..<dot] + mark + name[dot...])
    }
}
