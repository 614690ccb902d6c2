import Dispatch
import Foundation
import NoteStore

/// What the full-screen program does for the notebook behind the scenes: the snapshot for other programs, the daily
/// backup, and keeping the tables within their bounds.
///
/// They run on a queue of their own and never at once with the start: the first frame comes first.
final class Housekeeping: Sendable {
    private let notebook: Notebook
    private let queue = DispatchQueue(label: "tn.housekeeping", qos: .utility)
    /// Told of a failure that costs no text, from another thread.
    private let report: @Sendable (String) -> Void

    /// How long after the start it is done first, so that the first frame comes before it.
    static let firstDelay = Duration.seconds(1)
    /// How often it is done while the program runs.
    static let interval = Duration.seconds(600)

    init(_ notebook: Notebook, report: @escaping @Sendable (String) -> Void) {
        self.notebook = notebook
        self.report = report
    }

    /// Has it done soon, by another thread.
    func begin() {
        queue.async { @Sendable [self] in work() }
    }

    /// Writes the snapshot a last time, and returns when nothing is under way any more.
    func finish() {
        queue.sync { writeSnapshot() }
    }

    private func work() {
        writeSnapshot()
        do {
            try notebook.backups.createDaily()
        } catch {
            report(Texts.noBackup(error))
        }
        // Not waited for by whoever quits: it is done in small steps, and the first one after the notebook was closed ends it.
        DispatchQueue.global(qos: .utility).async { @Sendable [notebook] in
            try? notebook.care.keepWithinBounds()  // costs room, and is done again in ten minutes
        }
    }

    private func writeSnapshot() {
        do {
            try notebook.transfer.writeSnapshot(to: Notebook.stateFolder() + "/snapshot.json")
        } catch {
            report(Texts.noSnapshot(error))
        }
    }
}
