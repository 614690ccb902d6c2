import Foundation
import GRDB

extension Notebook.Tags {
    public func set(_ id: NoteID, _ tags: [ContainerID]) throws(StoreError) {
        try notebook.act(.tag, notes: [id]) { transaction in
            try transaction.setTags(tags.map(transaction.containerHead), of: transaction.changeableHead(id))
        }
    }

    public func add(_ tag: ContainerID, to ids: [NoteID]) throws(StoreError) {
        try notebook.act(.tag, notes: ids) { transaction in
            let tag = try transaction.containerHead(tag)
            for id in ids {
                let head = try transaction.changeableHead(id)
                if try transaction.tags(of: head.key).contains(tag.key) { continue }
                try transaction.addTag(tag, to: head.key)
                try transaction.touch(head.key)
                transaction.change.notes?.insert(id)
            }
        }
    }

    public func remove(_ tag: ContainerID, from ids: [NoteID]) throws(StoreError) {
        try notebook.act(.untag, notes: ids) { transaction in
            let tag = try transaction.containerHead(tag)
            for id in ids {
                let head = try transaction.changeableHead(id)
                guard try transaction.tags(of: head.key).contains(tag.key) else { continue }
                try transaction.run("DELETE FROM note_tag WHERE note = ? AND tag = ?", [head.key, tag.key])
                try transaction.touch(head.key)
                transaction.change.notes?.insert(id)
                transaction.change.containers = true
            }
        }
    }

    /// The tag with this name (with or without `#`), or `nil` if there is none.
    public func find(named name: String) throws(StoreError) -> NoteContainer? {
        let name = name.hasPrefix("#") ? String(name.dropFirst()) : name
        return try notebook.read { db in
            try NoteContainer.fetch(db, "WHERE c.nameKey = ? AND c.kind = 'tag'", [Folding.key(name)]).first
        }
    }

    /// Makes a tag.
    @discardableResult
    public func create(_ name: String) throws(StoreError) -> NoteContainer {
        try notebook.addContainer(.addTag) { try $0.insertContainer(.tag, name: name, parent: nil) }
    }
}
