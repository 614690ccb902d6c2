import NoteStore

/// What is said to the user.
extension TakeNoteVM {
    /// How long a notice stays: long enough to read a line twice.
    private static let noticeTime = Duration.seconds(4)

    /// Says one line; a newer one takes its place.
    public func say(_ text: String, kind: Notice.Kind = .done) {
        notice = Notice(text, kind: kind)
        noticeTimer?.cancel()
        guard kind != .trouble, noticesLeave else { return }
        noticeTimer = scheduler.schedule(after: Self.noticeTime) { [weak self] in
            self?.dismissNotice()
        }
    }

    /// Takes the notice away before its time.
    public func dismissNotice() {
        noticeTimer?.cancel()
        if notice != nil { notice = nil }
        if errorAlertIsVisible { errorAlertIsVisible = false }
    }

    /// Does what can fail; a failure becomes a notice that names `action`, and everything stays as it was.
    ///
    /// - Returns: whether it was done.
    @discardableResult
    func attempt(_ action: String, _ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            errorAlertMessage = "Could not \(action): \(Sentence.of(error))"
            errorAlertIsVisible = true
            say(errorAlertMessage, kind: .refused)
            return false
        }
    }
}
