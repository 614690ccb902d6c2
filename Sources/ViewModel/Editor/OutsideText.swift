import TextEditing

/// A text saved by another program, and its difference from the text of a session.
///
/// Creating it takes time in proportion to the length of both texts; applying it takes hardly any.
struct OutsideText: Sendable {
    let buffer: TextBuffer
    /// The edit that turns the session's text into this one.
    let edit: Edit

    init(_ text: String, from old: TextBuffer) {
        edit = Edit(from: old.string(), to: text)
        buffer = TextBuffer(text)
    }
}
