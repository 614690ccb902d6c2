import Foundation
import Terminal

/// Reports the terminal's capabilities in words.
@MainActor
final class TerminalFacts: TerminalApplication {
    private let loop: EventLoop
    /// The time after which a terminal is assumed not to answer; one that answers is not waited for so long.
    private static let patience = Duration.seconds(5)
    /// The maximum number of input lines in a report; the keys that a report is about were pressed last.
    private static let maximumLogLines = 60

    /// Shows keys, colours and widths until the user quits; in a script, only queries the terminal.
    ///
    /// - Returns: the lines for a report: the terminal's capabilities, and the last input.
    /// - Throws: `Failure` if there is no terminal.
    static func ask() throws -> [(String, String)] {
        let device = try TerminalDevice.open(for: Texts.Purpose.doctor)
        let loop = EventLoop(device: device)
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            let facts = TerminalFacts(loop)
            facts.giveUp(after: patience)
            try loop.run(facts)
            return words(device.capabilities, device.size)
        }
        let report = TerminalReport(loop: loop)
        try loop.run(report)
        return words(device.capabilities, device.size) + report.log.suffix(maximumLogLines).map { ("input", $0) }
    }

    private init(_ loop: EventLoop) {
        self.loop = loop
    }

    private func giveUp(after delay: Duration) {
        loop.schedule(after: delay) { [loop, weak self] in
            // An answer that waits was in time, though this process was not.
            if loop.hasPendingInput { self?.giveUp(after: .zero) } else { loop.stop(.quit(status: 0)) }
        }
    }

    func handle(_ events: [InputEvent]) {
        if loop.device.capabilities.isProbed { loop.stop(.quit(status: 0)) }
    }

    func frame(size: Size) -> Screen? { nil }

    private static func words(_ found: Capabilities, _ size: Size) -> [(String, String)] {
        let lines = [
            DoctorTexts.terminal(found, size), DoctorTexts.has(found), DoctorTexts.lacks(found),
            DoctorTexts.answers(found),
        ]
        return lines.map { ("terminal", $0) }
    }
}
