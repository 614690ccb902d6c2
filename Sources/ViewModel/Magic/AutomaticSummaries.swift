import Dispatch
import Intelligence
import NoteStore
import Processes

/// Summaries that are made by themselves when a note is left whose text has changed, if `ai.summaries` says so.
///
/// A model gets a text this way only if it is on this machine, or its provider has `automatic`; a failure waits for the
/// next time that the note is left.
@MainActor
final class AutomaticSummaries {
    private unowned let model: TakeNoteVM
    /// One at a time.
    private let queue = DispatchQueue(label: "tn.summaries", qos: .utility)
    private let stopper = CommandStop()
    private var timers: [NoteID: ScheduledWork] = [:]

    /// How long after a note is left it is summarised: its text is saved by then, and the user has not come back.
    private static let pause = Duration.seconds(3)
    /// A note of fewer bytes is its own summary.
    private nonisolated static let shortest = 400

    init(_ model: TakeNoteVM) { self.model = model }

    /// Plans the summary of a note that was changed and left.
    func noteLeft(_ id: NoteID) {
        guard model.intelligence.summaries != .off else { return }
        timers[id]?.cancel()
        timers[id] = model.schedule(after: Self.pause) { [weak self] in
            self?.timers[id] = nil
            self?.summarize(id)
        }
    }

    /// Ends what runs; the program is left.
    func stop() {
        stopper.stop()
        timers.values.forEach { $0.cancel() }
        timers = [:]
    }

    private func summarize(_ id: NoteID) {
        let settings = model.intelligence
        guard settings.summaries != .off else { return }
        let notebook = model.notebook
        let (stop, environment) = (stopper, model.magicChat.environment)
        queue.async {
            guard !stop.isRequested else { return }
            // Whatever fails leaves the list with the note's own beginning.
            try? Self.summarize(id, notebook, settings, environment, stop)
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
        // What may not be sent, or is not live any more, is not there.
        guard let note = try notebook.retrieval.sendable(for: settings.rule(for: provider)).note(id),
            note.content.utf8.count >= shortest, note.row.aiSummary.isEmpty || note.contentHasChanged()
        else { return }
        let summary: String
        if let provider {
            let run = ModelRun(provider, environment: environment, stop: stop)
            summary = ModelSummary.summary(in: try run.answer(to: ModelSummary.request(for: note, provider: provider)))
        } else {
            summary = ExtractiveSummary.of(note.content, title: note.title)
        }
        guard !summary.isEmpty, !stop.isRequested else { return }
        let author = provider == nil ? SummaryAuthor.extract : .model
        try notebook.notes.setSummary(summary, of: id, madeFrom: note.content, author: author.rawValue)
    }
}
