import Foundation
import Processes
import Synchronization

/// Ends the program that a command runs when this one is told to end, since that program has its own process group.
final class EndSignals: @unchecked Sendable {
    // Nothing in it changes after `init`; `sigaction` is not Sendable only because it contains a function's address.
    private let sources: [any DispatchSourceSignal]
    /// The signals that are taken, with what they did before.
    private let taken: [(number: Int32, before: sigaction)]
    /// The signal that has stopped a program; 0 for none.
    private static let received = Atomic<Int32>(0)

    /// The exit status of a command that was stopped: 128 and the signal's number.
    static var status: Failure.Status {
        Failure.Status(rawValue: 128 + received.load(ordering: .sequentiallyConsistent)) ?? .stopped
    }

    init(_ stop: CommandStop) {
        // A caller that ignores a signal wants it to stay ignored.
        taken = [SIGINT, SIGTERM, SIGHUP].filter { !StopSignal.isIgnored($0) }.map { number in
            var before = sigaction()
            sigaction(number, nil, &before)
            return (number, before)
        }
        // Dispatch takes a signal on a thread of its own; one that came before would be lost, and the command would go on.
        let registered = DispatchGroup()
        let queue = DispatchQueue(label: "tn.signals", qos: .userInitiated)
        sources = taken.map { number, _ in
            #if !os(Linux)
            // The source gets a signal only if the signal's own action is ignored. On Linux Dispatch replaces the action.
            signal(number, SIG_IGN)
            #endif
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { @Sendable in
                Self.received.store(number, ordering: .sequentiallyConsistent)
                stop.stop()
            }
            registered.enter()
            source.setRegistrationHandler { @Sendable in registered.leave() }
            source.resume()
            return source
        }
        registered.wait()
    }

    deinit {
        restore()
        for source in sources { source.cancel() }
    }

    private func restore() {
        for signal in taken {
            var before = signal.before
            sigaction(signal.number, &before, nil)
        }
    }
}
