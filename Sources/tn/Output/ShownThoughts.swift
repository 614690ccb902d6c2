import Foundation
import Intelligence
import Synchronization

/// A model's reasoning and searches before its answer: dim on a terminal, and nowhere else.
final class ShownThoughts: Sendable {
    private let isShown: Bool
    /// Whether the last line has not been ended.
    private let isOpen = Mutex(false)

    init() { isShown = isatty(STDERR_FILENO) == 1 }

    func write(_ text: String) {
        guard isShown, !text.isEmpty else { return }
        let visible = StreamedOutput.visible(text)
        // Rainbow asks for standard output alone, which may be a pipe here.
        StandardError.write(part: StandardOutput.allowsColor ? "\u{1B}[2m\(visible)\u{1B}[22m" : visible)
        isOpen.withLock { $0 = !text.hasSuffix("\n") }
    }

    /// Ends the last line, before the answer.
    func end() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if wasOpen { StandardError.write(part: "\n") }
    }
}
