import Crypto
import Foundation
import TextPrimitives

extension NoteID {
    /// Makes the identity of a note that every machine may make on its own, such as the note of a day.
    ///
    /// It is the same on all machines, so that a synchronisation finds one note and merges its lines.
    public init(ofKind kind: String, named name: String) {
        let hash = SHA256.hash(data: Data("\(kind)\0\(name)".utf8))
        self.init(NoteImage.identity(of: Hexadecimal.text(hash)))
    }
}

extension ContainerID {
    /// Makes the identity of a tag that is only in texts, the same on all machines.
    ///
    /// - Parameter key: The folded name of the tag.
    init(ofTagInTexts key: String) {
        self.init(NoteImage.identity(of: Hexadecimal.text(SHA256.hash(data: Data("tag\0\(key)".utf8)))))
    }
}

extension Notebook.Notes {
    /// Makes a note with an identity that other machines use too, or with a new one if another note has it already.
    ///
    /// - Parameter undoably: Whether making it is an action that can be undone.
    ///
    /// - Returns: The new note, or the same one that another program has made since the caller looked for it.
    public func create(_ new: NewNote, as id: NoteID, undoably: Bool) throws(StoreError) -> NoteRow {
        var new = new
        new.id = id
        let facts = TextFacts(of: new.text, title: new.title)
        let title = new.title ?? facts.summary.derivedTitle
        let words = IndexedWords(title: title, text: new.text, unknownTo: notebook.termCache)
        return try notebook.write { [new] transaction in
            var new = new
            if let known = try NoteRow.fetch(transaction.db, "WHERE note.uuid = ?", [id.description]).first {
                if known.place == .live, known.title == title { return known }
                new.id = NoteID()
            }
            let insert = { [new] in try transaction.insert(new, facts: facts, words: words) }
            guard undoably else { return try insert() }
            return try transaction.recorded(.addNote, notes: [], containers: [], made: { ([$0.id], []) }, insert)
        }
    }
}
