import Foundation
import GRDB
import Markdown

extension Notebook.Tags {
    /// Gives a note exactly these tags; those of its text must be among them.
    public func set(_ id: NoteID, _ tags: [ContainerID]) throws(StoreError) {
        try notebook.act(.tag, notes: [id]) { transaction in
            try transaction.setTags(tags.map(transaction.containerHead), of: transaction.changeableHead(id))
        }
    }

    /// Adds a tag by hand to notes; those that have it already stay as they are.
    public func add(_ tag: ContainerID, to ids: [NoteID]) throws(StoreError) {
        try notebook.act(.tag, notes: ids) { transaction in
            let tag = try transaction.containerHead(tag)
            for id in ids { try transaction.addTag(tag, toNote: id) }
        }
    }

    /// Adds tags to notes and removes others, whatever tags another program gives them meanwhile; a tag that is to be
    /// both added and removed is removed.
    ///
    /// - Throws: `tagInText`, changing nothing, if a tag that is to be removed is in the text of one of the notes.
    public func change(
        _ ids: [NoteID], adding added: [ContainerID], removing removed: [ContainerID]
    ) throws(StoreError) {
        try notebook.act(.tag, notes: ids) { transaction in
            let heads = try ids.map(transaction.changeableHead)
            let added = try added.map(transaction.containerHead)
            let removed = Set(try removed.map { try transaction.containerHead($0).key })
            for head in heads {
                var tags = try transaction.tags(of: head.key).subtracting(removed).map(transaction.containerHead(key:))
                let present = Set(tags.map(\.key))
                tags += added.filter { !present.contains($0.key) && !removed.contains($0.key) }
                try transaction.setTags(tags, of: head)
            }
        }
    }

    /// Removes a tag from notes to which it was added by hand.
    ///
    /// - Throws: `tagInText`, changing nothing, if one of the notes has it in its text.
    public func remove(_ tag: ContainerID, from ids: [NoteID]) throws(StoreError) {
        try notebook.act(.untag, notes: ids) { transaction in
            let tag = try transaction.containerHead(tag)
            let heads = try ids.map(transaction.changeableHead)
            let inText = try heads.count { try transaction.tags(of: $0.key, .text).contains(tag.key) }
            if inText > 0 { throw StoreError.tagInText(name: tag.name, notes: inText) }
            for head in heads where try transaction.tags(of: head.key).contains(tag.key) {
                try transaction.removeTag(tag.key, from: head.key)
                try transaction.touch(head.key)
                transaction.change.notes?.insert(head.id)
            }
        }
    }

    /// Returns the tag with this name (with or without `#`), or `nil` if there is none.
    public func find(named name: String) throws(StoreError) -> NoteContainer? {
        let name = name.hasPrefix("#") ? String(name.dropFirst()) : name
        return try notebook.read { db in
            try NoteContainer.fetch(db, "WHERE c.nameKey = ? AND c.kind = 'tag'", [Folding.key(name)]).first
        }
    }

    /// Returns the tag with this name (with or without `#`); a missing one is made.
    ///
    /// - Throws: `StoreError` if no tag can have the name.
    public func findOrCreate(_ name: String) throws(StoreError) -> NoteContainer {
        if let tag = try find(named: name) { return tag }
        do {
            return try create(name.hasPrefix("#") ? String(name.dropFirst()) : name)
        } catch {
            // Another program has made it meanwhile.
            guard case .nameTaken = error, let tag = try find(named: name) else { throw error }
            return tag
        }
    }

    /// Makes a tag.
    @discardableResult
    public func create(_ name: String) throws(StoreError) -> NoteContainer {
        // A tag that occurred only in texts belongs to the user from now on.
        if let tag = try find(named: name), tag.isOnlyInTexts, tag.noteCount == 0 {
            return try notebook.write { transaction in
                // The symbol is set too, so that the tag is marked for a synchronisation.
                try transaction.run("UPDATE container SET inText = 0, symbol = symbol WHERE id = ?", [tag.key])
                try transaction.forgetSuccessor(of: tag.key)
                transaction.change.containers = true
                return try transaction.container(key: tag.key)
            }
        }
        return try notebook.addContainer(.addTag) { try $0.insertContainer(.tag, name: name, parent: nil) }
    }

    // MARK: - Renaming

    /// Returns the number of notes that have the tag, or one below it, in their texts, which renaming it would change.
    ///
    /// Front matter is a part of the text.
    public func textCount(of tag: ContainerID) throws(StoreError) -> Int {
        try notebook.read { db in
            let sql = "\(ContainerHead.selection) WHERE uuid = ?"
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [tag.description]) else { return 0 }
            return try Self.notesToRewrite(ContainerHead(row), db).count
        }
    }

    private static func notesToRewrite(_ tag: ContainerHead, _ db: Database) throws -> [NoteID] {
        let inText = try Row.fetchAll(db, sql: Transaction.notesWithTextTag, arguments: [tag.key])
            .map { NoteID(stored: $0[0]) }
        let known = Set(inText)
        return try inText + Transaction.notesNaming(tag, db).filter { !known.contains($0) }
    }

    /// Renames a tag and the tags below it, as one action that undo takes back.
    ///
    /// - Parameter rewritingTexts: whether to write the new name into the texts that have the tag.
    /// - Returns: how many texts were rewritten.
    /// - Throws: `tagInText` if texts have it and are not to be rewritten, `notATag` if they cannot hold the new name.
    @discardableResult
    public func rename(_ id: ContainerID, to name: String, rewritingTexts: Bool) throws(StoreError) -> Int {
        try renaming(id, to: name, rewritingTexts: rewritingTexts).rewritten
    }

    /// The texts of a tag that was renamed.
    public struct Renaming: Equatable, Sendable {
        /// The number of texts that have the new name.
        public var rewritten = 0
        /// The titles of the notes whose front matter has the former name still.
        public var kept: [String] = []
    }

    /// Renames a tag as `rename` does, and says in which texts the former name is left.
    public func renaming(
        _ id: ContainerID, to name: String, rewritingTexts: Bool
    ) throws(StoreError) -> Renaming {
        let name = Folding.trimmed(name.hasPrefix("#") ? String(name.dropFirst()) : name)
        // One transaction, so that no other program writes the former name into a text in between.
        return try notebook.write { transaction in
            let tag = try transaction.changeableContainer(id)
            let notes = try Self.notesToRewrite(tag, transaction.db)
            if !notes.isEmpty, !rewritingTexts { throw StoreError.tagInText(name: tag.name, notes: notes.count) }
            if try transaction.textCount(ofTag: tag) > 0, !Markdown.isTag(name) { throw StoreError.notATag(name: name) }
            let family = try transaction.family(of: tag)
            return try transaction.recorded(
                .renameFolder, notes: notes, containers: family.map(\.id), withTexts: true
            ) {
                try transaction.rename(family, of: tag, to: name)
                return try transaction.rename(tag.name, to: name, in: notes)
            }
        }
    }

    /// Returns the text with a tag, and the tags below it, renamed; every other byte stays.
    static func text(_ text: String, renaming old: String, to new: String) -> String {
        var result: [UInt8] = []
        var end = 0
        let bytes = Array(text.utf8)
        for occurrence in Markdown.tagOccurrences(in: text) {
            let name = TagPath.renamed(occurrence.name, old, to: new)
            guard name != occurrence.name else { continue }
            result += bytes[end..<occurrence.range.lowerBound]
            result += name.utf8
            end = occurrence.range.upperBound
        }
        let changed = end == 0 ? text : String(decoding: result + bytes[end...], as: UTF8.self)
        return NoteFrontMatter.text(changed, renamingTag: old, to: new) ?? changed
    }
}

extension Transaction {
    /// Renames a tag and the tags below it.
    fileprivate func rename(_ family: [ContainerHead], of tag: ContainerHead, to name: String) throws {
        let depth = tag.name.split(separator: "/", omittingEmptySubsequences: false).count
        for member in family {
            let rest = member.name.split(separator: "/", omittingEmptySubsequences: false).dropFirst(depth)
            try rename(member, ([name] + rest.map(String.init)).joined(separator: "/"))
        }
    }

    /// Writes the new name of a tag into texts, and says in which the former name is left.
    fileprivate func rename(
        _ old: String, to new: String, in notes: [NoteID]
    ) throws -> Notebook.Tags.Renaming {
        var renaming = Notebook.Tags.Renaming()
        let isRenamed = Folding.key(old) != Folding.key(new)
        for note in notes {
            let head = try head(note)
            _ = try refreshIfChangedOutside(head.key)
            let text = try Notebook.Notes.text(db, key: head.key) ?? ""
            let changed = Notebook.Tags.text(text, renaming: old, to: new)
            if isRenamed, NoteFrontMatter(of: changed)?.hasTag(old) == true { renaming.kept.append(head.title) }
            guard changed != text else { continue }
            try replaceText(changed, of: self.head(note))
            renaming.rewritten += 1
        }
        return renaming
    }
}
