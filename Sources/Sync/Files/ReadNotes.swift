import NoteStore

/// The notes' files that were read, by the object names of their bytes.
///
/// A synchronisation reads the same files in several trees, and once more to find copies.
final class ReadNotes {
    private var found: [String: NoteFields?] = [:]

    /// Returns what a file says, or `nil` if its bytes are not known or are not UTF-8 text.
    func fields(of object: String, _ contents: [String: [UInt8]]) -> NoteFields? {
        if let known = found[object] { return known }
        guard let bytes = contents[object] else { return nil }
        let fields = NoteFields(bytes)
        found[object] = .some(fields)
        return fields
    }
}
