import NoteStore

/// Messages to the user.
extension TakeNoteVM {
    /// Shows a message of one line; a newer one replaces it.
    public func say(_ text: String, kind: Notice.Kind = .done) { messages.say(text, kind: kind) }

    /// Shows a message about what no act of the user has caused, such as one about another program.
    ///
    /// It stays until the next key, since the user may be away.
    func sayNews(_ text: String, kind: Notice.Kind = .done) { messages.say(text, kind: kind, isNews: true) }

    /// Shows what background work has come to: a problem is news, and that all is well expires.
    func sayOfBackground(_ text: String, kind: Notice.Kind) {
        if kind == .done { say(text) } else { sayNews(text, kind: kind) }
    }

    /// Shows a failure of background work, unless a notice about a persistent problem is shown.
    ///
    /// The user is not waiting for that work, so its failure must not hide that a text is unsaved.
    public func sayUnlessTroubled(_ text: String) {
        if messages.notice?.kind != .trouble { sayNews(text, kind: .refused) }
    }

    /// Removes the notice before it expires.
    public func dismissNotice() { messages.dismissNotice() }

    /// The time of a clock that does not jump, for measuring pauses.
    public var steadyTime: ContinuousClock.Instant { scheduler.now }

    /// The number of actions that have failed so far.
    public var failures: Int { messages.failures }

    /// Runs an action that can fail, and turns a failure into a notice.
    ///
    /// The notice names `action`, one of `Texts.Attempt`.
    ///
    /// - Returns: whether it succeeded.
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
