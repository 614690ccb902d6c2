import TextEditing

/// A note's text and revision in the notebook.
struct StoredText {
    var text: String
    var revision: Int64
}

/// A note's changes in a journal, replayed on the text that they were made on.
extension NoteLog {
    /// Returns the note's changes that the notebook lacks; `nil` if it has all.
    func recovered(mark: JournalMark?, stored: StoredText?) -> RecoveredText? {
        var replay = Replay(of: self, mark: mark, stored: stored)
        for change in changes(mark, stored) { replay.take(change) }
        return replay.result
    }

    private enum Change {
        case text(number: UInt64, LoggedText)
        case edit(LoggedEdit)
        /// The notebook's text, which equals the journal's text at this number.
        case stored(number: UInt64, String)

        var number: UInt64 {
            switch self {
            case .text(let number, _), .stored(let number, _): number
            case .edit(let edit): edit.number
            }
        }
    }

    /// Returns all changes sorted by number; of an edit and the text that it led to, the edit comes first.
    private func changes(_ mark: JournalMark?, _ stored: StoredText?) -> [Change] {
        var all = edits.map { Change.edit($0) } + texts.map { Change.text(number: $0.key, $0.value) }
        if let mark, let stored, mark.revision > 0, mark.revision == stored.revision {
            all.append(.stored(number: mark.number, stored.text))
        }
        return all.enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
            .map(\.element)
    }

    /// The text of a note while the changes of its log are made again, in the order of their numbers.
    private struct Replay {
        private let note: NoteID
        private let mark: JournalMark?
        private let stored: StoredText?
        /// The number up to which the notebook has the changes.
        private let saved: UInt64
        /// The text reached so far; nil before the first one.
        private var current: (number: UInt64, buffer: TextBuffer)?
        /// The text that the changes which the notebook lacks were made on, and its revision.
        private var base: (buffer: TextBuffer?, revision: Int64) = (nil, 0)
        /// The edits that the notebook lacks and whose text is lost.
        private var missing: [LoggedEdit] = []

        init(of log: NoteLog, mark: JournalMark?, stored: StoredText?) {
            (note, self.mark, self.stored) = (log.note, mark, stored)
            saved = mark?.number ?? 0
        }

        mutating func take(_ change: Change) {
            switch change {
            case .stored(let number, let text):
                if current?.number != number { arrive(number, TextBuffer(text)) }
            case .text(let number, let text): take(text, number)
            case .edit(let edit): take(edit)
            }
        }

        private mutating func take(_ text: LoggedText, _ number: UInt64) {
            guard let buffer = buffer(of: text) else { return }
            // A text contains all earlier changes.
            missing = []
            arrive(number, buffer)
            if text.revision > 0 {
                base = (buffer, text.revision)
            } else if base.buffer == nil, let stored, stored.revision == -text.revision {
                // The base could not be written to the journal, but the notebook still has it.
                base = (TextBuffer(stored.text), stored.revision)
            }
        }

        private mutating func take(_ edit: LoggedEdit) {
            guard let now = current, now.number == edit.after,
                let change = JournalFormat.decode(edit.bytes, in: now.buffer)
            else {
                if edit.number > saved { missing.append(edit) }
                return
            }
            var buffer = now.buffer
            change.apply(to: &buffer)
            arrive(edit.number, buffer)
        }

        private mutating func arrive(_ number: UInt64, _ buffer: TextBuffer) {
            current = (number, buffer)
            if number == saved { base = (buffer, mark?.revision ?? 0) }
        }

        /// Returns the buffer of a text in the journal; the notebook's text replaces an incomplete one if revision and
        /// size agree.
        private func buffer(of text: LoggedText) -> TextBuffer? {
            if text.isWhole { return TextBuffer(String(decoding: text.bytes, as: UTF8.self)) }
            guard text.revision > 0, let stored, stored.revision == text.revision, stored.text.utf8.count == text.size
            else { return nil }
            return TextBuffer(stored.text)
        }

        /// What the notebook lacks; nil if it has all.
        var result: RecoveredText? {
            var result = RecoveredText(note: note)
            result.baseRevision = base.revision
            result.last = max(current?.number ?? 0, missing.last?.number ?? 0)
            for edit in missing { result.addPieces(of: edit.bytes) }
            // If the text was rebased and not edited since, the notebook has it.
            let isStored = current.map { now in stored.map { now.buffer == TextBuffer($0.text) } ?? false } ?? false
            if let current, current.number > saved, !isStored {
                result.text = current.buffer.string()
                result.base = base.buffer?.string()
            }
            return result.text == nil && result.pieces.isEmpty ? nil : result
        }
    }
}
