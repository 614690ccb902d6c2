import Foundation
import Markdown
import NoteStore

/// The images that the preview of a note shows.
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
}

private let imageScheme = "takenote://image/"

private func imageIdentity(in address: String) -> UUID? {
    guard address.lowercased().hasPrefix(imageScheme) else { return nil }
    return UUID(uuidString: String(address.dropFirst(imageScheme.count)))
}
