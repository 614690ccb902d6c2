import Dispatch
import Foundation
import NoteStore
import Processes

/// The full-screen program's background work for the notebook.
///
/// It writes the snapshot for other programs, makes the daily backup, and keeps the tables within their limits. The
/// work runs on a private queue and never immediately at the start: the first frame comes first.
final class Housekeeping: Sendable {
    private let notebook: Notebook
    private let queue = DispatchQueue(label: "tn.housekeeping", qos: .utility)
    /// Reports a failure that loses no text; called on another thread.
    private let report: @Sendable (String) -> Void

    /// The delay of the first run after the start, so that the first frame comes before it.
    static let firstDelay = Duration.seconds(1)
    /// The time between two runs.
    static let interval = Duration.seconds(600)

    init(_ notebook: Notebook, report: @escaping @Sendable (String) -> Void) {
        self.notebook = notebook
        self.report = report
    }

    /// Starts the work on the background queue.
    func begin() {
        queue.async { @Sendable [self] in work() }
    }

    /// Writes the snapshot a last time, and returns when no work on the queue is running any more.
    func finish() {
        queue.sync { writeSnapshot() }
    }

    /// Does what is due; each part by itself, so that an error in one does not stop the others.
    private func work() {
        do {
            try notebook.care.readTags()
        } catch {
            report(Texts.noTags(error))
        }
        writeSnapshot()
        do {
            // A copy takes several megabytes, which a window would otherwise keep all day.
            if try notebook.backups.createDaily() != nil { notebook.care.returnFreeMemory() }
        } catch {
            report(Texts.noBackup(error))
        }
        // Quitting does not wait for this: it runs in small steps, and the first one after the notebook is closed ends
        // it. It waits for other programs that write.
        onOwnThread("tn.bounds") { [notebook, report] in
            do {
                try notebook.care.keepWithinBounds()
            } catch StoreError.closed, StoreError.busy, StoreError.interrupted {
                // The next run is in ten minutes, or in the next window.
            } catch {
                report(Texts.notTrimmed(error))
            }
        }
    }

    private func writeSnapshot() {
        do {
            try notebook.transfer.writeSnapshot(to: SnapshotFile.path(of: notebook.path))
        } catch {
            report(Texts.noSnapshot(error))
        }
    }
}
