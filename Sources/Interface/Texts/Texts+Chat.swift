extension Texts {
    /// The words of the chat.
    enum Chat {
        static let title = "Chat"
        static let answering = "answering…"
        static let waiting = "looking through your notes…"
        static let stopped = "stopped"
        static let beginning = "Ask something about your notes. Citations lead to the notes; Tab walks them."
        static let wantsNote = "The model wants to make this note in the Inbox:"
        static let off = "no model is configured; name a provider in ai.chat of config.toml"
        static let related = "Related notes"
        static let nothingRelated = "No note is like this one"
    }
}
