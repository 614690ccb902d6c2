import Dispatch
import Foundation
import Intelligence
import NoteStore
import Processes

/// One task of a model on a text: rewriting a selection, formatting a note, or summarising it.
///
/// A provider that is not on this machine gets nothing until the user has consented.
@MainActor
public final class MagicWork {
    public enum Phase: Equatable, Sendable {
        /// The user must decide whether the text may be sent to a provider that is not on this machine.
        case asking(sentence: String)
        case working
        /// The result is complete.
        case done
        /// The user has stopped it; the received text stays.
        case stopped
        case failed(sentence: String)
    }

    /// The result of the work.
    public struct Outcome: Equatable, Sendable {
        public var text: String
        /// The remarks about the text.
        public var remarks: [String] = []
    }

    /// Does the work on a background thread, and passes on the events as they arrive.
    typealias Job =
        @Sendable (_ run: ModelRun, _ receive: @escaping @Sendable (AnswerEvent) -> Void) throws -> Outcome

    public private(set) var phase = Phase.working
    /// The text received so far; at the end the complete result.
    public private(set) var text = ""
    public private(set) var remarks: [String] = []
    /// The end of the model's reasoning before its text; it is not kept.
    public private(set) var thought = ""
    /// Called after each change.
    public var changed: @MainActor () -> Void = {}

    private let provider: Provider
    private let notebook: Notebook
    private let scheduler: any MainScheduler
    private let job: Job
    /// Called before anything is sent.
    private let willBegin: @MainActor () -> Void
    private let plannedRequests: [ChatRequest]
    private let stopper = CommandStop()
    private var stream: AnswerStream?
    private var thoughts: AnswerStream?
    private let environment: [String: String]

    /// - Parameters:
    ///   - sending: a noun phrase for what would be sent: `a text of 40 characters`.
    ///   - requests: the requests that the job makes.
    init(
        _ provider: Provider, sending: String, requests: [ChatRequest], notebook: Notebook,
        scheduler: any MainScheduler, environment: [String: String], willBegin: @escaping @MainActor () -> Void,
        job: @escaping Job
    ) throws(StoreError) {
        (self.provider, self.notebook, self.scheduler) = (provider, notebook, scheduler)
        (self.environment, self.willBegin, self.job, plannedRequests) = (environment, willBegin, job, requests)
        if try ModelConsent.isGiven(to: provider, in: notebook) {
            begin()
        } else {
            phase = .asking(sentence: AnswerTexts.consent(sending: sending, to: provider))
        }
    }

    /// Nobody is waiting for the result any more.
    deinit { stopper.stop() }

    /// The requests as they would be sent.
    public var requests: String { plannedRequests.map(provider.shown).joined(separator: "\n") }

    /// Whether more text may still arrive.
    public var isRunning: Bool { phase == .working }

    /// Decides whether the text may be sent.
    public func decide(_ consent: Consent) {
        guard case .asking = phase else { return }
        guard consent != .refused else { return end(.failed(sentence: Texts.Magic.nothingSent)) }
        // If the consent cannot be stored, the user is asked again next time.
        if consent == .always { try? ModelConsent.remember(provider, in: notebook) }
        begin()
        changed()
    }

    /// Stops the work; the received text stays.
    public func stop() {
        switch phase {
        case .asking: end(.failed(sentence: Texts.Magic.nothingSent))
        case .working:
            stopper.stop()
            text += stream?.takeRest() ?? ""
            end(.stopped)
        case .done, .stopped, .failed: break
        }
    }

    /// Has the model work, on a thread of its own.
    private func begin() {
        willBegin()
        phase = .working
        let stream = AnswerStream(scheduler: scheduler) { [weak self] text in
            guard let self, isRunning else { return }
            self.text += text
            thought = ""
            changed()
        }
        let thoughts = AnswerStream(scheduler: scheduler) { [weak self] text in
            guard let self, isRunning, self.text.isEmpty else { return }
            thought = String((thought + text).suffix(Self.maximumThought))
            changed()
        }
        (self.stream, self.thoughts) = (stream, thoughts)
        var run = ModelRun(
            provider, environment: environment, stop: stopper, memory: TokenMemory(provider, in: notebook))
        run.willPause = { thoughts.add($0 + "\n") }
        let (job, scheduler) = (job, scheduler)
        onOwnThread("tn.model") { [run] in
            let result = Result {
                try job(run) { event in
                    switch event {
                    case .text(let text): stream.add(text)
                    case .reasoning(let text): thoughts.add(text)
                    }
                }
            }
            scheduler.post { [weak self] in self?.finished(result) }
        }
    }

    private func finished(_ result: Result<Outcome, any Error>) {
        guard isRunning else { return }
        switch result {
        case .success(let outcome):
            (text, remarks) = (outcome.text, outcome.remarks)
            end(.done)
        case .failure(let error):
            text += stream?.takeRest() ?? ""
            end(.failed(sentence: Self.sentence(of: error)))
        }
    }

    /// The greatest length of the reasoning that is shown, in characters: a few lines.
    private static let maximumThought = 300

    /// Stops the work, and returns once its program has ended, because this one is about to end.
    func stopAndWait() {
        stop()
        stopper.stopAndWait()
    }

    private func end(_ phase: Phase) {
        self.phase = phase
        (stream, thoughts, thought) = (nil, nil, "")
        changed()
    }

    private static func sentence(of error: any Error) -> String {
        switch error {
        case let failure as ModelFailure: failure.sentence
        case let fault as FormatFault: fault.sentence
        case let error as StoreError: error.sentence
        default: "\(error)"
        }
    }
}
