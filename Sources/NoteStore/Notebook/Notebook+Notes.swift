import GRDB

extension Notebook {
    /// Makes a note.
    ///
    /// Throws if the folder cannot hold notes.
    @discardableResult
    public func create(_ new: NewNote) throws(StoreError) -> NoteRow {
        let facts = TextFacts(of: new.text, title: new.title)
        let words = IndexedWords(title: new.title ?? facts.summary.derivedTitle, text: new.text, unknownTo: termCache)
        return try write { try $0.insert(new, facts: facts, words: words) }
    }

    /// Makes several notes in one transaction: all or none.
    @discardableResult
    public func create(_ new: [NewNote]) throws(StoreError) -> [NoteRow] {
        let prepared = new.map { note in
            let facts = TextFacts(of: note.text, title: note.title)
            let title = note.title ?? facts.summary.derivedTitle
            return (note, facts, IndexedWords(title: title, text: note.text, unknownTo: termCache))
        }
        return try write { transaction in
            var rows: [NoteRow] = []
            let insert = {
                rows = try prepared.map { note, facts, words in
                    try transaction.insert(note, facts: facts, words: words)
                }
            }
            if new.count < Self.many { try insert() } else { try transaction.insertingMany(insert) }
            return rows
        }
    }

    /// New notes from which on taking the triggers away and putting them back is worth its milliseconds.
    private static let many = 100

    /// Gives a note a title by hand; an empty one lets it follow the text again.
    ///
    /// Throws `titleTaken` in a project's folder where another note has it.
    public func setTitle(_ id: NoteID, _ title: String) throws(StoreError) {
        try act(.rename, notes: [id]) { try $0.setTitle(title, of: id) }
    }

    public func setStarred(_ ids: [NoteID], _ starred: Bool) throws(StoreError) {
        try act(starred ? .star : .unstar, notes: ids) { transaction in
            for id in ids {
                let head = try transaction.changeableHead(id)
                guard head.starred != starred else { continue }
                try transaction.run("UPDATE note SET starred = ? WHERE id = ?", [starred, head.key])
                transaction.change.notes?.insert(id)
                transaction.change.containers = true
            }
        }
    }

    /// Moves notes into a folder that can hold them.
    public func move(_ ids: [NoteID], to folder: ContainerID) throws(StoreError) {
        try act(.move, notes: ids) { transaction in
            let target = try transaction.containerHead(folder)
            guard target.holdsNotes, target.notePlace == .live else {
                throw StoreError.cannotHoldNotes(container: target.name)
            }
            for id in ids {
                let head = try transaction.changeableHead(id)
                guard head.folder != target.key else { continue }
                try transaction.move(head, to: target)
                try transaction.forgetOrigin(head.key)
            }
        }
    }

    /// Takes notes to Trash; those that are there already stay.
    public func moveToTrash(_ ids: [NoteID]) throws(StoreError) {
        try act(.trash, notes: ids) { transaction in
            for id in ids {
                let head = try transaction.head(id)
                if head.place != .trash { try transaction.putAway(head, into: SystemKey.trash) }
            }
        }
    }

    /// Puts notes back from Trash.
    ///
    /// Returns those that could not go where they came from.
    @discardableResult
    public func restore(_ ids: [NoteID]) throws(StoreError) -> [NoteRow] {
        try act(.restore, notes: ids) { transaction in
            var elsewhere: [NoteRow] = []
            for id in ids {
                let head = try transaction.head(id)
                guard head.place == .trash else { throw StoreError.notInTrash(name: head.title) }
                if try transaction.putBack(head) { elsewhere.append(try transaction.noteRow(id)) }
            }
            return elsewhere
        }
    }

    public func archive(_ ids: [NoteID]) throws(StoreError) {
        try act(.archive, notes: ids) { transaction in
            for id in ids {
                let head = try transaction.changeableHead(id)
                if head.place != .archive { try transaction.putAway(head, into: SystemKey.archive) }
            }
        }
    }

    /// Puts notes back from Archive.
    ///
    /// Returns those that could not go where they came from.
    @discardableResult
    public func unarchive(_ ids: [NoteID]) throws(StoreError) -> [NoteRow] {
        try act(.unarchive, notes: ids) { transaction in
            var elsewhere: [NoteRow] = []
            for id in ids {
                let head = try transaction.changeableHead(id)
                guard head.place == .archive else { continue }
                if try transaction.putBack(head) { elsewhere.append(try transaction.noteRow(id)) }
            }
            return elsewhere
        }
    }

    // MARK: - Tags

    public func setTags(_ id: NoteID, _ tags: [ContainerID]) throws(StoreError) {
        try act(.tag, notes: [id]) { transaction in
            try transaction.setTags(tags.map(transaction.containerHead), of: transaction.changeableHead(id))
        }
    }

    public func addTag(_ tag: ContainerID, to ids: [NoteID]) throws(StoreError) {
        try act(.tag, notes: ids) { transaction in
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

    public func removeTag(_ tag: ContainerID, from ids: [NoteID]) throws(StoreError) {
        try act(.untag, notes: ids) { transaction in
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
}
