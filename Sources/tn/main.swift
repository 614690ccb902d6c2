// The main thread is the main actor and stays synchronous: it never enters a run loop other than the program's own.
import Foundation

StandardStreams.holdClosedOnes()
if let failure = OpenFileLimit.raise() {
    failure.print()
    exit(failure.status)
}
QuitSignal.endAtOnce()
ChildSignal.takeDefault()
FileSizeSignal.becomeError()
exit(MainActor.assumeIsolated { Program.run(Array(CommandLine.arguments.dropFirst())) })
