import Dispatch
import GRDB
import Synchronization
import SystemPackage

/// The changes of a commit.
public struct StoreChange: Equatable, Sendable {
    public enum Source: Sendable { case thisProgram, anotherProgram }

    public var source: Source
    /// The notes whose rows or texts may differ; `nil` means that any may.
    public var notes: Set<NoteID>? = []
    /// Whether the tree or its counts may differ.
    public var containers = false

    var isEmpty: Bool { notes?.isEmpty == true && !containers }
}

/// An observation of changes, which ends when it is released or cancelled.
public final class ChangeObservation: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    public func cancel() { end() }

    deinit { end() }
}

/// Tells observers about commits, by this program and by others.
///
/// While anyone observes, it reads `PRAGMA data_version` on the writing connection every 400 ms to notice commits by
/// other programs: the value changes when another connection has committed, and reading it costs a look into shared
/// memory. Once no file of the notebook has been written for a while it sleeps until one is, where the system tells of
/// that, so that an idle program is idle.
final class ChangeCenter: Sendable {
    private struct State {
        var files: FolderWrites?
        /// When a file of the notebook was written last, as far as it is known.
        var written = ContinuousClock.now
        var isAsleep = false
        var handlers: [Int: @Sendable (StoreChange) -> Void] = [:]
        var next = 0
        var timer: (any DispatchSourceTimer)?
        var version: Int64?
        var connections: NotebookConnections?
        var gate: ClosingGate?
    }

    private let state = Mutex(State())
    /// Handlers run here, one at a time, in the order of the commits.
    private let queue = DispatchQueue(label: "NoteStore.changes", qos: .utility)

    /// The interval of the checks for other programs' commits, which must be reported within half a second.
    private static let interval = DispatchTimeInterval.milliseconds(400)
    /// The interval while it sleeps, since a disk may need any time between writing a commit and publishing it.
    private static let sleepingInterval = DispatchTimeInterval.seconds(60)
    private let path: String
    private let wakefulness: Duration

    /// - Parameters:
    ///   - path: the notebook's file.
    ///   - wakefulness: how long after a write it falls asleep. A commit is visible once its log is on the disk, and the
    ///     system tells only of what was written before.
    init(_ path: String, wakefulness: Duration) { (self.path, self.wakefulness) = (path, wakefulness) }

    /// Whether it looks seldom until something is written.
    var isAsleep: Bool { state.withLock { $0.isAsleep } }

    /// Looks for commits through these connections from now on, while they are not being exchanged.
    func look(through connections: NotebookConnections, passing gate: ClosingGate) {
        state.withLock { ($0.connections, $0.gate) = (connections, gate) }
    }

    /// Remembers the current data version, so that no commit after opening is missed.
    func begin() { queue.sync { look() } }

    /// Looks through new connections, and tells that anything may have changed while there were others.
    func connectionsChanged() {
        queue.async {
            self.state.withLock { $0.version = nil }
            self.look()
            self.deliver(StoreChange(source: .anotherProgram, notes: nil, containers: true))
        }
    }

    func post(_ change: StoreChange) {
        if change.isEmpty || state.withLock({ $0.handlers.isEmpty }) { return }
        queue.async { self.deliver(change) }
    }

    func observe(_ handler: @escaping @Sendable (StoreChange) -> Void) -> ChangeObservation {
        let number = state.withLock { state in
            state.next += 1
            state.handlers[state.next] = handler
            return state.next
        }
        startTimer()
        return ChangeObservation { [weak self] in self?.remove(number) }
    }

    func stop() {
        state.withLock { state in
            state.handlers = [:]
            Self.end(&state)
        }
    }

    private func remove(_ number: Int) {
        state.withLock { state in
            state.handlers[number] = nil
            if state.handlers.isEmpty { Self.end(&state) }
        }
    }

    private static func end(_ state: inout State) {
        state.timer?.cancel()
        (state.timer, state.files) = (nil, nil)
    }

    private func startTimer() {
        state.withLock { state in
            guard state.timer == nil else { return }
            let timer = DispatchSource.makeTimerSource(queue: queue)
            Self.schedule(timer, every: Self.interval)
            timer.setEventHandler { [weak self] in
                self?.look()
                self?.followFolder()
                self?.sleepIfIdle()
            }
            timer.resume()
            let file = FilePath(path)
            let files = FolderWrites(
                file.parent.isEmpty ? "." : file.parent.string, prefix: file.lastComponent?.string ?? "", on: queue
            ) { [weak self] in self?.wake() }
            (state.timer, state.files, state.isAsleep, state.written) = (timer, files, false, .now)
        }
    }

    private static func schedule(_ timer: any DispatchSourceTimer, every interval: DispatchTimeInterval) {
        timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(50))
    }

    /// Stays awake, or wakes, if the notebook's folder is not the one whose writes are told; runs on `queue`.
    private func followFolder() {
        let files = state.withLock { state in
            let isIdle = state.isAsleep || ContinuousClock.now - state.written > wakefulness
            return isIdle ? state.files : nil
        }
        if let files, !files.stillTells() { wake() }
    }

    /// Looks seldom once nothing has been written for a while, if writes are told; runs on `queue`.
    private func sleepIfIdle() {
        state.withLock { state in
            guard let timer = state.timer, state.files != nil, !state.isAsleep,
                ContinuousClock.now - state.written > wakefulness
            else { return }
            state.isAsleep = true
            Self.schedule(timer, every: Self.sleepingInterval)
        }
    }

    /// Looks often again, because a file of the notebook was written; runs on `queue`.
    private func wake() {
        let wasAsleep = state.withLock { state in
            state.written = .now
            guard state.isAsleep, let timer = state.timer else { return false }
            state.isAsleep = false
            Self.schedule(timer, every: Self.interval)
            return true
        }
        if wasAsleep { look() }
    }

    private func deliver(_ change: StoreChange) {
        let handlers = state.withLock { Array($0.handlers.values) }
        for handler in handlers { handler(change) }
    }

    /// Checks whether another connection has committed since the last check.
    ///
    /// Runs on `queue`.
    private func look() {
        let (connections, gate) = state.withLock { ($0.connections, $0.gate) }
        var read: Int64?
        gate?.passIfOpen {
            // Checked again; a save reports errors.
            read = try? connections?.present.database.unsafeReentrantWrite(Self.dataVersion)
        }
        guard let version = read else { return }
        let moved = state.withLock { state in
            defer { state.version = version }
            return state.version.map { $0 != version } ?? false
        }
        guard moved else { return }
        var change = StoreChange(source: .anotherProgram)
        change.notes = nil
        change.containers = true
        deliver(change)
    }

    private static func dataVersion(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
    }
}

extension Notebook {
    /// Calls `handler` after each commit, off the main thread.
    ///
    /// It is called at once for a commit by this program, and within half a second for one by another program.
    ///
    /// The observation ends when the returned value is released.
    public func observeChanges(_ handler: @escaping @Sendable (StoreChange) -> Void) -> ChangeObservation {
        changes.observe(handler)
    }
}
