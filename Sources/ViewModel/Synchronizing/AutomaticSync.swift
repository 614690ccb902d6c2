import Dispatch
import NoteStore
import Observation

/// Synchronises the notebook while the window is open: after a change, now and then, and when it is told to.
///
/// The work runs on a thread of its own and its results come through the scheduler, so no key ever waits for it. It
/// asks nothing: what only a person can decide is said, and waits.
@MainActor
@Observable
public final class AutomaticSync {
    /// What the status line shows.
    public private(set) var status = SyncStatus()
    /// When to run; applies at once.
    @ObservationIgnored public var settings = SyncSettings() { didSet { if settings != oldValue { plan() } } }
    /// Synchronises once, on another thread.
    ///
    /// Without it nothing ever runs.
    @ObservationIgnored public var job: Job?
    /// Called before a run, so that what was typed goes along.
    @ObservationIgnored var save: @MainActor () -> Void = {}
    @ObservationIgnored var say: @MainActor (String, Notice.Kind) -> Void = { _, _ in }

    public typealias Job = @Sendable (SyncSettings, _ tell: @escaping @Sendable (SyncStage) -> Void) -> SyncOutcome

    @ObservationIgnored private let notebook: Notebook
    @ObservationIgnored private let scheduler: any MainScheduler
    @ObservationIgnored private let queue = DispatchQueue(label: "tn.sync", qos: .utility)
    @ObservationIgnored private var timer: ScheduledWork?
    @ObservationIgnored private var isReading = false
    @ObservationIgnored private var mustReadAgain = false
    @ObservationIgnored private var mustRunAgain = false
    /// Whether somebody waits for what comes of the next run.
    @ObservationIgnored private var isAwaited = false
    /// The last mark that is known; a greater one is a change.
    @ObservationIgnored private var lastMark: Int64 = 0
    /// When the last synchronisation ended that is known, by whatever program.
    @ObservationIgnored private var lastTime: String?
    @ObservationIgnored private var lastChange: ContinuousClock.Instant?
    @ObservationIgnored private var firstChange: ContinuousClock.Instant?
    @ObservationIgnored private var lastEnd: ContinuousClock.Instant?
    @ObservationIgnored private var failures = 0

    /// The first run waits until the first frame is long shown.
    private static let startDelay = Duration.seconds(1)
    /// Who never pauses is sent all the same.
    private static let longestWait = Duration.seconds(300)
    /// Failed tries come ever more seldom, at last as seldom as this.
    private static let longestBackoff = Duration.seconds(600)
    private static let firstBackoff = Duration.seconds(30)

    init(notebook: Notebook, scheduler: any MainScheduler) {
        (self.notebook, self.scheduler) = (notebook, scheduler)
    }

    // MARK: - What changed

    /// Reads anew what waits to be sent; called after every change of the notebook.
    func readFacts() {
        guard !isReading else { return mustReadAgain = true }
        isReading = true
        let (notebook, scheduler) = (notebook, scheduler)
        queue.async { @Sendable [weak self] in
            // What cannot be read now is read after the next change.
            let facts = try? notebook.sync.facts()
            scheduler.post { self?.take(facts) }
        }
    }

    private func take(_ facts: Notebook.Sync.Facts?) {
        isReading = false
        if mustReadAgain {
            mustReadAgain = false
            readFacts()
        }
        guard let facts else { return }
        if facts.isOn != status.isOn { (lastMark, lastEnd, failures, status.outcome) = (0, nil, 0, nil) }
        // A person has decided, in a shell.
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
        // A line that is drawn anew for nothing would cost bytes with every save.
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
            return lastEnd + min(Self.longestBackoff, Self.firstBackoff * (1 << min(failures - 1, 10)))
        }
        var due = settings.every > 0 ? lastEnd + .seconds(settings.every * 60) : nil
        if let lastChange, let firstChange {
            // What a run has left waits for the next one like a change.
            let quiet = max(
                min(lastChange + .seconds(settings.pause), firstChange + Self.longestWait),
                lastEnd + .seconds(settings.pause))
            due = due.map { min($0, quiet) } ?? quiet
        }
        return due
    }

    // MARK: - Running

    /// Synchronises now.
    ///
    /// - Parameter byHand: whether somebody waits for what comes of it.
    public func run(byHand: Bool = true) {
        guard let job else { return }
        guard status.isOn else {
            if byHand { say(Texts.notSynchronised, .refused) }
            return
        }
        guard !status.isRunning else { return (mustRunAgain, isAwaited) = (true, isAwaited || byHand) }
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

    private func ended(_ outcome: SyncOutcome, byHand: Bool) {
        let before = status.outcome
        (status.stage, status.outcome) = (nil, outcome)
        lastEnd = scheduler.now
        switch outcome {
        case .done, .off: failures = 0
        case .busy, .offline, .refused, .undecided, .failed: failures += 1
        }
        // In the background a line that is down is shown, not said; what needs a person is said once.
        if byHand {
            say(Texts.sentence(outcome), outcome.problem == nil ? .done : .refused)
        } else if let problem = outcome.problem, before?.problem != problem, !outcome.isOffline {
            say(problem, .refused)
        } else if case .done(_, _, let conflicts) = outcome, conflicts > 0 {
            say(Texts.newConflicts(conflicts), .done)
        }
        readFacts()
        if mustRunAgain {
            let byHand = isAwaited
            (mustRunAgain, isAwaited) = (false, false)
            run(byHand: byHand)
        } else {
            plan()
        }
    }

    /// Ends planning; a run that is under way ends by itself, or with the program, and the next one goes on.
    func stop() {
        timer?.cancel()
        timer = nil
        job = nil
    }
}

extension SyncOutcome {
    fileprivate var isOffline: Bool { if case .offline = self { true } else { false } }
}
