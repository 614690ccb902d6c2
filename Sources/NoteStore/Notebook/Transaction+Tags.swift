import GRDB

extension Transaction {
    func addTag(_ tag: ContainerHead, to note: Int64) throws {
        guard tag.kind == .tag else { throw StoreError.noSuchContainer(tag.id) }
        try run("INSERT OR IGNORE INTO note_tag (note, tag) VALUES (?, ?)", [note, tag.key])
        change.containers = true
    }

    func touch(_ note: Int64) throws {
        try run("UPDATE note SET updatedDate = ? WHERE id = ?", [now, note])
    }

    /// The integer keys of a note's tags.
    func tags(of note: Int64) throws -> Set<Int64> {
        Set(try rows("SELECT tag FROM note_tag WHERE note = ?", [note]).map { $0[0] as Int64 })
    }

    func setTags(_ tags: [ContainerHead], of head: NoteHead) throws {
        let wanted = Set(tags.map(\.key))
        let present = try self.tags(of: head.key)
        guard wanted != present else { return }
        for tag in tags where !present.contains(tag.key) { try addTag(tag, to: head.key) }
        for tag in present.subtracting(wanted) {
            try run("DELETE FROM note_tag WHERE note = ? AND tag = ?", [head.key, tag])
        }
        try touch(head.key)
        change.notes?.insert(head.id)
        change.containers = true
    }
}
