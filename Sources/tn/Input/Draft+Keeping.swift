import NoteStore

extension Draft {
    /// Keeps a text that did not become a note, or returns `error` extended by the reason why it cannot.
    ///
    /// - Parameter text: nil if the draft already contains the text.
    /// - Returns: `error`, extended by the draft's path.
    func keep(_ text: String?, after error: any Error) -> Failure {
        let failure = Failure(error)
        do {
            if let text { try write(text) }
        } catch {
            return Failure.textLost(failure, Failure(error))
        }
        try? sync()  // a file system that cannot be synced has the text all the same
        return Failure.textKept(failure, in: path)
    }

    /// Keeps in a new draft a text that could not be saved; it becomes a note when the notebook is opened again.
    ///
    /// The program that wrote the text may have ended, and the text would be lost. One that was typed as arguments is
    /// kept only if the disk or the notebook is in trouble, since a person who mistyped a name repeats the line.
    ///
    /// - Parameters:
    ///   - addition: the note at whose end the text was to be added, which the new note names.
    ///   - becoming: the identity that the new note was to have; the error may have come after it was made.
    /// - Returns: `error`, extended by where the text is kept, or by the reason why it cannot be.
    static func keep(
        _ text: String, addition: Addition? = nil, becoming: NoteID = NoteID(), isTyped: Bool, for database: String,
        after error: any Error
    ) -> any Error {
        let failure = Failure(error)
        let isMistyped = [.usage, .badData, .noInput, .cannotCreate].contains(Failure.Status(rawValue: failure.status))
        if text.isBlank || isTyped && isMistyped { return error }
        // The user is told that the notebook can only be read, so a draft would come back unexpectedly.
        if isTyped, (error as? StoreError)?.isReadOnly == true { return error }
        do {
            return try Draft(addition: addition, becoming: becoming, database: database).keep(text, after: error)
        } catch {
            return Failure.textLost(failure, Failure(error))
        }
    }
}

extension StoreError {
    fileprivate var isReadOnly: Bool {
        if case .readOnly = self { true } else { false }
    }
}
