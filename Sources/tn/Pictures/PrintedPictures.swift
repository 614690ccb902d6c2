import DecodedPictures
import Foundation
import Markdown
import NoteStore
import Pictures
import SystemPackage
import Terminal

/// Prints the pictures of a text as half blocks, which any terminal with colours keeps in its scrollback.
struct PrintedPictures {
    /// Returns the bytes of the picture at an address; nil if there is none.
    let load: (String) -> Data?
    let depth: ColorDepth

    /// - Returns: nil if output is not a terminal, as colours go to terminals alone, or if they are not wanted or too few.
    init?(load: @escaping (String) -> Data?) {
        let depth = Capabilities(environment: ProcessInfo.processInfo.environment).colorDepth
        guard StandardOutput.wantsColor, depth >= .palette256 else { return nil }
        (self.load, self.depth) = (load, depth)
    }

    /// Prints the images of a notebook, `takenote://image/UUID`.
    init?(of notebook: Notebook) {
        self.init { address in
            guard address.lowercased().hasPrefix("takenote://image/") else { return nil }
            let uuid = UUID(uuidString: String(address.dropFirst(17)))
            return uuid.flatMap { try? notebook.images.load($0)?.imageData }  // an unreadable one keeps its label
        }
    }

    /// Prints the pictures in a folder or below it; other addresses are not resolved.
    init?(inFolder folder: FilePath) {
        self.init { address in
            guard !address.contains(":"), let path = address.removingPercentEncoding ?? address as String? else {
                return nil
            }
            let file = FilePath(path)
            guard file.isRelative, !file.components.contains(where: { $0.kind == .parentDirectory }) else { return nil }
            // A missing file, or a path that is not a file, keeps its label.
            return try? NoteImage.data(ofFile: folder.pushing(file).string, limit: 1 << 26)
        }
    }

    /// Returns the description of an image that can be drawn.
    func description(_ address: String) -> PreviewLayout.ImageDescription? {
        guard let data = load(address), let header = PictureHeader(data: data) else { return nil }
        return PreviewLayout.ImageDescription(
            type: header.format == .png ? "PNG" : "JPEG", size: Texts.size(data.count),
            pixels: PreviewLayout.PixelSize(width: header.shownWidth, height: header.shownHeight))
    }

    /// Returns the lines of a picture; nil if it cannot be decoded.
    func lines(of picture: PreviewLayout.Picture) -> [String]? {
        guard let data = load(picture.destination) else { return nil }
        // The label is printed instead.
        let pixels = try? PictureDecoder().pixels(of: Array(data), width: picture.columns, height: picture.rows * 2)
        return pixels.map { PictureMosaic($0).lines(depth) }
    }
}
