import ArgumentParser
import Foundation
import NoteStore
import Synchronization

/// Reports what an import left out, and its remarks about complete notes.
///
/// Files that no note refers to are not missed, so they are named and change nothing of the status.
///
/// - Throws: the exit status of a command that had to skip something.
func report(_ problems: [ImportProblem], _ leftOut: [LeftOutFiles] = []) throws {
    var seen: Set<String> = []
    let sentences = problems.map(\.sentence) + leftOut.map(\.sentence)
    for sentence in sentences where seen.insert(sentence).inserted { StandardError.notice(sentence) }
    if problems.contains(where: { !$0.isRemark }) { throw ExitCode(Failure.Status.badData.rawValue) }
}

/// Shows progress on standard error if that is a terminal that can move its cursor.
enum Progress {
    private static var isShown: Bool { isatty(STDERR_FILENO) == 1 && !StandardOutput.isDumb }

    /// The time when the first of the present numbers was shown, and what they count.
    private static let start = Mutex<(time: ContinuousClock.Instant, work: String)?>(nil)

    /// - Parameter work: what is being done, in front of the bar; empty for the usual.
    static func show(_ done: Int, of all: Int, _ work: String = "") {
        guard isShown else { return }
        let elapsed = start.withLock { start in
            let first = start.flatMap { $0.work == work ? $0.time : nil } ?? .now
            start = (first, work)
            return .now - first
        }
        let lead = work.isEmpty ? "" : work + " "
        StandardError.write(part: "\r\u{1B}[K" + lead + line(done, of: all, after: elapsed))
    }

    /// Removes the bar, if there is one.
    static func clear() {
        let wasShown = start.withLock { start in
            defer { start = nil }
            return start != nil
        }
        guard wasShown else { return }
        StandardError.write(part: "\r\u{1B}[K")
    }

    /// Says a sentence in place of the bar, which the next number shows again.
    static func say(_ sentence: String) {
        if start.withLock({ $0 != nil }) { StandardError.write(part: "\r\u{1B}[K") }
        StandardError.notice(sentence)
    }

    /// The width of the bar in cells.
    private static let width = 24

    /// Returns `[######                  ] 1500 of 6280, 9 s left`; the time is shown after a second, when it can be
    /// estimated.
    static func line(_ done: Int, of all: Int, after elapsed: Duration) -> String {
        let part = all > 0 ? min(max(done, 0), all) * width / all : width
        let bar = String(repeating: "#", count: part) + String(repeating: " ", count: width - part)
        var line = "[\(bar)] \(done) of \(all)"
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        if seconds >= 1, done > 0, done < all {
            let left = Int((seconds * Double(all - done) / Double(done)).rounded(.up))
            line += ", " + Texts.timeLeft(left)
        }
        return line
    }
}
