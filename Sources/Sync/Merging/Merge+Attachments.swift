import Foundation
import NoteStore

extension Merge {
    /// Merges the attachments.
    ///
    /// If both sides replaced the same one, both new files are kept.
    mutating func mergeAttachments() {
        for uuid in Set(one.attachments.keys).union(other.attachments.keys) {
            let before = base.attachments[uuid]
            switch (one.attachments[uuid], other.attachments[uuid]) {
            case (let left?, let right?): merged.attachments[uuid] = merge(uuid, before, left, right)
            // One side has removed it, so it stays only if the other one changed it.
            case (let left?, nil): if left != before { merged.attachments[uuid] = left }
            case (nil, let right?): if right != before { merged.attachments[uuid] = right }
            case (nil, nil): break
            }
        }
        // An attachment to which a text still refers stays, even if a side without that text has removed it.
        for uuid in References.uuids(of: .file, in: merged.notes.values) where merged.attachments[uuid] == nil {
            if let kept = one.attachments[uuid] ?? other.attachments[uuid] { merged.attachments[uuid] = kept }
        }
    }

    private mutating func merge(
        _ uuid: UUID, _ before: SyncAttachment?, _ left: SyncAttachment, _ right: SyncAttachment
    ) -> SyncAttachment {
        let file = SyncAttachment(
            object: Self.pick(before?.object, left.object, right.object, choose: min),
            name: Self.pick(before?.name, left.name, right.name, choose: min),
            created: Self.pick(before?.created, left.created, right.created, choose: min))
        let lost = [left.object, right.object].first { $0 != file.object && $0 != before?.object }
        if let lost {
            let entry = TreeEntry(object: lost)
            merged.files[Self.path(ofSecond: TreeLayout.path(of: uuid, file), entry)] = entry
        }
        return file
    }
}

/// The pictures and attachments to which texts refer.
enum References {
    enum Kind: String { case image, file }

    static func uuids(of kind: Kind, in notes: some Sequence<SyncNote>) -> Set<UUID> {
        let scheme = Array("takenote://\(kind.rawValue)/".utf8)
        var found: Set<UUID> = []
        for note in notes {
            let bytes = Array(note.text.string.utf8)
            // Most texts contain no URL at all.
            guard bytes.contains(UInt8(ascii: ":")) else { continue }
            var offset = bytes.startIndex
            while let start = bytes[offset...].firstIndex(of: scheme[0]) {
                offset = start + 1
                guard bytes[start...].starts(with: scheme) else { continue }
                let uuid = bytes[(start + scheme.count)...].prefix(36)
                if let uuid = UUID(uuidString: String(decoding: uuid, as: UTF8.self)) { found.insert(uuid) }
            }
        }
        return found
    }
}
