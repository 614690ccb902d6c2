import NoteStore
import Observation
import Synchronization

/// Keeps the folders of `tn mirror` and the notebook the same while the window is open.
///
/// Rounds run on a thread of their own, once a change on either side has come to rest, and what they did comes through
/// the scheduler; no key waits for one. A folder that another program mirrors just now is taken up later.
@MainActor
@Observable
public final class AutomaticMirror {
    /// The state that the status line shows.
    public private(set) var status = MirrorStatus()
    /// Whether folders are mirrored without being told to; applies at once.
    @ObservationIgnored public var isAutomatic = true { didSet { if isAutomatic != oldValue { begin() } } }
    /// Called before a round that was asked for, so that what was typed goes along.
    @ObservationIgnored var save: @MainActor () -> Void = {}
    @ObservationIgnored var say: @MainActor (String, Notice.Kind) -> Void = { _, _ in }

    @ObservationIgnored private let scheduler: any MainScheduler
    @ObservationIgnored private let rounds: MirrorRounds
    @ObservationIgnored private var timer: ScheduledWork?
    @ObservationIgnored private var signTimer: ScheduledWork?
    /// Whether a round runs.
    @ObservationIgnored private(set) var isBusy = false
    @ObservationIgnored private var isStopped = false
    @ObservationIgnored private var hasBegun = false
    @ObservationIgnored private var hasFolders = false
    /// The round that somebody has asked for while one runs.
    @ObservationIgnored private var following: FollowingRun?
    @ObservationIgnored private var firstChange: ContinuousClock.Instant?
    @ObservationIgnored private var lastChange: ContinuousClock.Instant?
    @ObservationIgnored private var lastStart: ContinuousClock.Instant?
    @ObservationIgnored private var lastEnd: ContinuousClock.Instant?
    /// How long changes have to rest.
    @ObservationIgnored private var rest = Duration.zero
    /// The time until the next round of a folder that could not be finished.
    @ObservationIgnored private var retry: Duration?
    /// The problem of each folder as it was told, and the number of rounds in a row that have had one.
    @ObservationIgnored private var problems: [String: (sentence: String, count: Int)] = [:]
    @ObservationIgnored private var said: Set<String> = []

    /// The first round waits until the first frame is long shown.
    private static let startDelay = Duration.seconds(1)
    /// Typing rests often; a file that is written with each pause would keep other programs reading.
    private static let restOfNotebook = Duration.seconds(2)
    /// Programs that write many files pause less between them.
    private static let restOfFolder = Duration.milliseconds(300)
    /// The time after which a round begins although typing has not paused.
    private static let maximumWait = Duration.seconds(10)
    /// The time between two looks for changes that no event reports, such as a disk that is mounted again.
    private static let interval = Duration.seconds(60)
    private static let retryInterval = Duration.seconds(3)
    /// A round gets a sign when it takes longer.
    private static let signDelay = Duration.milliseconds(300)

    init(notebook: Notebook, scheduler: any MainScheduler) {
        self.scheduler = scheduler
        rounds = MirrorRounds(notebook)
    }

    // MARK: - When

    /// Begins to look after the folders; called once the first frame is shown.
    func begin() {
        guard !isStopped, isAutomatic else { return plan() }
        hasBegun = true
        plan(after: Self.startDelay)
    }

    /// Takes up a change of the notebook.
    func notebookChanged() { changed(resting: Self.restOfNotebook) }

    private func changed(resting rest: Duration) {
        guard !isStopped, hasBegun, isAutomatic else { return }
        let now = scheduler.now
        self.rest = firstChange == nil ? rest : min(rest, self.rest)
        (firstChange, lastChange) = (firstChange ?? now, now)
        plan()
    }

    private func plan(after delay: Duration? = nil) {
        timer?.cancel()
        timer = nil
        guard !isStopped, hasBegun, isAutomatic, !isBusy else { return }
        let now = scheduler.now
        var due = delay.map { now + $0 }
        if let firstChange, let lastChange {
            due = min(due ?? firstChange + Self.maximumWait, lastChange + rest, firstChange + Self.maximumWait)
        }
        if let retry, let lastEnd { due = min(due ?? lastEnd + retry, lastEnd + retry) }
        if due == nil, hasFolders, let lastEnd { due = lastEnd + Self.interval }
        guard var due else { return }
        // A large folder takes no more than a fifth of a processor.
        if let lastStart, let lastEnd { due = max(due, lastEnd + (lastEnd - lastStart) * 4) }
        timer = scheduler.schedule(after: max(.zero, due - now)) { [weak self] in self?.run(byHand: false) }
    }

    // MARK: - Running

    /// Mirrors all folders now.
    ///
    /// - Parameter byHand: whether somebody waits for what comes of it.
    public func run(byHand: Bool = true) {
        guard !isStopped else { return }
        guard !isBusy else { return following = byHand ? .byHand : following ?? .inBackground }
        if byHand { save() }
        timer?.cancel()
        (isBusy, firstChange, lastChange, retry) = (true, nil, nil, nil)
        lastStart = scheduler.now
        signTimer = scheduler.schedule(after: Self.signDelay) { [weak self] in
            guard let self, isBusy, hasFolders else { return }
            status.isRunning = true
        }
        let scheduler = scheduler
        rounds.run(byHand: byHand) { @Sendable [weak self] in
            scheduler.post { self?.changed(resting: Self.restOfFolder) }
        } then: { @Sendable [weak self] results in
            scheduler.post { self?.ended(results, byHand: byHand) }
        }
    }

    private func ended(_ results: [MirrorRounds.Result], byHand: Bool) {
        signTimer?.cancel()
        (isBusy, lastEnd, hasFolders) = (false, scheduler.now, !results.isEmpty)
        var (sentences, conflicts, left): ([String], [String], [String]) = ([], [], [])
        var found: [String: (sentence: String, count: Int)] = [:]
        for result in results {
            if result.hasMore { retry = Self.retryInterval }
            switch result.outcome {
            case .success(let report):
                conflicts += report.conflicts
                for file in report.leftAlone where file.reason.isFailure {
                    if file.reason == .busy { retry = Self.retryInterval } else { left.append(file.sentence) }
                }
            case .failure(let error) where error.passes:
                retry = Self.retryInterval
                if byHand { sentences.append(Texts.notMirrored(error.sentence)) }
            case .failure(let error):
                let sentence = Texts.notMirrored(error.sentence)
                let count = problems[result.path].map { $0.sentence == sentence ? $0.count + 1 : 1 } ?? 1
                found[result.path] = (sentence, count)
                // A folder that somebody exchanges is gone for a moment.
                if count == 1 { retry = Self.retryInterval }
                if count == 2 || byHand { sentences.append(sentence) }
            }
        }
        problems = found
        tell(sentences, conflicts, left, byHand: byHand, isOn: !results.isEmpty)
        let new = MirrorStatus(isRunning: false, isFailing: found.values.contains { $0.count > 1 })
        // An unchanged status is not assigned, since redrawing the status line would cost bytes with every save.
        if new != status { status = new }
        if let next = following {
            following = nil
            run(byHand: next == .byHand)
        } else {
            plan()
        }
    }

    private func tell(_ problems: [String], _ conflicts: [String], _ left: [String], byHand: Bool, isOn: Bool) {
        let new = byHand ? left : left.filter { !said.contains($0) }
        said = Set(left)
        if let problem = problems.first { return say(problem, .refused) }
        if !conflicts.isEmpty { return say(Texts.mirrorConflicts(conflicts), .refused) }
        if !new.isEmpty { return say(Texts.leftAlone(new), .refused) }
        if byHand { say(isOn ? Texts.bothAreTheSame : Texts.notMirrored, isOn ? .done : .refused) }
    }

    /// Ends planning; a round that is under way ends after the note that it is at, and the next one goes on.
    func stop() {
        timer?.cancel()
        signTimer?.cancel()
        timer = nil
        isStopped = true
        rounds.stop()
    }
}
