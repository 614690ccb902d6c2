import TextEditing

/// A text that somebody else has saved, and how it differs from the one that a session had: costs the length of both to
/// make, and hardly anything to take in.
struct OutsideText: Sendable {
    let buffer: TextBuffer
    /// What makes it of the session's text.
    let edit: Edit

    init(_ text: String, from old: TextBuffer) {
        edit = Edit(from: old.string(), to: text)
        buffer = TextBuffer(text)
    }
}
