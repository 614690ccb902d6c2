import Foundation
import Markdown
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
                let ending = ["jpeg": "jpg", "svg+xml": "svg"][type] ?? SafeName.ofFile(type)
                return LinkRewriter.address(of: "\(path.lastComponent?.string ?? "")/\(name)\(number).\(ending)")
            })
    }

    /// Returns the picture's bytes in the page's HTML.
    func content(in html: String, limit: Int, modified: Date) throws(ImportFailure) -> RegularFile.Content {
        let pictures = Self.markdown(html, at: page).pictures
        guard pictures.indices.contains(number - 1),
            let data = Data(base64Encoded: pictures[number - 1], options: .ignoreUnknownCharacters), !data.isEmpty
        else { throw ImportFailure(.notFound) }
        let isTooLarge = data.count > limit
        return RegularFile.Content(
            bytes: isTooLarge ? [] : Array(data), modified: modified, size: data.count, isTooLarge: isTooLarge)
    }
}
