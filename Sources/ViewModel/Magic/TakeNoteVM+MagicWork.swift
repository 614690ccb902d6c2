import Intelligence
import NoteStore
import TextEditing

/// A model's work on the open text; the result is shown first, and changes the note only by an action of the user.
extension TakeNoteVM {
    // MARK: Stopping

    /// Whether a model works on an answer or a text.
    public var isModelRunning: Bool { magicChat.isAnswering || magicWork?.isRunning == true }

    /// Stops what a model works on; what has been received stays, marked as stopped.
    public func stopModel() {
        magicChat.stop()
        magicWork?.stop()
    }

    // MARK: The assistant

    /// Begins to change the selection, or the whole text if nothing is selected, as `wish` says.
    ///
    /// - Returns: nil if it cannot begin, and the user is told why.
    public func assist(_ wish: String) -> AssistantTask? {
        guard let session, let openNote else { return nil }
        let selected = session.selection.range
        let range = selected.isEmpty ? 0..<session.buffer.end : selected
        let text = session.buffer.string(in: range)
        guard text.contains(where: { !$0.isWhitespace }) else { return refuse(Texts.Magic.nothingToChange) }
        let request = Assistant.request(wish, text)
        let work = work(on: openNote, sending: Texts.Magic.characters(text.count)) { _ in
            PlannedWork([request]) { run, receive in
                let answer = try run.answer(to: request, receive)
                let result = Assistant.result(of: answer, from: text)
                guard result.contains(where: { !$0.isWhitespace }) else { throw FormatFault.empty }
                return MagicWork.Outcome(text: result, remarks: AnswerTexts.remarks(on: answer))
            }
        }
        return work.map { AssistantTask(work: $0, session: session, range: range, text: text) }
    }

    // MARK: The form

    /// Begins to format the open note as clean Markdown.
    ///
    /// - Returns: the work and the text that it formats; nil if it cannot begin, and the user is told why.
    public func formatNote() -> (work: MagicWork, text: String)? {
        guard let session, let openNote else { return nil }
        let text = session.text
        guard text.contains(where: { !$0.isWhitespace }) else { return refuse(Texts.Magic.nothingToChange) }
        let work = work(on: openNote, sending: Texts.Magic.oneNote) { provider in
            let ratio = TokenMemory(provider, in: notebook).ratio
            let formatting = Formatting(text, provider: provider, ratio: ratio)
            return PlannedWork(formatting.requests) { run, receive in
                let result = try formatting.run(run, receive)
                let remarks = result.changedWords > 0 ? [AnswerTexts.changed(result.changedWords)] : []
                return MagicWork.Outcome(text: result.text, remarks: remarks)
            }
        }
        return work.map { ($0, text) }
    }

    /// Replaces the open note's text by `text`, as one undo step, and keeps the previous text as a version.
    ///
    /// If the note's text has changed from `base` in the meantime, the changes are merged in.
    public func take(formatted text: String, madeFrom base: String, of id: NoteID) {
        // A save may merge what another program has written, so it comes before the text is read.
        saveNow()
        guard let session, session.noteID == id else { return say(Texts.Magic.noteIsLeft, kind: .refused) }
        let now = session.text
        var merged = text
        if now != base {
            guard case .merged(let both) = ThreeWayMerge.merge(base: base, ours: now, theirs: text) else {
                return say(Texts.Magic.textMovedOn, kind: .refused)
            }
            merged = both
        }
        guard merged != now else { return say(Texts.Magic.nothingTaken) }
        // Undo also restores the previous text, so the result is not dropped if the version cannot be kept.
        try? notebook.versions.keep(of: id, reason: .outside)
        session.change { $0.apply(Edit(from: now, to: merged)) }
        say(Texts.Magic.formatted)
    }

    // MARK: The summary

    /// Begins to have the open note summarised by the model.
    ///
    /// - Returns: nil if it cannot begin, and the user is told why.
    public func summarizeByModel() -> (work: MagicWork, note: Note)? {
        saveNow()
        guard let openNote, let note = loaded(openNote.id) else { return nil }
        let work = work(on: openNote, sending: Texts.Magic.oneNote) { provider in
            let ratio = TokenMemory(provider, in: notebook).ratio
            let request = ModelSummary.request(for: note, provider: provider, ratio: ratio)
            return PlannedWork([request]) { run, receive in
                let answer = try run.answer(to: request, receive)
                let summary = ModelSummary.summary(in: answer)
                guard !summary.isEmpty else { throw ModelFailure.emptyAnswer(run.provider.label) }
                return MagicWork.Outcome(text: summary, remarks: AnswerTexts.remarks(on: answer))
            }
        }
        return work.map { ($0, note) }
    }

    /// Stores a summary of a note, made from the text in `note`.
    public func keep(summary: String, of note: Note, author: SummaryAuthor) {
        let isKept = attempt(Texts.Attempt.readNotebook) {
            try notebook.notes.setSummary(summary, of: note.id, madeFrom: note.content, author: author.rawValue)
        }
        if isKept { say(Texts.Magic.summaryKept) }
    }

    /// Summarises the open note, or that under the cursor, by its own sentences, and stores that; sends nothing.
    public func summarizeByItself() {
        saveNow()
        guard let row = openNote ?? noteUnderCursor, let note = loaded(row.id) else { return }
        let summary = ExtractiveSummary.of(note.content, title: note.title)
        guard !summary.isEmpty else { return say(Texts.Magic.nothingToSummarize, kind: .refused) }
        keep(summary: summary, of: note, author: .extract)
    }

    // MARK: Starting work

    private func loaded(_ id: NoteID) -> Note? {
        var note: Note?
        attempt(Texts.Attempt.readNotebook) { note = try notebook.notes.load(id) }
        return note
    }

    private func refuse<Value>(_ reason: String) -> Value? {
        say(reason, kind: .refused)
        return nil
    }

    /// Begins work on a note's text, if a model is configured that may read the note.
    private func work(
        on note: NoteRow, sending: String, _ plan: (Provider) -> PlannedWork
    ) -> MagicWork? {
        do {
            guard let provider = try intelligence.chatProvider() else { throw ModelFailure.noProvider }
            let notes = notebook.retrieval.sendable(for: intelligence.rule(for: provider))
            let text = session?.noteID == note.id ? session?.text : nil
            guard try notes.mayRead(note.id, text: text ?? "") else { throw ModelFailure.privateNote(note.title) }
            magicWork?.stop()
            let plan = plan(provider)
            let work = try MagicWork(
                provider, sending: sending, requests: plan.requests, notebook: notebook, scheduler: scheduler,
                environment: magicChat.environment, willBegin: automaticSummaries.makeWay, job: plan.job)
            magicWork = work
            return work
        } catch let failure as ModelFailure {
            return refuse(failure.sentence)
        } catch {
            return refuse(Texts.couldNot(Texts.Attempt.readNotebook, error))
        }
    }
}

/// The requests of some work, and the job that makes them.
private struct PlannedWork {
    let requests: [ChatRequest]
    let job: MagicWork.Job

    init(_ requests: [ChatRequest], job: @escaping MagicWork.Job) { (self.requests, self.job) = (requests, job) }
}

/// The author of a summary; the raw value is stored.
public enum SummaryAuthor: String, Sendable {
    /// The summary consists of the note's own sentences.
    case extract
    case model
}

/// The assistant's work on a range of a text, and the ways to insert the result.
@MainActor
public struct AssistantTask {
    public let work: MagicWork
    private let session: EditorSession
    private let range: Range<ByteOffset>
    private let text: String

    init(work: MagicWork, session: EditorSession, range: Range<ByteOffset>, text: String) {
        (self.work, self.session, self.range, self.text) = (work, session, range, text)
    }

    /// The result, with the line ends of the text; nil if there is none yet or if it is only white space.
    public var result: String? {
        guard work.phase == .done, work.text.contains(where: { !$0.isWhitespace }) else { return nil }
        return work.text.withLineEnds(of: text)
    }

    /// Whether the text that was sent is still at its range.
    private var isInPlace: Bool {
        range.upperBound <= session.buffer.end && session.buffer.isScalarStart(range.lowerBound)
            && session.buffer.isScalarStart(range.upperBound) && session.buffer.string(in: range) == text
    }

    /// Replaces the text that was sent by the result.
    ///
    /// - Returns: whether it was replaced; false if the text has changed in the meantime.
    public func replace() -> Bool {
        guard let result, isInPlace else { return false }
        // Models drop the white space around a selection, so it is added again.
        let (before, after) = (text.prefix { $0.isWhitespace }, text.reversed().prefix { $0.isWhitespace })
        session.replace(range, with: before + result + String(after.reversed()))
        return true
    }

    /// Inserts the result below the line in which the sent text ends, after a blank line.
    ///
    /// - Returns: whether it was inserted; false if the text has changed in the meantime.
    public func insertBelow() -> Bool {
        guard let result, isInPlace else { return false }
        let line = session.buffer.lineNumber(at: range.upperBound)
        let end = session.buffer.lineEnd(line)
        let lineBreak = session.buffer.lineBreak(near: line)
        session.replace(end..<end, with: lineBreak + lineBreak + result)
        return true
    }
}
