import Dispatch
import Intelligence
import NoteStore
import Processes

/// Summaries that are made automatically when the user leaves a note whose text has changed, if `ai.summaries` is set.
///
/// A text is sent to a model this way only if the model runs on this machine or its provider has `automatic` set. A
/// failed summary is tried again the next time the user leaves the note.
@MainActor
final class AutomaticSummaries {
    private unowned let model: TakeNoteVM
    private let queue = DispatchQueue(label: "tn.summaries", qos: .utility)
    private let stopper = CommandStop()
    private var timers: [NoteID: ScheduledWork] = [:]
    /// The summary being made, one at a time.
    private var running: (id: NoteID, stop: CommandStop)?

    /// The time between leaving a note and its summary: by then its text is saved, and the user has not come back.
    private static let pause = Duration.seconds(3)
    /// The size in bytes below which a note needs no summary.
    private nonisolated static let minimumLength = 400

    init(_ model: TakeNoteVM) { self.model = model }

    /// Schedules the summary of a changed note that the user has left.
    func noteLeft(_ id: NoteID) {
        guard model.intelligence.summaries != .off else { return }
        plan(id)
    }

    private func plan(_ id: NoteID) {
        timers[id]?.cancel()
        timers[id] = model.schedule(after: Self.pause) { [weak self] in
            self?.timers[id] = nil
            self?.summarize(id)
        }
    }

    /// Stops the running summary, which is made later, because the user wants something from a model now.
    func makeWay() {
        guard let running else { return }
        running.stop.stop()
        plan(running.id)
    }

    /// Stops the running summary and cancels the planned ones, when the program ends.
    func stop() {
        stopper.stopAndWait()
        timers.values.forEach { $0.cancel() }
        timers = [:]
    }

    private func summarize(_ id: NoteID) {
        let settings = model.intelligence
        guard settings.summaries != .off else { return }
        // A model does one thing in the background at a time, and what the user waits for comes first.
        guard running == nil, model.magicWork?.isRunning != true else { return plan(id) }
        let (notebook, scheduler) = (model.notebook, model.scheduler)
        let (stop, environment) = (CommandStop(within: stopper), model.magicChat.environment)
        running = (id, stop)
        queue.async {
            // After any failure the list goes on showing the note's beginning.
            if !stop.isRequested { try? Self.summarize(id, notebook, settings, environment, stop) }
            scheduler.post { [weak self] in self?.running = nil }
        }
    }

    private nonisolated static func summarize(
        _ id: NoteID, _ notebook: Notebook, _ settings: IntelligenceSettings, _ environment: [String: String],
        _ stop: CommandStop
    ) throws {
        let provider = settings.summaries == .model ? try settings.chatProvider() : nil
        if settings.summaries == .model {
            guard let provider, provider.isLocal || provider.isAutomatic else { return }
        }
        // `sendable(for:)` leaves out notes that must not be sent or are not live any more.
        guard let note = try notebook.retrieval.sendable(for: settings.rule(for: provider)).note(id),
            note.content.utf8.count >= minimumLength, note.row.aiSummary.isEmpty || note.contentHasChanged()
        else { return }
        let summary: String
        if let provider {
            let memory = TokenMemory(provider, in: notebook)
            let run = ModelRun(provider, environment: environment, stop: stop, memory: memory)
            let request = ModelSummary.request(for: note, provider: provider, ratio: memory.ratio)
            let answer = try run.answer(to: request)
            // Nobody would see a remark that it is cut, or made from a part of the note.
            summary = answer.isCut || answer.isPromptCut ? "" : ModelSummary.summary(in: answer)
        } else {
            summary = ExtractiveSummary.of(note.content, title: note.title)
        }
        guard !summary.isEmpty, !stop.isRequested else { return }
        let author = provider == nil ? SummaryAuthor.extract : .model
        try notebook.notes.setSummary(summary, of: id, madeFrom: note.content, author: author.rawValue)
    }
}
