import Foundation
import Markdown
import NoteStore
import Processes

/// The services that the preview of a note needs besides its text.
extension TakeNoteVM {
    /// Returns the type and size of the notebook's image at an address; callable from any thread.
    public var imageDescriber: @Sendable (String) -> PreviewLayout.ImageDescription? {
        { [notebook] address in
            guard let uuid = imageIdentity(in: address),
                let facts = try? notebook.images.facts(uuid)  // an unreadable image is shown as missing
            else { return nil }
            var description = PreviewLayout.ImageDescription(
                type: facts.mimeType == .png ? "PNG" : "JPEG", size: Texts.size(facts.byteCount))
            if let width = facts.width, let height = facts.height {
                description.pixels = PreviewLayout.PixelSize(width: width, height: height)
            }
            return description
        }
    }

    /// Returns the bytes of the notebook's image at an address; callable from any thread.
    public var imageLoader: @Sendable (String) -> Data? {
        { [notebook] address in
            // An image that cannot be read keeps its label in the preview.
            imageIdentity(in: address).flatMap { try? notebook.images.load($0)?.imageData }
        }
    }

    /// Computes something in the background, and delivers the result on the main actor.
    ///
    /// The threads are few: work that waits for a program or a network belongs on a thread of its own.
    public func inBackground<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then deliver: @escaping @MainActor @Sendable (Value) -> Void
    ) {
        let scheduler = scheduler
        backgroundThreads.run {
            let value = work()
            scheduler.post { deliver(value) }
        }
    }

    /// Runs work that waits for a program, a disk or a network, and delivers the result on the main actor.
    ///
    /// - Parameter name: the name of the thread, which is not shared.
    public func inBackground<Value: Sendable>(
        onOwnThread name: String, _ work: @escaping @Sendable () -> Value,
        then deliver: @escaping @MainActor @Sendable (Value) -> Void
    ) {
        let scheduler = scheduler
        onOwnThread(name) {
            let value = work()
            scheduler.post { deliver(value) }
        }
    }

    /// Runs work soon, after what is waiting for its turn.
    public func post(_ work: @escaping @MainActor @Sendable () -> Void) { scheduler.post(work) }

    /// Runs work once after a delay, unless it is cancelled.
    public func schedule(after delay: Duration, _ work: @escaping @MainActor () -> Void) -> ScheduledWork {
        scheduler.schedule(after: delay, work)
    }
}

private let imageScheme = "takenote://image/"

private func imageIdentity(in address: String) -> UUID? {
    guard address.lowercased().hasPrefix(imageScheme) else { return nil }
    return UUID(uuidString: String(address.dropFirst(imageScheme.count)))
}
