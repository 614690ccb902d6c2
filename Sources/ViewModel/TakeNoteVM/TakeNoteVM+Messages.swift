import NoteStore

/// What is said to the user.
extension TakeNoteVM {
    /// Says one line; a newer one takes its place.
    public func say(_ text: String, kind: Notice.Kind = .done) { messages.say(text, kind: kind) }

    /// Takes the notice away before its time.
    public func dismissNotice() { messages.dismissNotice() }

    /// Does what can fail; a failure becomes a notice that names `action`, one of `Texts.Attempt`, and everything stays as it was.
    ///
    /// - Returns: whether it was done.
    @discardableResult
    func attempt(_ action: String, _ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            let message = Texts.couldNot(action, error)
            messages.show(error: message)
            say(message, kind: .refused)
            return false
        }
    }
}
