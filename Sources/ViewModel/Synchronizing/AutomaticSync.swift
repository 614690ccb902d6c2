import Dispatch
import NoteStore
import Observation

/// Synchronises the notebook while the window is open: after changes, at intervals, and on request.
///
/// The work runs on a background thread and its results come through the scheduler, so no key ever waits for it. It
/// asks no questions: a problem that only the user can solve is reported, and synchronising waits for the solution.
@MainActor
@Observable
public final class AutomaticSync {
    /// The state shown by the status line.
    public private(set) var status = SyncStatus()
    /// The settings; a change applies at once.
    @ObservationIgnored public var settings = SyncSettings() { didSet { if settings != oldValue { plan() } } }
    /// Synchronises once, on another thread; while it is nil, nothing runs.
    @ObservationIgnored public var job: Job?
    /// Called before a run, so that typed text is saved and sent along.
    @ObservationIgnored var save: @MainActor () -> Void = {}
    @ObservationIgnored var say: @MainActor (String, Notice.Kind) -> Void = { _, _ in }

    /// A synchronisation: blocks its thread, and tells the stages as they begin.
    public typealias Job = @Sendable (SyncSettings, _ tell: @escaping @Sendable (SyncStage) -> Void) -> SyncOutcome

    @ObservationIgnored private let notebook: Notebook
    @ObservationIgnored private let scheduler: any MainScheduler
    @ObservationIgnored private let queue = DispatchQueue(label: "tn.sync", qos: .utility)
    @ObservationIgnored private var timer: ScheduledWork?
    @ObservationIgnored private var isReading = false
    @ObservationIgnored private var mustReadAgain = false
    /// The run that somebody has asked for while one is in progress.
    @ObservationIgnored private var following: FollowingRun?
    /// The last known change mark; a greater one means that something has changed.
    @ObservationIgnored private var lastMark: Int64 = 0
    /// The time of the last known synchronisation, by any program.
    @ObservationIgnored private var lastTime: String?
    @ObservationIgnored private var lastChange: ContinuousClock.Instant?
    @ObservationIgnored private var firstChange: ContinuousClock.Instant?
    @ObservationIgnored private var lastEnd: ContinuousClock.Instant?
    @ObservationIgnored private var failures = 0

    /// The delay before the first run, so that the first frame is shown long before it.
    private static let startDelay = Duration.seconds(1)
    /// The longest time that a change waits, for users who never pause.
    private static let maximumWait = Duration.seconds(300)
    /// The longest pause after failed runs; it doubles with each failure up to this.
    private static let maximumBackoff = Duration.seconds(600)
    private static let firstBackoff = Duration.seconds(30)
    /// Returns the share of the pause that is waited for, a new one after each failure, so that machines that lost the
    /// same remote do not all return to it at the same moment.
    @ObservationIgnored var backoffShare: () -> Double = { Double.random(in: 0.75...1) }
    /// The share for the present failure.
    @ObservationIgnored private var share = 1.0

    init(notebook: Notebook, scheduler: any MainScheduler) {
        (self.notebook, self.scheduler) = (notebook, scheduler)
    }

    // MARK: - What changed

    /// Reads again what there is to send; called after every change of the notebook.
    func readFacts() {
        guard !isReading else { return mustReadAgain = true }
        isReading = true
        let (notebook, scheduler) = (notebook, scheduler)
        queue.async { @Sendable [weak self] in
            // If the facts cannot be read now, they are read after the next change.
            let facts = try? notebook.sync.facts()
            scheduler.post { self?.take(facts) }
        }
    }

    /// Shows what there is to send and when it changed, and plans the next run by that.
    private func take(_ facts: Notebook.Sync.Facts?) {
        isReading = false
        if mustReadAgain {
            mustReadAgain = false
            readFacts()
        }
        guard let facts else { return }
        if facts.isOn != status.isOn { (lastMark, lastEnd, failures, status.outcome) = (0, nil, 0, nil) }
        // The user has settled the open question in a shell.
        if case .undecided = status.outcome, facts.lastTime != lastTime { (failures, status.outcome) = (0, nil) }
        lastTime = facts.lastTime
        if facts.changes == 0 {
            (firstChange, lastChange) = (nil, nil)
        } else if facts.lastMark > lastMark {
            lastChange = scheduler.now
            firstChange = firstChange ?? scheduler.now
        }
        lastMark = facts.lastMark
        var new = status
        (new.isOn, new.changes, new.conflicts) = (facts.isOn, facts.changes, facts.conflicts)
        // An unchanged status is not assigned, since redrawing the status line would cost bytes with every save.
        if new != status { status = new }
        plan()
    }

    // MARK: - When

    private func plan() {
        timer?.cancel()
        timer = nil
        guard job != nil, status.isOn, settings.isAutomatic, !status.isRunning else { return }
        if case .undecided = status.outcome { return }
        guard let due = due() else { return }
        timer = scheduler.schedule(after: max(.zero, due - scheduler.now)) { [weak self] in self?.run(byHand: false) }
    }

    private func due() -> ContinuousClock.Instant? {
        guard let lastEnd else { return scheduler.now + Self.startDelay }
        if failures > 0 {
            return lastEnd + min(Self.maximumBackoff, Self.firstBackoff * (1 << min(failures - 1, 10))) * share
        }
        var due = settings.every > 0 ? lastEnd + .seconds(settings.every * 60) : nil
        if let lastChange, let firstChange {
            // Changes that the last run left unsent wait for the next one, like new changes.
            let quiet = max(
                min(lastChange + .seconds(settings.pause), firstChange + Self.maximumWait),
                lastEnd + .seconds(settings.pause))
            due = due.map { min($0, quiet) } ?? quiet
        }
        return due
    }

    // MARK: - Running

    /// Synchronises now.
    ///
    /// - Parameter byHand: whether the user waits for the result.
    public func run(byHand: Bool = true) {
        guard let job else { return }
        guard status.isOn else {
            if byHand { say(Texts.notSynchronised, .refused) }
            return
        }
        guard !status.isRunning else { return following = byHand ? .byHand : following ?? .inBackground }
        timer?.cancel()
        if byHand { save() }
        status.stage = .fetching
        let (scheduler, settings) = (scheduler, settings)
        queue.async { @Sendable [weak self] in
            let outcome = job(settings) { stage in scheduler.post { self?.take(stage) } }
            scheduler.post { self?.ended(outcome, byHand: byHand) }
        }
    }

    private func take(_ stage: SyncStage) {
        if status.isRunning { status.stage = stage }
    }

    /// Shows what became of a run, and begins or plans the next one.
    private func ended(_ outcome: SyncOutcome, byHand: Bool) {
        let before = status.outcome
        (status.stage, status.outcome) = (nil, outcome)
        lastEnd = scheduler.now
        switch outcome {
        case .done, .off: failures = 0
        case .busy, .offline, .refused, .undecided, .failed: (failures, share) = (failures + 1, backoffShare())
        }
        // In the background, a missing connection is only shown as a sign; other problems are reported once.
        if byHand {
            say(Texts.sentence(outcome), outcome.problem == nil ? .done : .refused)
        } else if let problem = outcome.problem, before?.problem != problem, !outcome.isOffline {
            say(problem, .refused)
        } else if case .done(_, _, let conflicts) = outcome, conflicts > 0 {
            say(Texts.newConflicts(conflicts), .done)
        }
        readFacts()
        if let next = following {
            following = nil
            run(byHand: next == .byHand)
        } else {
            plan()
        }
    }

    /// Stops planning runs; a run in progress ends by itself or with the program, and the next one continues its work.
    func stop() {
        timer?.cancel()
        timer = nil
        job = nil
    }
}

extension SyncOutcome {
    fileprivate var isOffline: Bool { if case .offline = self { true } else { false } }
}
