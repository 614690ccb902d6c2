import Processes
import Synchronization

/// An answer that is printed while it arrives.
final class StreamedOutput: Sendable {
    private struct State {
        var endsWithLine = true
        var isEmpty = true
        var problem: (any Error)?
    }

    private let state = Mutex(State())
    private let stop: CommandStop

    /// - Parameter stop: ends the model when nobody reads its answer any more.
    init(_ stop: CommandStop) { self.stop = stop }

    /// Prints a piece of the answer at once; an error is thrown by `finish`.
    func write(_ text: String) {
        state.withLock { state in
            guard state.problem == nil, !text.isEmpty else { return }
            do {
                // Line ends and tabs are printed; any other control character is made visible, so that the terminal
                // does not obey it.
                let shown = StandardOutput.isTerminal ? Self.visible(text) : text
                try StandardOutput.write(shown.utf8)
                try StandardOutput.flush()
                state.endsWithLine = text.hasSuffix("\n")
                state.isEmpty = false
            } catch {
                state.problem = error
                stop.stop()
            }
        }
    }

    static func visible(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0).visible }
                .joined(separator: "\t")
        }.joined(separator: "\n")
    }

    /// Ends the last line; throws the error of an earlier write.
    func finish() throws {
        let state = state.withLock { $0 }
        if let problem = state.problem { throw problem }
        if !state.isEmpty, !state.endsWithLine { try StandardOutput.write(line: "") }
        try StandardOutput.flush()
    }
}
