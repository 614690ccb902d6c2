import Dispatch
import NoteStore
import Synchronization

/// Takes in what other programs save in drafts that an editor has handed to them, while the window is open.
///
/// Without a window, every command does it.
final class HandedDraftWatch: Sendable {
    private let notebook: Notebook
    private let queue = DispatchQueue(label: "tn.drafts", qos: .utility)
    private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

    /// The time between two looks.
    private static let interval = DispatchTimeInterval.seconds(1)

    init(_ notebook: Notebook) { self.notebook = notebook }

    /// Looks every second from now on, until no other program may save a draft any more.
    func begin() {
        timer.withLock { timer in
            guard timer == nil else { return }
            let source = DispatchSource.makeTimerSource(queue: queue)
            source.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(200))
            source.setEventHandler { [weak self] in self?.look() }
            source.resume()
            timer = source
        }
    }

    /// Stops looking, and returns when nothing is being taken in any more.
    func finish() {
        stop()
        queue.sync {}
    }

    private func look() {
        OutsideEdit.importLeftoverDrafts(in: notebook)
        if !Draft.areAwaited(database: notebook.path) { stop() }
    }

    private func stop() {
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
        }
    }
}
