import Dispatch
import GRDB
import Synchronization

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
/// memory.
final class ChangeCenter: Sendable {
    private struct State {
        var handlers: [Int: @Sendable (StoreChange) -> Void] = [:]
        var next = 0
        var timer: (any DispatchSourceTimer)?
        var version: Int64?
        var link: NotebookLink?
        var gate: ClosingGate?
    }

    private let state = Mutex(State())
    /// Handlers run here, one at a time, in the order of the commits.
    private let queue = DispatchQueue(label: "NoteStore.changes", qos: .utility)

    /// The interval of the checks for other programs' commits, which must be reported within half a second.
    private static let interval = DispatchTimeInterval.milliseconds(400)

    /// Looks for commits through these connections from now on, while they are not being exchanged.
    func look(through link: NotebookLink, passing gate: ClosingGate) {
        state.withLock { ($0.link, $0.gate) = (link, gate) }
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
            state.timer?.cancel()
            state.timer = nil
        }
    }

    private func remove(_ number: Int) {
        state.withLock { state in
            state.handlers[number] = nil
            guard state.handlers.isEmpty else { return }
            state.timer?.cancel()
            state.timer = nil
        }
    }

    private func startTimer() {
        state.withLock { state in
            guard state.timer == nil else { return }
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(
                deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(50))
            timer.setEventHandler { [weak self] in self?.look() }
            timer.resume()
            state.timer = timer
        }
    }

    private func deliver(_ change: StoreChange) {
        let handlers = state.withLock { Array($0.handlers.values) }
        for handler in handlers { handler(change) }
    }

    /// Checks whether another connection has committed since the last check.
    ///
    /// Runs on `queue`.
    private func look() {
        let (link, gate) = state.withLock { ($0.link, $0.gate) }
        var read: Int64?
        gate?.passIfOpen {
            // Checked again; a save reports errors.
            read = try? link?.connections.database.unsafeReentrantWrite(Self.dataVersion)
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
