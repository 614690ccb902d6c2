import Foundation
import Markdown
import Synchronization
import SystemPackage

/// A picture whose data is inside a web page, as Apple Notes writes its pictures.
///
/// It has a path as if the page were a folder: `Bread.html/picture-1.png`.
struct PagePicture {
    let page: FilePath
    /// The number of the picture in the page, from 1 on.
    private let number: Int

    private static let name = "picture-"

    /// `nil` for any other path.
    init?(_ path: FilePath) {
        let page = path.parent
        guard ImportPlan.pageExtensions.contains(page.lowercasedExtension), let stem = path.stem,
            stem.hasPrefix(Self.name), let number = Int(stem.dropFirst(Self.name.count)), number > 0
        else { return nil }
        (self.page, self.number) = (page, number)
    }

    /// Converts a page to Markdown with addresses of its pictures that are relative to the page's folder.
    static func markdown(_ html: String, at path: FilePath) -> MarkdownFromHTML {
        MarkdownFromHTML(
            html,
            picture: { number, type in
                // A type such as `vnd.microsoft.icon` has dots, and the number must be all of the name's stem.
                let ending = ["jpeg": "jpg", "svg+xml": "svg"][type] ?? SafeName.ofFile(type.replacing(".", with: "-"))
                return LinkRewriter.address(of: "\(path.lastComponent?.string ?? "")/\(name)\(number).\(ending)")
            })
    }

    /// Returns the picture's bytes.
    ///
    /// - Parameter pictures: the data of all pictures in the page, in Base64, in which an address may encode `+` and `=`.
    fileprivate func content(
        among pictures: [String], limit: Int, modified: Date
    ) throws(ImportFailure) -> RegularFile.Content {
        guard pictures.indices.contains(number - 1) else { throw ImportFailure(.notFound) }
        let written = pictures[number - 1].removingPercentEncoding ?? pictures[number - 1]
        guard let data = Data(base64Encoded: written, options: .ignoreUnknownCharacters), !data.isEmpty else {
            throw ImportFailure(.notFound)
        }
        let isTooLarge = data.count > limit
        return RegularFile.Content(
            bytes: isTooLarge ? [] : Array(data), modified: modified, size: data.count, isTooLarge: isTooLarge)
    }
}

/// The pictures in the page that was read last, so that a page with many is not converted for each.
final class PagePictures: Sendable {
    private let last = Mutex<(page: FilePath, pictures: [String], modified: Date)?>(nil)

    /// - Parameter read: Reads the page.
    func content(
        of picture: PagePicture, limit: Int, _ read: () throws(ImportFailure) -> (text: String, modified: Date)
    ) throws(ImportFailure) -> RegularFile.Content {
        if let known = last.withLock({ $0 }), known.page == picture.page {
            return try picture.content(among: known.pictures, limit: limit, modified: known.modified)
        }
        let (html, modified) = try read()
        let pictures = PagePicture.markdown(html, at: picture.page).pictures
        last.withLock { $0 = (picture.page, pictures, modified) }
        return try picture.content(among: pictures, limit: limit, modified: modified)
    }
}
