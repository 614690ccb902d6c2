import Foundation
import Markdown

/// A web site without scripts: a page for each note, with the links to it, and a list of all notes.
extension ExportRun {
    /// The names of the files that a site has besides the notes' pages.
    static let index = "index.html"
    static let style = "style.css"

    func sitePage(of note: Note, in file: [String]) -> String {
        let text = note.content
        var known: [String: String?] = [:]
        var page = HTMLPage(isStandalone: true) { [self] written in
            switch written {
            case .link(let address), .image(let address):
                // A link to something that is not in the site leads nowhere; any other address stays as it is.
                return TakeNoteURL(address) == nil ? nil : self.siteAddress(address, in: file) ?? ""
            case .wikilink(let target):
                if let address = known[target] { return address }
                let found = attempt { try notebook.links.target(of: target, from: note.id) } ?? nil
                let address = found.flatMap { link(to: $0.note.id, $0.anchor, from: file) }
                known[target] = .some(address)
                return address
            }
        }
        page.isDownload = isProgram
        let heading = note.row.isHeaded(in: text) ? "<h1>\(XMLText.escaped(note.title))</h1>\n" : ""
        let shown = Markdown.body(of: prepared(text, of: note.row), titled: note.title)
        let body = Markdown.html(shown, for: page)
        return document(
            note.title, in: file,
            """
            <article>
            \(heading)\(body)</article>
            <footer>
            \(facts(of: note, in: file))\(backlinks(of: note, in: file))</footer>

            """)
    }

    /// Returns the same as `address(_:in:)`, but with the identity that a heading has in the page.
    private func siteAddress(_ written: String, in file: [String]) -> String? {
        guard let target = TakeNoteURL(written), target.kind == .note else { return address(written, in: file) }
        let anchor = String(target.rest).removingPercentEncoding.flatMap { LinkAnchor($0) }
        return link(to: NoteID(target.uuid), anchor, from: file)
    }

    /// Returns the relative address of a note's page, and of a heading in it; `nil` for a note that is not in the site.
    private func link(to id: NoteID, _ anchor: LinkAnchor?, from file: [String]) -> String? {
        guard let target = files[id] else { return nil }
        let address = Self.relative(target, from: file)
        guard case .heading = anchor, let row = row(id) else { return address }
        if headings[id] == nil {
            let text = attempt { try notebook.notes.text(id) ?? "" } ?? ""
            headings[id] = Markdown.body(of: prepared(text, of: row), titled: row.title)
        }
        guard let text = headings[id], let line = anchor?.line(in: text),
            let identity = Markdown.headingIdentities(of: text)[line]
        else { return address }
        return address + "#" + identity
    }

    private func facts(of note: Note, in file: [String]) -> String {
        let index = Self.relative([Self.index], from: file)
        let tags = note.row.tagNames.map {
            "<a href=\"\(index)#\(Self.identity(ofTag: $0))\">#\(XMLText.escaped($0))</a>"
        }
        let day = note.row.updatedDate.timestamp.prefix(10)
        return "<p>\((tags + ["<time datetime=\"\(day)\">\(day)</time>"]).joined(separator: " "))</p>\n"
    }

    private func backlinks(of note: Note, in file: [String]) -> String {
        let links = attempt { try notebook.links.backlinks(of: note.id) } ?? []
        var seen: Set<NoteID> = []
        let sources = links.map(\.source).filter { files[$0.id] != nil && seen.insert($0.id).inserted }
        if sources.isEmpty { return "" }
        let items = sources.sorted { Folding.key($0.title) < Folding.key($1.title) }.map { item($0, from: file) }
        return "<h2>\(Texts.Site.backlinks)</h2>\n<ul>\n\(items.joined())</ul>\n"
    }

    private func item(_ row: NoteRow, from file: [String]) -> String {
        let address = files[row.id].map { Self.relative($0, from: file) } ?? ""
        return "<li><a href=\"\(XMLText.escaped(address))\">\(XMLText.escaped(row.title))</a></li>\n"
    }

    // MARK: - The list of all notes

    /// Writes the list of notes, the style sheet, and `.nojekyll`, which makes GitHub Pages serve the files unchanged.
    func writeSite() throws(StoreError) {
        let file = [Self.index]
        var tree = SiteFolder()
        for row in rows { if let path = files[row.id] { tree.add(row, path.dropLast()) } }
        var body = "<h1>\(XMLText.escaped(options.title))</h1>\n"
        body += html(of: tree, path: [], isOpen: rows.count <= 200)
        var tags: [String: [NoteRow]] = [:]
        for row in rows { for tag in row.tagNames { tags[tag, default: []].append(row) } }
        if !tags.isEmpty { body += "<h2>\(Texts.Site.tags)</h2>\n" }
        for (tag, rows) in tags.sorted(by: { Folding.key($0.key) < Folding.key($1.key) }) {
            let items = rows.sorted { Folding.key($0.title) < Folding.key($1.title) }.map { item($0, from: file) }
            body += """
                <details id="\(Self.identity(ofTag: tag))"><summary>#\(XMLText.escaped(tag))</summary>
                <ul>
                \(items.joined())</ul>
                </details>

                """
        }
        let page = document(options.title, in: file, "<main class=\"index\">\n\(body)</main>\n")
        for (name, text) in [(Self.index, page), (Self.style, Self.siteStyle), (".nojekyll", "")] {
            _ = try put(Array(text.utf8), [name], note: nil)
        }
    }

    private static func identity(ofTag tag: String) -> String { "tag-" + Markdown.wellFormedIdentity(Folding.key(tag)) }

    private func html(of folder: SiteFolder, path: [String], isOpen: Bool) -> String {
        var html = ""
        for (name, folder) in folder.folders.sorted(by: { Folding.key($0.key) < Folding.key($1.key) }) {
            let path = path + [name]
            html += """
                <details id="\(Self.identity(ofFolder: path))"\(isOpen ? " open" : "")><summary>\(XMLText.escaped(name))</summary>
                \(self.html(of: folder, path: path, isOpen: isOpen))</details>

                """
        }
        let rows = folder.rows.sorted { Folding.key($0.title) < Folding.key($1.title) }
        if rows.isEmpty { return html }
        return html + "<ul>\n\(rows.map { item($0, from: [Self.index]) }.joined())</ul>\n"
    }

    private static func identity(ofFolder path: [String]) -> String {
        "in-" + Markdown.wellFormedIdentity(path.joined(separator: "/"))
    }

    // MARK: - The frame of all pages

    private func document(_ title: String, in file: [String], _ body: String) -> String {
        let index = Self.relative([Self.index], from: file)
        var crumbs = ["<a href=\"\(index)\">\(XMLText.escaped(options.title))</a>"]
        let folders = Array(file.dropLast())
        for count in folders.indices {
            let identity = Self.identity(ofFolder: Array(folders[...count]))
            crumbs.append("<a href=\"\(index)#\(identity)\">\(XMLText.escaped(folders[count]))</a>")
        }
        let navigation = file == [Self.index] ? "" : "<nav>\(crumbs.joined(separator: " › "))</nav>\n"
        let sheet = "<link rel=\"stylesheet\" href=\"\(Self.relative([Self.style], from: file))\">"
        let frame = HTMLFrame(title: title, style: sheet, policy: Self.policy)
        return frame.page(navigation + body)
    }

    /// A site has an address of its own, which the HTML in a note must not change or send forms from.
    private static let policy = HTMLFrame.withoutPrograms + "; base-uri 'none'; form-action 'none'"

    /// The style sheet, for narrow and wide screens, light and dark.
    private static let siteStyle = """
        :root { color-scheme: light dark; --accent: #d6127f; --line: #8884 }
        @media (prefers-color-scheme: dark) { :root { --accent: #ff6fc8 } }
        * { box-sizing: border-box }
        body { max-width: 42rem; margin: 0 auto; padding: 1rem; font: 1.0625rem/1.6 system-ui, sans-serif; overflow-wrap: break-word }
        h1, h2, h3, h4 { line-height: 1.25; margin: 1.6em 0 .5em }
        h1 { font-size: 1.7rem; margin-top: .6em }
        a { color: var(--accent) }
        a.missing { color: inherit; text-decoration: underline dotted; opacity: .7 }
        nav { font-size: .9rem; padding-bottom: .5rem; border-bottom: 1px solid var(--line) }
        nav a { padding: .4rem 0; display: inline-block }
        img { max-width: 100%; height: auto }
        pre { overflow-x: auto; padding: .8rem; border: 1px solid var(--line); border-radius: .4rem }
        code { font-size: .9em }
        table { display: block; overflow-x: auto; border-collapse: collapse }
        th, td { border: 1px solid var(--line); padding: .3rem .6rem }
        blockquote { margin: 1em 0; padding-left: 1em; border-left: 3px solid var(--accent) }
        footer { margin-top: 3rem; padding-top: .5rem; border-top: 1px solid var(--line); font-size: .9rem }
        footer h2 { font-size: 1rem }
        summary { padding: .4rem 0; cursor: pointer; font-weight: 600 }
        details details { margin-left: 1rem }
        .index ul { list-style: none; padding-left: 1rem; margin: 0 }
        .index li a { display: block; padding: .4rem 0; text-decoration: none }
        @media print { nav, footer { display: none } }

        """
}

/// The notes of a folder and the folders below it.
private struct SiteFolder {
    var rows: [NoteRow] = []
    var folders: [String: SiteFolder] = [:]

    mutating func add(_ row: NoteRow, _ path: ArraySlice<String>) {
        guard let first = path.first else { return rows.append(row) }
        folders[first, default: SiteFolder()].add(row, path.dropFirst())
    }
}

extension NoteRow {
    /// Whether the title is more than the text's own first line.
    func isHeaded(in text: String) -> Bool {
        !titleIsDerived || isEmpty || Markdown.frontMatter(of: text)?.title != nil || TitleHeading(of: text) != nil
    }
}
