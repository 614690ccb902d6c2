import Dispatch
import Foundation
import Markdown
import NoteStore

/// What a note that is laid out for reading needs besides its text.
extension TakeNoteVM {
    /// Describes the notebook's images by their addresses; may be called on any thread.
    public var imageDescriber: @Sendable (String) -> PreviewLayout.ImageDescription? {
        { [notebook] address in
            guard address.lowercased().hasPrefix(imageScheme),
                let uuid = UUID(uuidString: String(address.dropFirst(imageScheme.count))),
                let facts = try? notebook.images.facts(uuid)  // unreadable is shown as missing: by its alternative text
            else { return nil }
            return PreviewLayout.ImageDescription(
                type: facts.mimeType == .png ? "PNG" : "JPEG", size: Texts.size(facts.byteCount))
        }
    }

    /// Works behind the main actor, and brings the result back to it.
    public func inBackground<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then deliver: @escaping @MainActor @Sendable (Value) -> Void
    ) {
        let scheduler = scheduler
        DispatchQueue.global(qos: .userInitiated).async { @Sendable in
            let value = work()
            scheduler.post { deliver(value) }
        }
    }

    /// Works once, some time from now, unless that is cancelled.
    public func schedule(after delay: Duration, _ work: @escaping @MainActor () -> Void) -> ScheduledWork {
        scheduler.schedule(after: delay, work)
    }
}

private let imageScheme = "takenote://image/"
