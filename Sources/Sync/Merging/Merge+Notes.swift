import Foundation
import NoteStore
import TextEditing

extension Merge {
    mutating func mergeNotes() {
        let ids = Set(one.notes.keys).union(other.notes.keys).union(last.keys)
        for id in ids {
            switch (one.notes[id], other.notes[id]) {
            case (let left?, let right?): merge(id, left, right)
            case (let only?, nil): merged.notes[id] = alone(id, only, mine: one, absent: other)
            case (nil, let only?): merged.notes[id] = alone(id, only, mine: other, absent: one)
            case (nil, nil): merged.notes[id] = removedUnseen(id)
            }
        }
        // A copy that is in the Trash comes back, since its text has lost again.
        for (id, copy) in copies where merged.notes[id].map({ merged.isInTrash($0.folder) }) ?? true {
            merged.notes[id] = copy
        }
        for id in merged.notes.keys { merged.gone[id.uuid] = nil }
    }

    /// Returns the merged note that only one side has: either it is new there, or the other side has removed it.
    private mutating func alone(_ id: NoteID, _ note: SyncNote, mine: SyncState, absent: SyncState) -> SyncNote? {
        guard let before = base.notes[id] else {
            var note = note
            takeLast(&note, nil, id)
            return note
        }
        if absent.gone[id.uuid] != nil {
            // A text that the other side had not seen is kept, even in the Trash.
            let isNew = note.text != before.text || note.title != before.title
            let isMoved = note.folder != before.folder && !mine.isInTrash(note.folder)
            return base.gone[id.uuid] != nil || isNew || isMoved ? note : nil
        }
        let isKept = isEdited(note, before) || mine.isInTrash(note.folder)
        var note = note
        takeLast(&note, before, id)
        if isKept { return note }
        // A note that is missing but was not permanently deleted moves to the Trash, inside its folder if that moves
        // there too.
        if note.folder != .inbox, note.folder != .archive, absent.folders[note.folder] == nil,
            absent.gone[note.folder.uuid] == nil, merged.isInTrash(note.folder)
        {
            return note
        }
        trash(&note, from: note.folder)
        return note
    }

    /// Merges a note with the text and the title that it last had on the side that lacks it.
    private mutating func takeLast(_ note: inout SyncNote, _ before: SyncNote?, _ id: NoteID) {
        guard let last = last[id], last.text != before?.text || last.title != before?.title else { return }
        let (later, earlier) = Self.isLater(note, last) ? (note, last) : (last, note)
        note.updated = max(note.updated, last.updated)
        mergeText(&note, before, later, earlier, id, losing: nil)
        mergeTitle(&note, before, later, earlier)
    }

    /// Returns a note that both sides have removed, moved to the Trash, if it last had a text or a title there that the
    /// side that deleted it for good had not seen.
    private mutating func removedUnseen(_ id: NoteID) -> SyncNote? {
        guard let last = last[id] else { return nil }
        let before = base.notes[id]
        if let before, last.text == before.text, last.title == before.title { return nil }
        var note = before ?? last
        takeLast(&note, before, id)
        // Read alone, a file tells neither its folder's identity nor those of its tags.
        if before == nil { (note.folder, note.origin, note.tags) = (.inbox, nil, []) }
        if merged.isInTrash(note.folder) { return note }
        let isThere = merged.folders[note.folder] != nil || PathText.systemNames[note.folder] != nil
        trash(&note, from: isThere ? note.folder : .inbox)
        return note
    }

    private func trash(_ note: inout SyncNote, from folder: ContainerID) {
        let wasArchived = folder == .archive
        note.origin =
            wasArchived
            ? SyncOrigin(
                container: note.origin?.container, path: note.origin?.path, wasArchived: true, moved: note.updated)
            : SyncOrigin(container: folder, path: path(of: folder), moved: note.updated)
        note.folder = .trash
    }

    // MARK: - Notes on both sides

    private mutating func merge(_ id: NoteID, _ left: SyncNote, _ right: SyncNote) {
        let before = base.notes[id]
        if left == right || right == before { return merged.notes[id] = withSettledFolder(left, id) }
        if left == before { return merged.notes[id] = withSettledFolder(right, id) }
        let isLeftLater = Self.isLater(left, right)
        let (later, earlier) = isLeftLater ? (left, right) : (right, left)
        var note = later
        func pick<Value: Equatable>(_ path: KeyPath<SyncNote, Value>, _ choose: (Value, Value) -> Value) -> Value {
            Self.pick(before?[keyPath: path], later[keyPath: path], earlier[keyPath: path], choose: choose)
        }
        func laterOf<Value: Equatable>(_ path: KeyPath<SyncNote, Value>) -> Value { pick(path) { later, _ in later } }
        note.starred = before == nil ? left.starred || right.starred : laterOf(\.starred)
        note.tags = Self.members(before?.tags ?? [], left.tags, right.tags)
        note.created = pick(\.created, min)
        note.updated = max(left.updated, right.updated)
        note.order = laterOf(\.order)
        let described = Self.pick(
            before.map { [$0.summary, $0.summaryHash] }, [later.summary, later.summaryHash],
            [earlier.summary, earlier.summaryHash]
        ) { later, _ in later }
        (note.summary, note.summaryHash) = (described[0], described[1])
        note.conflictOf = laterOf(\.conflictOf)
        note.former = Self.mergeFormer(before?.former ?? [:], left.former, right.former)
        setFolder(of: &note, before, later, earlier, id)
        mergeText(&note, before, later, earlier, id, losing: isLeftLater ? other : one)
        mergeTitle(&note, before, later, earlier)
        merged.notes[id] = note
    }

    /// Returns a note that at most one side changed, moved to the Trash if a side trashed its folder but the folder
    /// itself is kept.
    private func withSettledFolder(_ note: SyncNote, _ id: NoteID) -> SyncNote {
        let (left, right) = (one.notes[id]?.folder, other.notes[id]?.folder)
        // One side edited a folder that the other trashed: the folder is kept, and its other notes move to the Trash
        // one by one.
        guard left == right, one.isInTrash(left) != other.isInTrash(right), base.notes[id] != nil,
            !base.isInTrash(base.notes[id]?.folder), !merged.isInTrash(note.folder)
        else { return note }
        let live = one.isInTrash(left) ? other.notes[id] : one.notes[id]
        if let live, isEdited(live, base.notes[id]) { return note }
        var note = note
        trash(&note, from: note.folder)
        return note
    }

    /// Returns whether the first of two changed notes takes precedence: the one saved later, or else the one with the
    /// greater bytes.
    static func isLater(_ one: SyncNote, _ other: SyncNote) -> Bool {
        if one.updated != other.updated { return one.updated > other.updated }
        if one.text != other.text { return one.text > other.text }
        if one.title != other.title { return one.title > other.title }
        let files = [one, other].map { NoteDocument($0, id: NoteID(.zero), tagNames: [:]).bytes }
        return files[1].lexicographicallyPrecedes(files[0])
            || files[0] == files[1] && one.folder.uuid.precedes(other.folder.uuid)
    }

    private func setFolder(
        of note: inout SyncNote, _ before: SyncNote?, _ later: SyncNote, _ earlier: SyncNote, _ id: NoteID
    ) {
        func take(_ side: SyncNote) { (note.folder, note.origin) = (side.folder, side.origin) }
        let isLaterOne = later == one.notes[id]
        let trashed = (
            later: (isLaterOne ? one : other).isInTrash(later.folder),
            earlier: (isLaterOne ? other : one).isInTrash(earlier.folder)
        )
        if trashed.later != trashed.earlier {
            let (live, dead) = trashed.later ? (earlier, later) : (later, earlier)
            // An edited note is kept out of the Trash. One that was only starred or tagged follows the other side.
            if before.map({ isEdited(live, $0) }) ?? true { return take(live) }
            if let before, base.isInTrash(before.folder) { return take(live) }
            take(dead)
            if note.folder != .trash, !merged.isInTrash(note.folder) { trash(&note, from: note.folder) }
            return
        }
        if let before, later.folder == before.folder, later.origin == before.origin { return take(earlier) }
        if let before, earlier.folder == before.folder, earlier.origin == before.origin { return take(later) }
        take(later)
    }

    /// Merges the former titles of a note, of which the notebook keeps the 32 newest.
    private static func mergeFormer(
        _ base: [ExactText: Int64], _ one: [ExactText: Int64], _ other: [ExactText: Int64]
    ) -> [ExactText: Int64] {
        let keys = members(Set(base.keys), Set(one.keys), Set(other.keys))
        let dated = keys.map { (key: $0, date: max(one[$0] ?? .min, other[$0] ?? .min)) }
        let newest = dated.sorted { ($0.date, $1.key) > ($1.date, $0.key) }.prefix(32)
        return Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.date) })
    }

    // MARK: - Text and title

    /// - Parameter losing: The side with the earlier note, or `nil` if it is a note that this side lacks.
    private mutating func mergeText(
        _ note: inout SyncNote, _ before: SyncNote?, _ later: SyncNote, _ earlier: SyncNote, _ id: NoteID,
        losing: SyncState?
    ) {
        if earlier.text == later.text || earlier.text == before?.text { return note.text = later.text }
        if later.text == before?.text { return note.text = earlier.text }
        switch ThreeWayMerge.merge(
            base: before?.text.string ?? "", ours: later.text.string, theirs: earlier.text.string)
        {
        case .merged(let text): note.text = ExactText(text)
        case .conflict(let conflict):
            note.text = ExactText(conflict.preferringOurs)
            keepCopy(of: earlier, id, losing: losing)
        }
    }

    /// Keeps the whole text of the losing side as a separate note.
    private mutating func keepCopy(of earlier: SyncNote, _ id: NoteID, losing: SyncState?) {
        var copyID = Self.copyID(of: id, earlier.text)
        // The copy of an earlier conflict with this text may have another text now.
        while let present = losing?.notes[copyID], present.text != earlier.text {
            copyID = Self.copyID(of: copyID, earlier.text)
        }
        if !Self.isSettled(copyID, in: losing) {
            // A copy that was permanently deleted has been seen, and is not made again.
            if one.gone[copyID.uuid] != nil || other.gone[copyID.uuid] != nil { return }
            if one.notes[copyID] != nil || other.notes[copyID] != nil || base.notes[copyID] != nil { return }
        }
        var copy = earlier
        copy.title = ExactText(earlier.title.string + " (conflict)")
        copy.defaultTitle = earlier.defaultTitle == copy.title ? "" : earlier.defaultTitle
        (copy.conflictOf, copy.former, copy.order) = (id, [:], 0)
        if one.isInTrash(copy.folder) || other.isInTrash(copy.folder) || copy.folder == .archive {
            (copy.folder, copy.origin) = (.inbox, nil)
        }
        copies[copyID] = copy
    }

    /// Returns whether a side has settled an earlier conflict with a text that loses now.
    ///
    /// The text stands in the note again, since somebody there decided for it.
    private static func isSettled(_ copy: NoteID, in losing: SyncState?) -> Bool {
        guard let losing else { return false }
        return losing.gone[copy.uuid] != nil || losing.notes[copy].map { losing.isInTrash($0.folder) } ?? false
    }

    /// Returns the identity of a losing text's copy, which is the same on every machine.
    static func copyID(of id: NoteID, _ text: ExactText) -> NoteID {
        NoteID(StableID.uuid("conflict", Array(id.description.utf8), Array(text.string.utf8)))
    }

    private func mergeTitle(_ note: inout SyncNote, _ before: SyncNote?, _ later: SyncNote, _ earlier: SyncNote) {
        /// Returns the title that the user gave, or `nil` if the title follows the text.
        func given(_ note: SyncNote) -> [ExactText]? { note.followsText ? nil : [note.title, note.defaultTitle] }
        let chosen = Self.pick(before.map(given), given(later), given(earlier)) { $0 ?? $1 }
        if let chosen {
            (note.title, note.defaultTitle) = (chosen[0], chosen[1])
            for side in [later, earlier] where side.title != note.title && !side.followsText {
                let key = Folding.key(side.title.string)
                if key != Folding.key(note.title.string), key.utf8.count <= 1_000, note.former.count < 32 {
                    note.former[ExactText(key)] = note.former[ExactText(key)] ?? side.updated
                }
            }
        } else {
            let title = [later, earlier].first { $0.followsText && $0.text == note.text }?.title
            note.title = title ?? ExactText(Notebook.Sync.derivedTitle(of: note.text.string))
            note.defaultTitle = note.title
        }
    }
}
