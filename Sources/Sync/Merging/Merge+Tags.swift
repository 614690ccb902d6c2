import Foundation
import NoteStore

extension Merge {
    /// Merges the tags.
    ///
    /// A deleted tag is kept if the other side meanwhile added it to another note.
    mutating func mergeTags() {
        merged.tags = Self.mergeValues(base.tags, one.tags, other.tags, choose: Self.chosen)
        for (mine, theirs) in [(one, other), (other, one)] {
            for (id, tag) in mine.tags where merged.tags[id] == nil && theirs.tags[id] == nil {
                let isNewlyUsed = mine.notes.contains { note in
                    note.value.tags.contains(id) && base.notes[note.key]?.tags.contains(id) != true
                }
                if isNewlyUsed { merged.tags[id] = tag }
            }
        }
    }

    /// Returns the tags of a side that another tag has replaced on the other side, where that one was renamed since.
    ///
    /// The identity of a tag of texts is derived from its name, so that a side that has never synchronised has it too.
    /// Its notes were given this name, not the new one.
    static func tagsGivenAgain(in side: SyncState, replacedIn other: SyncState) -> Set<UUID> {
        let successors = successors(in: [other])
        let given = side.tags.filter { id, tag in
            guard StableID.isDerived(id.uuid), let successor = successors[id.uuid],
                let present = other.tags[ContainerID(successor)]
            else { return false }
            return Folding.key(present.name.string) != Folding.key(tag.name.string)
        }
        return Set(given.keys.map(\.uuid))
    }

    /// Returns the tag that was updated later, of two that both sides changed.
    private static func chosen(_ one: SyncTag, _ other: SyncTag) -> SyncTag {
        order(one, other) ? other : one
    }

    private static func order(_ one: SyncTag, _ other: SyncTag) -> Bool {
        if one.updated != other.updated { return one.updated < other.updated }
        if one.name != other.name { return one.name < other.name }
        return (one.created, Int64(one.color), one.symbol, one.order)
            < (other.created, Int64(other.color), other.symbol, other.order)
    }
}
