import Dispatch
import Foundation
import Intelligence
import NoteStore
import Processes
import Synchronization

/// The chat with a model about the notes; it lasts until the program ends, and is not stored.
///
/// Retrieval and the model's answer run in the background. The arriving text is collected there and shown at most
/// thirty times a second, however fast the model is.
@MainActor
public final class MagicChat {
    /// A question with the answer received so far.
    public struct Entry: Equatable, Sendable {
        public let question: String
        /// The answer in Markdown; its citations are links to notes.
        public internal(set) var answer = ""
        /// The remarks about the answer.
        public internal(set) var remarks: [String] = []
        public internal(set) var isStopped = false
        public internal(set) var hasFailed = false
        /// The end of the model's reasoning, or its search, until the answer begins; it is not kept.
        public internal(set) var thought = ""
        /// The provider that gets the question, once its passages are found.
        public internal(set) var provider: Provider?
        /// The notes whose texts may be in the answer: those of the excerpts sent, and of the earlier answers.
        var notes: Set<NoteID> = []
    }

    /// A decision that the chat waits for.
    public enum Demand: Equatable, Sendable {
        /// Whether the found passages may be sent to a provider that is not on this machine.
        case consent(sentence: String)
        /// Whether the model may create a note.
        case note(NoteProposal)
    }

    public private(set) var entries: [Entry] = []
    public private(set) var isAnswering = false
    public private(set) var demand: Demand?
    /// Increases with each change.
    public private(set) var revision = 0
    /// Called after each change.
    public var changed: @MainActor () -> Void = {}

    private unowned let model: TakeNoteVM
    private var stopper = CommandStop()
    /// The number of the question being answered; results for older ones are dropped.
    private var current = 0
    private var ready: NotebookQuestion?
    private var decision: Decision?
    private var stream: AnswerStream?
    private var thoughts: AnswerStream?

    /// The environment variables for a model's program and its key.
    public var environment = ProcessInfo.processInfo.environment

    init(_ model: TakeNoteVM) { self.model = model }

    private func touch() {
        revision += 1
        changed()
    }

    private func update(_ change: (inout Entry) -> Void) {
        guard let last = entries.indices.last else { return }
        change(&entries[last])
        touch()
    }

    // MARK: - Asking

    /// Asks a question, unless an earlier one is still being answered.
    public func ask(_ question: String) {
        let question = question.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !isAnswering, !question.isEmpty else { return }
        entries.append(Entry(question: question))
        (isAnswering, stopper) = (true, CommandStop())
        current += 1
        touch()
        do throws(ModelFailure) {
            guard let provider = try model.intelligence.chatProvider() else { throw ModelFailure.noProvider }
            find(question, for: provider)
        } catch {
            fail(error.sentence)
        }
    }

    /// Finds the passages for a question, and the earlier answers that may go with it, in the background.
    private func find(_ question: String, for provider: Provider) {
        // The search must also find what was typed a moment ago.
        model.saveNow()
        let notebook = model.notebook
        let notes = notebook.retrieval.sendable(for: model.intelligence.rule(for: provider))
        let (number, stop, environment, scheduler) = (current, stopper, environment, model.scheduler)
        // Without an embedding model, the search by words is enough.
        let embedding = try? PassageFinder.allowedProvider(model.intelligence, in: notebook)
        // An answer from one provider is not sent to another one.
        let earlier = entries.dropLast().filter { !$0.answer.isEmpty && !$0.hasFailed && $0.provider == provider }
        model.inBackground(onOwnThread: "tn.passages") { [weak self] () -> Result<Found, any Error> in
            Result {
                notebook.search.indexUnfinished()
                let finder = PassageFinder(
                    notes, embedding: embedding, environment: environment, stop: stop,
                    willPause: { reason in scheduler.post { self?.thought(reason + "\n", number) } })
                // An answer reveals its notes, which the user may have closed to models since.
                let turns = try earlier.filter { try $0.notes.allSatisfy { try notes.note($0) != nil } }
                return Found(passages: try finder.passages(for: question), turns: turns)
            }
        } then: { [weak self] result in
            self?.found(result, question, notes, provider, number)
        }
    }

    /// The passages and the earlier answers that are sent with a question.
    private struct Found: Sendable {
        var passages: PassageFinder.Found
        var turns: [Entry]
    }

    /// Asks for consent where it is needed, and then begins to answer.
    private func found(
        _ result: Result<Found, any Error>, _ question: String, _ notes: SendableNotes, _ provider: Provider,
        _ number: Int
    ) {
        guard number == current, isAnswering else { return }
        do {
            let found = try result.get()
            let passages = found.passages.passages
            var asked = NotebookQuestion(question, passages: passages, notes: notes, provider: provider)
            asked.turns = found.turns.map { Turn(question: $0.question, answer: $0.answer) }
            // The request offers the model to propose notes; `begin` has the user answer.
            asked.propose = { _ in false }
            update { entry in
                entry.provider = provider
                entry.notes = Set(passages.map(\.chunk.note)).union(found.turns.flatMap(\.notes))
                entry.remarks = found.passages.problem.map { [AnswerTexts.wordsOnly(after: $0)] } ?? []
            }
            if try ModelConsent.isGiven(to: provider, in: model.notebook) { return begin(asked) }
            ready = asked
            demand = .consent(sentence: AnswerTexts.consent(sending: AnswerTexts.sending(asked), to: provider))
            touch()
        } catch {
            fail(Sentence.of(error))
        }
    }

    /// Has the model answer, on a thread of its own.
    private func begin(_ question: NotebookQuestion) {
        var question = question
        let (number, scheduler) = (current, model.scheduler)
        let decision = Decision()
        let stream = AnswerStream(scheduler: scheduler) { [weak self] text in self?.received(text, number) }
        let thoughts = AnswerStream(scheduler: scheduler) { [weak self] text in self?.thought(text, number) }
        (self.decision, self.stream, self.thoughts) = (decision, stream, thoughts)
        question.propose = { [weak self] proposal in
            scheduler.post { self?.propose(proposal, number) }
            return decision.wait()
        }
        var run = ModelRun(
            question.provider, environment: environment, stop: stopper,
            memory: TokenMemory(question.provider, in: model.notebook))
        run.willPause = { thoughts.add($0 + "\n") }
        onOwnThread("tn.model") { [question, run] in
            let result: Result<NotebookAnswer, ModelFailure>
            do throws(ModelFailure) {
                result = .success(
                    try question.answer(run, form: .link) { event in
                        switch event {
                        case .text(let text): stream.add(text)
                        case .reasoning(let text): thoughts.add(text)
                        case .searching(let query): thoughts.add("\n" + AnswerTexts.searching(query) + "\n")
                        case .found(let notes): scheduler.post { self.sent(notes, number) }
                        }
                    })
            } catch {
                result = .failure(error)
            }
            scheduler.post { self.finished(result, number) }
        }
    }

    // MARK: - Answers

    private func received(_ text: String, _ number: Int) {
        guard number == current, isAnswering else { return }
        update { entry in
            entry.answer += text
            entry.thought = ""
        }
    }

    /// The greatest length of the reasoning that is shown, in characters: a few lines.
    private static let maximumThought = 300

    private func thought(_ text: String, _ number: Int) {
        guard number == current, isAnswering else { return }
        // The last reasoning may arrive after the first words of the answer.
        guard entries.last?.answer.isEmpty == true else { return }
        update { $0.thought = String(($0.thought + text).suffix(Self.maximumThought)) }
    }

    private func sent(_ notes: [NoteID], _ number: Int) {
        guard number == current, isAnswering else { return }
        entries[entries.count - 1].notes.formUnion(notes)
    }

    private func finished(_ result: Result<NotebookAnswer, ModelFailure>, _ number: Int) {
        guard number == current, isAnswering else { return }
        if let rest = stream?.takeRest(), !rest.isEmpty { entries[entries.count - 1].answer += rest }
        end()
        switch result {
        case .success(let answer):
            update { entry in
                // The pieces may have begun with reasoning that is known only at its end.
                entry.answer = answer.text
                entry.remarks += AnswerTexts.remarks(on: answer)
            }
        case .failure(.stopped): update { $0.isStopped = true }
        case .failure(let failure): fail(failure.sentence)
        }
    }

    private func fail(_ sentence: String) {
        end()
        update { entry in
            entry.remarks = [sentence]
            entry.hasFailed = true
        }
    }

    private func end() {
        isAnswering = false
        (demand, ready, decision, stream, thoughts) = (nil, nil, nil, nil, nil)
        if let last = entries.indices.last { entries[last].thought = "" }
    }

    /// Stops the current answer; the received text stays, marked as stopped.
    public func stop() {
        guard isAnswering else { return }
        stopper.stop()
        decision?.make(false)
        if let rest = stream?.takeRest(), !rest.isEmpty { entries[entries.count - 1].answer += rest }
        current += 1
        end()
        update { $0.isStopped = true }
    }

    /// Stops the current answer, and returns once its program has ended, because this one is about to end.
    func stopAndWait() {
        stop()
        stopper.stopAndWait()
    }

    // MARK: - Demands

    /// The request that waits for consent, as it would be sent; nil if none does.
    public var awaitedRequest: String? { ready.map { $0.provider.shown($0.request) } }

    private func propose(_ proposal: NoteProposal, _ number: Int) {
        guard number == current, isAnswering else { return }
        demand = .note(proposal)
        touch()
    }

    /// Makes the decision that the chat waits for.
    ///
    /// A proposed note has no `always`: each is decided by itself.
    public func decide(_ consent: Consent) {
        guard let demand else { return }
        self.demand = nil
        switch demand {
        case .consent:
            guard consent != .refused, let ready else { return fail(Texts.Magic.nothingSent) }
            // If the consent cannot be stored, the user is asked again next time.
            if consent == .always { try? ModelConsent.remember(ready.provider, in: model.notebook) }
            self.ready = nil
            begin(ready)
        case .note(let proposal):
            let isAccepted = consent != .refused
            if isAccepted, !save(proposal.markdown, from: entries.last?.notes ?? []) {
                decision?.make(false)
            } else {
                decision?.make(isAccepted)
            }
        }
        touch()
    }

    /// Creates a note from the last answer, with the question as its title.
    public func saveAsNote() {
        guard let entry = entries.last, !entry.answer.isEmpty else { return }
        if save("# \(entry.question)\n\n\(entry.answer)\n", from: entry.notes) { model.say(Texts.Magic.savedInInbox) }
    }

    /// - Parameter sources: the notes whose texts may be in the new one, which takes over their privacy.
    private func save(_ text: String, from sources: Set<NoteID>) -> Bool {
        do {
            try model.notebook.notes.createUndoably(NewNote(text: text, sources: Array(sources)))
            return true
        } catch {
            model.say(error.sentence, kind: .refused)
            return false
        }
    }
}

/// The user's decision about a proposal, for the thread that waits for it.
private final class Decision: Sendable {
    private let isMade = DispatchSemaphore(value: 0)
    private let isAccepted = Mutex(false)

    func make(_ accepted: Bool) {
        isAccepted.withLock { $0 = accepted }
        isMade.signal()
    }

    func wait() -> Bool {
        isMade.wait()
        return isAccepted.withLock { $0 }
    }
}
