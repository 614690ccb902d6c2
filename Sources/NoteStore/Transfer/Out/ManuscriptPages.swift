import Foundation
import Markdown
import SystemPackage

/// Renders the texts of a manuscript as HTML whose links stay within the work; one thread uses it.
final class ManuscriptPages {
    let notebook: Notebook
    let manuscript: Manuscript
    private let medium: Medium
    /// The section and the number of each note.
    private var notes: [NoteID: (section: Int, number: Int)] = [:]
    private var bodies: [NoteID: String] = [:]
    private let texts: PreparedTexts
    /// The pictures that the texts show, in the order of their first use.
    private(set) var pictures: [Picture] = []
    private var addresses: [UUID: String] = [:]
    private var failure: StoreError?

    enum Medium {
        /// One page without external files.
        case page
        /// A page for each section, and files for pictures.
        case book
    }

    struct Picture {
        let name: String
        let mimeType: String
        let bytes: [UInt8]
    }

    init(_ notebook: Notebook, _ manuscript: Manuscript, for medium: Medium) throws(StoreError) {
        texts = try PreparedTexts(notebook, keepsAllLines: manuscript.keepsLines)
        self.notebook = notebook
        self.manuscript = manuscript
        self.medium = medium
        for (index, section) in manuscript.sections.enumerated() {
            for note in section.notes where notes[note.id] == nil { notes[note.id] = (index, notes.count + 1) }
        }
    }

    /// Returns the texts of a section for a heading above them of the given level.
    func html(ofSection index: Int, headingLevel: Int) throws(StoreError) -> String {
        let section = manuscript.sections[index]
        var parts: [String] = []
        for row in section.notes {
            let body = try body(of: row)
            let levels = Markdown.outline(of: body).map(\.level)
            let shift = max(0, headingLevel + 1 - (levels.min() ?? 1))
            let name = "n\(notes[row.id]?.number ?? 0)"
            let page = HTMLPage(isStandalone: true, identityPrefix: name + "-", headingShift: shift) { written in
                self.address(written, from: row.id)
            }
            parts.append("<div class=\"text\" id=\"\(name)\">\n\(Markdown.html(body, for: page))</div>\n")
        }
        if let failure { throw failure }
        return parts.joined(separator: "<hr class=\"scene\" />\n")
    }

    /// Returns a note's text without front matter, and without its title if the section shows that.
    private func body(of row: NoteRow) throws(StoreError) -> String {
        if let known = bodies[row.id] { return known }
        let section = notes[row.id].map { manuscript.sections[$0.section] }
        let isChapter = section?.notes.count == 1 && section?.title == row.title
        let text = try notebook.notes.text(row.id) ?? ""
        // A scene keeps its heading, since its title appears nowhere else.
        let body = Markdown.body(of: try texts.text(text, of: row), titled: isChapter ? row.title : "\0")
        bodies[row.id] = body
        return body
    }

    private func attempt<Result>(_ body: () throws(StoreError) -> Result?) -> Result? {
        do {
            return try body()
        } catch {
            failure = failure ?? error
            return nil
        }
    }

    // MARK: - Addresses

    private func address(_ written: HTMLPage.Address, from source: NoteID) -> String? {
        switch written {
        case .wikilink(let target):
            let found = attempt { () throws(StoreError) in try notebook.links.target(of: target, from: source) }
            return found.flatMap { address(of: $0.note.id, $0.anchor) }
        case .link(let address):
            if let target = TakeNoteURL(address) {
                guard target.kind == .note else { return "" }
                let anchor = String(target.rest).removingPercentEncoding.flatMap { LinkAnchor($0) }
                return self.address(of: NoteID(target.uuid), anchor) ?? ""
            }
            // A link to a file beside the text cannot be followed from here, nor one within the text, whose headings
            // have other identities here.
            return Self.isElsewhere(address) ? nil : ""
        case .image(let address):
            guard let target = TakeNoteURL(address) else {
                return medium == .page && Self.isElsewhere(address) ? nil : ""
            }
            return attempt { () throws(StoreError) in try picture(target) } ?? ""
        }
    }

    private static func isElsewhere(_ address: String) -> Bool {
        ["http://", "https://", "mailto:"].contains { address.lowercased().hasPrefix($0) }
    }

    /// Returns the address of a text in the work; `nil` for any other note.
    private func address(of id: NoteID, _ anchor: LinkAnchor?) -> String? {
        guard let place = notes[id] else { return nil }
        var identity = "n\(place.number)"
        if case .heading = anchor, let row = manuscript.sections[place.section].notes.first(where: { $0.id == id }),
            let body = attempt({ () throws(StoreError) in try body(of: row) }), let line = anchor?.line(in: body),
            let heading = Markdown.headingIdentities(of: body)[line]
        {
            identity += "-" + heading
        }
        return (medium == .book ? Self.fileName(ofSection: place.section) : "") + "#" + identity
    }

    static func fileName(ofSection index: Int) -> String {
        let number = String(index + 1)
        return "chapter-\(String(repeating: "0", count: max(0, 4 - number.count)))\(number).xhtml"
    }

    /// Returns the address of a picture, which is added to the work; `nil` for a missing one or one of another format.
    private func picture(_ target: TakeNoteURL) throws(StoreError) -> String? {
        if let known = addresses[target.uuid] { return known }
        let found: Picture?
        switch target.kind {
        case .note: found = nil
        case .image:
            found = try notebook.images.load(target.uuid).map {
                Picture(
                    name: "\(target.uuid.uuidString).\($0.mimeType.fileExtension)", mimeType: $0.mimeType.rawValue,
                    bytes: Array($0.imageData))
            }
        case .file:
            let kinds = ["gif": "image/gif", "webp": "image/webp"]
            let ending = try notebook.attachments.load(target.uuid).map { FilePath($0.name).lowercasedExtension } ?? ""
            guard let kind = kinds[ending], let data = try notebook.attachments.data(of: target.uuid) else {
                return nil
            }
            found = Picture(name: "\(target.uuid.uuidString).\(ending)", mimeType: kind, bytes: Array(data))
        }
        guard let found else { return nil }
        let address =
            medium == .book
            ? "images/" + found.name
            : "data:\(found.mimeType);base64," + Data(found.bytes).base64EncodedString()
        if medium == .book { pictures.append(found) }
        addresses[target.uuid] = address
        return address
    }
}
