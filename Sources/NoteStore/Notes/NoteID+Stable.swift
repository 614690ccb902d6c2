import Crypto
import Foundation
import TextPrimitives

extension NoteID {
    /// The identity of a note that every machine would make by itself, such as the note of a day: the same everywhere, so
    /// that a synchronisation finds one note and unites its lines.
    public init(ofKind kind: String, named name: String) {
        let hash = SHA256.hash(data: Data("\(kind)\0\(name)".utf8))
        self.init(NoteImage.identity(of: Hexadecimal.text(hash)))
    }
}

extension Notebook.Notes {
    /// Makes a note under an identity that every machine knows, or under a new one if some note has it already.
    public func create(_ new: NewNote, as id: NoteID) throws(StoreError) -> NoteRow {
        var new = new
        new.id = try row(id) == nil ? id : NoteID()
        return try create(new)
    }
}
