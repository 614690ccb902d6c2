import Foundation
import Markdown

extension Notebook.Transfer {
    /// Returns the manuscript as an EPUB 3.3: a title page, a page for each section, and a table of contents.
    ///
    /// Pictures may be JPEG, PNG, GIF or WebP, which readers show since EPUB 3.3 (3.2, Core media types).
    public func book(of manuscript: Manuscript) throws(StoreError) -> [UInt8] {
        let pages = try ManuscriptPages(notebook, manuscript, for: .book)
        var files: [BookFile] = [
            BookFile("title.xhtml", manuscript.bookPage("<header class=\"title\">\n\(manuscript.titlePage)</header>"))
        ]
        for (index, section) in manuscript.sections.enumerated() {
            let level = min(section.level, 6)
            let heading = section.showsTitle ? "<h\(level)>\(XMLText.escaped(section.title))</h\(level)>\n" : ""
            let html = try pages.html(ofSection: index, headingLevel: level)
            files.append(
                BookFile(
                    ManuscriptPages.fileName(ofSection: index),
                    manuscript.bookPage(heading + Markdown.wellFormed(html), title: section.title)))
        }
        let spine = files.map(\.name)
        files.append(BookFile("nav.xhtml", manuscript.bookPage(manuscript.contents)))
        files.append(BookFile("style.css", Manuscript.style))
        files += pages.pictures.map { BookFile("images/" + $0.name, $0.bytes) }
        var zip = ZipWriter()
        // Readers recognise the format by this file, which must be the first (OCF 3.3, 4.3).
        try zip.add("mimetype", Array("application/epub+zip".utf8))
        try zip.add("META-INF/container.xml", Array(Self.container.utf8))
        try zip.add("OEBPS/content.opf", Array(manuscript.package(files.map(\.name), spine: spine).utf8))
        for file in files { try zip.add("OEBPS/" + file.name, file.bytes) }
        return zip.finished()
    }

    private static let container = """
        <?xml version="1.0" encoding="UTF-8"?>
        <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
        <rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles>
        </container>

        """
}

private struct BookFile {
    let name: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
    init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }
}

extension Manuscript {
    fileprivate func bookPage(_ body: String, title: String? = nil) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE html>
        <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">
        <head>
        <title>\(XMLText.escaped(title ?? self.title))</title>
        <link rel="stylesheet" type="text/css" href="style.css" />
        </head>
        <body>
        \(body)
        </body>
        </html>

        """
    }

    /// The table of contents as nested lists.
    fileprivate var contents: String {
        var html = "<nav epub:type=\"toc\" id=\"toc\">\n<h1>\(XMLText.escaped(title))</h1>\n<ol>\n"
        html += "<li><a href=\"title.xhtml\">\(XMLText.escaped(title))</a>"
        var level = 1
        for (index, section) in sections.enumerated() {
            // A list is part of the entry above it, so no level can be skipped.
            let next = min(section.level, index == 0 ? 1 : level + 1)
            if next > level {
                html += "\n<ol>\n"
            } else {
                html += "</li>\n" + String(repeating: "</ol></li>\n", count: level - next)
            }
            level = next
            let name = ManuscriptPages.fileName(ofSection: index)
            html += "<li><a href=\"\(name)\">\(XMLText.escaped(section.title))</a>"
        }
        return html + "</li>\n" + String(repeating: "</ol></li>\n", count: level - 1) + "</ol>\n</nav>"
    }

    /// Returns the package document: the list of the book's files, and the book's metadata.
    fileprivate func package(_ files: [String], spine: [String]) -> String {
        let kinds = ["xhtml": "application/xhtml+xml", "css": "text/css", "jpg": "image/jpeg"]
        let items = files.enumerated().map { index, name in
            let ending = String(name.split(separator: ".").last ?? "")
            let properties = name == "nav.xhtml" ? " properties=\"nav\"" : ""
            return
                "<item id=\"f\(index)\" href=\"\(name)\" media-type=\"\(kinds[ending] ?? "image/\(ending)")\"\(properties)/>"
        }
        let order = files.indices.filter { spine.contains(files[$0]) }.map { "<itemref idref=\"f\($0)\"/>" }
        let creator = author.isEmpty ? "" : "<dc:creator>\(XMLText.escaped(author))</dc:creator>\n"
        let modified = Date.ISO8601FormatStyle().format(updated)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
            <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
            <dc:identifier id="id">urn:uuid:\(id.uuidString.lowercased())</dc:identifier>
            <dc:title>\(XMLText.escaped(title.isEmpty ? "Untitled" : title))</dc:title>
            <dc:language>und</dc:language>
            \(creator)<meta property="dcterms:modified">\(modified)</meta>
            </metadata>
            <manifest>
            \(items.joined(separator: "\n"))
            </manifest>
            <spine>
            \(order.joined(separator: "\n"))
            </spine>
            </package>

            """
    }
}
