import Processes

/// Work beside the main actor, and later on it.
extension TakeNoteVM {
    /// Computes something in the background, and delivers the result on the main actor.
    ///
    /// The threads are few: work that waits for a program or a network belongs on a thread of its own.
    public func inBackground<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then deliver: @escaping @MainActor @Sendable (Value) -> Void
    ) {
        let scheduler = scheduler
        backgroundThreads.run {
            let value = work()
            scheduler.post { deliver(value) }
        }
    }

    /// Runs work that waits for a program, a disk or a network, and delivers the result on the main actor.
    ///
    /// - Parameter name: the name of the thread, which is not shared.
    public func inBackground<Value: Sendable>(
        onOwnThread name: String, _ work: @escaping @Sendable () -> Value,
        then deliver: @escaping @MainActor @Sendable (Value) -> Void
    ) {
        let scheduler = scheduler
        onOwnThread(name) {
            let value = work()
            scheduler.post { deliver(value) }
        }
    }

    /// Runs work soon, after what is waiting for its turn.
    public func post(_ work: @escaping @MainActor @Sendable () -> Void) { scheduler.post(work) }

    /// Runs work once after a delay, unless it is cancelled.
    public func schedule(after delay: Duration, _ work: @escaping @MainActor () -> Void) -> ScheduledWork {
        scheduler.schedule(after: delay, work)
    }
}
