import Foundation
import Markdown

extension Notebook.Transfer {
    /// Returns the manuscript as one page of HTML without external files.
    public func page(of manuscript: Manuscript) throws(StoreError) -> String {
        let pages = try ManuscriptPages(notebook, manuscript, for: .page)
        var body = "<header class=\"title\">\n\(manuscript.titlePage)</header>\n"
        let shown = manuscript.sections.enumerated().filter { $0.element.showsTitle }
        if shown.count > 1 {
            body += "<nav>\n<ul>\n"
            for (index, section) in shown {
                body +=
                    "<li class=\"level\(section.level)\"><a href=\"#s\(index + 1)\">\(XMLText.escaped(section.title))</a></li>\n"
            }
            body += "</ul>\n</nav>\n"
        }
        for (index, section) in manuscript.sections.enumerated() {
            let level = min(section.level + 1, 6)
            body += "<section id=\"s\(index + 1)\"\(section.showsTitle ? "" : " class=\"untitled\"")>\n"
            if section.showsTitle { body += "<h\(level)>\(XMLText.escaped(section.title))</h\(level)>\n" }
            body += try pages.html(ofSection: index, headingLevel: level) + "</section>\n"
        }
        return HTMLFrame(title: manuscript.title, style: "<style>\n\(Manuscript.style)\n</style>").page(body)
    }
}

extension Manuscript {
    /// The title page: the title, the author, the project's description, and the number of words.
    var titlePage: String {
        var lines = ["<h1>\(XMLText.escaped(title))</h1>"]
        if !author.isEmpty { lines.append("<p class=\"author\">\(XMLText.escaped(author))</p>") }
        if !details.isEmpty { lines.append("<p>\(XMLText.escaped(details))</p>") }
        lines.append("<p class=\"words\">\(Texts.words(wordCount))</p>")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The style sheet, which looks like a book on a screen and on paper.
    static let style = """
        :root { color-scheme: light dark }
        body { max-width: 34em; margin: 0 auto; padding: 1em; font-family: serif; line-height: 1.5 }
        h1, h2, h3 { line-height: 1.2 }
        img { max-width: 100% }
        pre { overflow-x: auto }
        blockquote { margin: 1em 0; padding-left: 1em; border-left: 2px solid }
        table { border-collapse: collapse; display: block; overflow-x: auto }
        th, td { border: 1px solid; padding: .2em .5em }
        hr.scene { border: 0; text-align: center; margin: 1.5em 0 }
        hr.scene::before { content: "* * *" }
        .title { text-align: center; margin: 20vh 0 }
        .author { font-size: 1.2em }
        .words { opacity: .7 }
        nav ul { list-style: none; padding: 0 }
        nav .level2 { padding-left: 1.5em }
        nav .level3 { padding-left: 3em }
        section { margin-top: 3em }
        @media print { section, nav { break-before: page } body { max-width: none } }
        """
}
