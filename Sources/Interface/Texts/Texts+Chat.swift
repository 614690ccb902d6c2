extension Texts {
    /// The texts of the chat.
    enum Chat {
        static let title = "Chat"
        static let answering = "answering…"
        static let looking = "looking through your notes…"
        static func waiting(for label: String) -> String { "waiting for \(label)…" }
        static let stopped = "stopped"
        static let beginning = "Ask something about your notes. Citations lead to the notes; Tab walks them."
        static let toBeSent = "What would be sent"
        static let wantsNote = "The model wants to create this note in the Inbox:"
        static let off = "No model is configured; set ai.chat by “Edit the configuration file”"
        static let related = "Related notes"
        static let nothingRelated = "No note is like this one"
    }

    /// The texts of the Magic menu and of its overlays.
    enum Magic {
        static let menu = "Magic"
        static let assistant = "Magic Assistant"
        static let format = "Magic Format"
        static let summary = "Summary"
        static let ownWords = "In your own words…"
        static let wish = "What to do with the text"
        static let noWish = "Say what to do, or Esc"
        static let formatItem = "Format the note as clean Markdown"
        static let summaryItem = "Summarize the note by the model"
        static let extractItem = "Summarize the note by its own sentences"
        static let chatItem = "Ask about your notes"
        static let relatedItem = "Related notes"
        static func dimmed(_ reason: String) -> String {
            "Dimmed: \(reason.prefix(1).lowercased())\(reason.dropFirst())"
        }
        static let onSelection = "selection"
        static let onNote = "whole note"
        static let sendsNothing = "sends nothing"
        /// What Enter does with a result, behind the key.
        enum Key {
            static let insertBelow = "insert below"
            static let replace = "replace"
            static let keep = "keep"
        }
        static let working = "working…"
        static let comparing = "waiting for the text…"
        static let unchanged = "The model changed nothing."
        static let stopped = "stopped; nothing was changed"
        static let replaced = "Replaced by the result; undo restores the earlier text"
        static let inserted = "Inserted below; undo takes it out again"
        static let textChanged = "The text has changed meanwhile; y copies the result"
        static func change(_ number: Int, of count: Int, line: Int) -> String {
            "change \(number) of \(count), line \(line)"
        }
        static func taken(_ count: Int, of all: Int) -> String { "\(count) of \(all) changes taken" }
    }
}
