import Dispatch
import Foundation
import Intelligence
import NoteStore
import Processes

/// One thing that a model does with a text: it rewrites a selection, formats a note, or summarises it.
///
/// A provider that is not on this machine is asked about first, and gets nothing until the answer is yes.
@MainActor
public final class MagicWork {
    public enum Phase: Equatable, Sendable {
        /// Whether the text may go to a provider that is not on this machine.
        case asking(sentence: String)
        case working
        /// The result is whole.
        case done
        /// The user has ended it; what has come stays.
        case stopped
        case failed(sentence: String)
    }

    /// What came of it.
    public struct Outcome: Equatable, Sendable {
        public var text: String
        /// What is said about the text.
        public var remarks: [String] = []
    }

    /// Does the work on a thread of its own, and passes on what comes.
    typealias Job =
        @Sendable (_ run: ModelRun, _ receive: @escaping @Sendable (AnswerEvent) -> Void) throws -> Outcome

    public private(set) var phase = Phase.working
    /// The text as far as it has come; in the end the whole result.
    public private(set) var text = ""
    public private(set) var remarks: [String] = []
    /// Called after each change.
    public var changed: @MainActor () -> Void = {}

    private let provider: Provider
    private let notebook: Notebook
    private let scheduler: any MainScheduler
    private let job: Job
    private let stopper = CommandStop()
    private var stream: AnswerStream?
    private let environment: [String: String]

    /// - Parameter sending: what would be sent, as the beginning of a sentence's object: `a text of 40 characters`.
    init(
        _ provider: Provider, sending: String, notebook: Notebook, scheduler: any MainScheduler,
        environment: [String: String], job: @escaping Job
    ) throws(StoreError) {
        (self.provider, self.notebook, self.scheduler) = (provider, notebook, scheduler)
        (self.environment, self.job) = (environment, job)
        if try ModelConsent.isGiven(to: provider, in: notebook) {
            begin()
        } else {
            phase = .asking(sentence: "Send \(sending) to “\(provider.name)” (\(provider.place))?")
        }
    }

    /// Nobody waits for it any more.
    deinit { stopper.stop() }

    /// Whether something may still come.
    public var isRunning: Bool { phase == .working }

    /// Answers whether the text may be sent.
    ///
    /// - Parameter always: whether the provider need not be asked about again.
    public func decide(_ isAccepted: Bool, always: Bool = false) {
        guard case .asking = phase else { return }
        guard isAccepted else { return end(.failed(sentence: ModelChatTexts.notSent)) }
        // It is asked about again if it cannot be remembered.
        if always { try? ModelConsent.remember(provider, in: notebook) }
        begin()
        changed()
    }

    /// Ends it; what has come stays.
    public func stop() {
        switch phase {
        case .asking: end(.failed(sentence: ModelChatTexts.notSent))
        case .working:
            stopper.stop()
            text += stream?.takeRest() ?? ""
            end(.stopped)
        case .done, .stopped, .failed: break
        }
    }

    private func begin() {
        phase = .working
        let stream = AnswerStream(scheduler: scheduler) { [weak self] text in
            guard let self, isRunning else { return }
            self.text += text
            changed()
        }
        self.stream = stream
        let run = ModelRun(provider, environment: environment, stop: stopper)
        let (job, scheduler) = (job, scheduler)
        DispatchQueue.global(qos: .userInitiated).async {
            let result = Result {
                try job(run) { event in
                    if case .text(let text) = event { stream.add(text) }
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

    private func end(_ phase: Phase) {
        self.phase = phase
        stream = nil
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
