import ArgumentParser
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The system's limit on the threads that this process may start.
///
/// If Dispatch gets no thread, it tries again each second, for ever, and says nothing.
enum ThreadLimit {
    /// The threads besides the main one that a command needs at most, and those that a window needs (tried 2026-11).
    static let command = 3
    static let window = 12

    /// Throws the reason why a program that needs `count` threads cannot run, if the system gives it fewer.
    ///
    /// Twelve threads take a third of a millisecond.
    static func require(_ count: Int) throws {
        guard !canStart(count) else { return }
        throw Failure.tooFewThreads(of: count)
    }

    /// Whether this process may have as many further threads at once; starts them and lets them end.
    static func canStart(_ count: Int) -> Bool {
        let gate = DispatchSemaphore(value: 0)
        let argument = Unmanaged.passUnretained(gate).toOpaque()
        var threads: [pthread_t] = []
        for _ in 0..<count {
            guard let thread = start(argument) else { break }
            threads.append(thread)
        }
        // The threads do not own the gate.
        withExtendedLifetime(gate) {
            for _ in threads { gate.signal() }
            for thread in threads { pthread_join(thread, nil) }
        }
        return threads.count == count
    }

    /// Starts a thread that waits for a semaphore and ends; nil if the system starts none.
    private static func start(_ gate: UnsafeMutableRawPointer) -> pthread_t? {
        #if canImport(Glibc)
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { gate in
                if let gate { Unmanaged<DispatchSemaphore>.fromOpaque(gate).takeUnretainedValue().wait() }
                return nil
            }, gate)
        #else
        var thread: pthread_t?
        let result = pthread_create(
            &thread, nil,
            { gate in
                Unmanaged<DispatchSemaphore>.fromOpaque(gate).takeUnretainedValue().wait()
                return nil
            }, gate)
        #endif
        return result == 0 ? thread : nil
    }
}

/// A command that works on several threads, or that closes a notebook, which Dispatch does on another thread.
protocol ThreadedCommand: ParsableCommand {}

extension Backup: ThreadedCommand {}
extension Doctor: ThreadedCommand {}
extension EmptyTrash: ThreadedCommand {}
extension Import: ThreadedCommand {}
extension RestoreBackup: ThreadedCommand {}
extension Status: ThreadedCommand {}
extension Ask: ThreadedCommand {}
extension Assist: ThreadedCommand {}
extension Format: ThreadedCommand {}
extension Summarize: ThreadedCommand {}
extension ModelIndex: ThreadedCommand {}
extension ModelTest: ThreadedCommand {}
extension SyncNow: ThreadedCommand {}
extension SyncInit: ThreadedCommand {}
extension SyncStatus: ThreadedCommand {}
extension SyncPassphrase: ThreadedCommand {}
extension SyncRekey: ThreadedCommand {}
extension SyncOff: ThreadedCommand {}
