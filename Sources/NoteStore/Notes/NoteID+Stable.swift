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

extension Notebook.Notes {
    /// Makes a note with an identity that other machines use too, or with a new one if a note has it already.
    public func create(_ new: NewNote, as id: NoteID) throws(StoreError) -> NoteRow {
        var new = new
        new.id = try row(id) == nil ? id : NoteID()
        return try create(new)
    }
}
