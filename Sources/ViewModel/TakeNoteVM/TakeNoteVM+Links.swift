import Foundation
import Markdown
import NoteStore

/// The destination of a followed link.
public enum LinkDestination: Equatable, Sendable {
    /// A note, which has been opened.
    case note
    /// A tag, whose notes are shown in the list.
    case tag
    /// An address outside of the notebook, which is shown before it is opened.
    case outside(String)
    /// A file of the notebook, which is shown before the system's program opens it.
    case file(NoteFile)
    /// An image of the notebook, which is opened like a file.
    case image(NoteImage)
    /// A title that no note has yet; the note can be created.
    case missing(title: String)
}

/// Links from notes and to them.
extension TakeNoteVM {
    /// Follows the link or tag at the caret of the open note: opens a note at once, only returns an outside address.
    ///
    /// - Returns: the destination; nil if there is no link or it leads nowhere, which a notice says.
    public func followLink() -> LinkDestination? {
        guard let session else { return nil }
        guard let link = session.linkAtCaret else {
            if let tag = session.tagAtCaret { return follow(tag: tag) }
            say(Texts.noLinkAtCaret, kind: .refused)
            return nil
        }
        return follow(link)
    }

    /// Shows the notes that have a tag, with the cursor on the open one; the tag is given as its text is: `#books`.
    public func follow(tag text: String) -> LinkDestination? {
        let key = Folding.key(String(text.dropFirst()))
        guard let tag = tags.first(where: { Folding.key($0.name) == key }) else {
            // A tag that has just been typed is made when the text is saved.
            say(Texts.leadsNowhere(text), kind: .refused)
            return nil
        }
        if let location = currentLocation { history.leave(location) }
        clearSearch()
        go(to: Location(container: tag.id, note: openNote?.id))
        return .tag
    }

    /// Follows a link of the open note.
    public func follow(_ link: MarkdownLink) -> LinkDestination? {
        switch link.kind {
        case .note:
            loadNoteFromURL("takenote://note/\(link.target)" + (link.heading.map { "#" + $0 } ?? ""))
            return .note
        case .wikilink:
            return showNote(named: link.reference ?? link.target)
        case .web: return .outside(link.target)
        case .mail: return .outside("mailto:\(link.target)")
        case .file:
            // A file that cannot be read is reported like a missing one.
            if let id = UUID(uuidString: link.target), let file = try? notebook.attachments.load(id) {
                return .file(file)
            }
            say(Texts.leadsNowhere(link.label), kind: .refused)
            return nil
        case .other where link.target.hasPrefix("#"):
            go(toHeadingAddressed: link.target)
            return .note
        case .image:
            // An image that cannot be read is reported like a missing one.
            if let id = UUID(uuidString: link.target), let image = try? notebook.images.load(id) {
                return .image(image)
            }
            say(Texts.leadsNowhere(link.label), kind: .refused)
            return nil
        case .other:
            say(Texts.leadsNowhere(link.target), kind: .refused)
            return nil
        }
    }

    /// Returns the title in the text of a link, without the name of a heading or block: `Plans#May` names `Plans`.
    ///
    /// A sign before a blank is part of the title, as in `C# tips`.
    private static func title(in reference: String) -> String {
        let signs = reference.indices.filter { reference[$0] == "#" }
        let first = signs.first { reference[reference.index(after: $0)...].first != " " }
        return String(reference[..<(first ?? reference.endIndex)]).trimmingCharacters(in: .whitespaces)
    }

    private func showNote(named reference: String) -> LinkDestination? {
        var destination: LinkDestination?
        attempt(Texts.Attempt.followLink) {
            guard let target = try notebook.links.target(of: reference, from: openNote?.id) else {
                let title = Self.title(in: reference)
                guard !title.isEmpty else { return say(Texts.leadsNowhere(reference), kind: .refused) }
                return destination = .missing(title: title)
            }
            // A link to a part of the open note goes there without reopening it.
            if target.note.id != session?.noteID { show(target.note) }
            if let anchor = target.anchor { go(to: anchor) }
            destination = .note
        }
        return destination
    }

    /// Scrolls to the heading or block in `takenote://note/UUID#heading`; does nothing if another note is open.
    public func goToHeading(of url: String) {
        guard let id = Notebook.Notes.uuid(in: url).flatMap(NoteID.init), id == openNote?.id,
            let mark = url.utf8.firstIndex(of: UInt8(ascii: "#"))
        else { return }
        let heading = String(url[mark...])
        LinkAnchor(heading.removingPercentEncoding ?? heading).map(go(to:))
    }

    /// Scrolls to the heading that `#address` leads to in a page made of the open note, or else to the one of that name.
    private func go(toHeadingAddressed address: String) {
        guard let session else { return }
        let written = address.removingPercentEncoding ?? address
        let identity = written.dropFirst().lowercased()
        let line = Markdown.headingIdentities(of: session.text).first { $0.value == identity }?.key
        if let line { return session.go(toLine: line) }
        LinkAnchor(written).map(go(to:))
    }

    /// Scrolls to a heading or block of the open note.
    private func go(to anchor: LinkAnchor) {
        guard let session else { return }
        if let line = anchor.line(in: session.text) { return session.go(toLine: line) }
        switch anchor {
        case .heading(let name): say(Texts.noHeading(name), kind: .refused)
        case .block(let name): say(Texts.noBlock(name), kind: .refused)
        }
    }

    /// Whether a link to this note should be written `[[title]]`.
    ///
    /// The setting must say so, and the title must lead from the open note to exactly this note.
    public func isLinkedByTitle(_ note: NoteRow) -> Bool {
        guard editorSettings.linkStyle == .title, !note.title.contains(where: { "[]|\n".contains($0) }) else {
            return false
        }
        // If the notebook cannot be read now, the link gets an address, which is always right.
        let target = (try? notebook.links.target(of: note.title, from: session?.noteID)) ?? nil
        return target?.note.id == note.id && target?.anchor == nil
    }

    /// Creates the note that a link names, if it does not exist, in the folder of the open note, which stays open.
    public func makeNote(linkedAs reference: String) {
        let title = Self.title(in: reference)
        attempt(Texts.Attempt.createNote) {
            guard !title.isEmpty, try notebook.links.target(of: reference, from: session?.noteID) == nil else {
                return
            }
            let folder = openNote?.folder.flatMap { container($0) }
            let takes = folder?.takesNewNotes == true
            let text = "# \(title)\n\n"
            // A title that Markdown would read differently is set explicitly.
            let given = Markdown.derivedTitle(of: text) == title ? nil : title
            let note = try notebook.notes.createUndoably(
                NewNote(text: text, title: given, folder: takes ? folder?.id ?? .inbox : .inbox))
            try reload()
            say(Texts.created(note.title, in: note.folderName))
        }
    }

    /// The notes to offer for a link: those with the words of a text in their titles, or all recent ones.
    public func notesToLink(_ text: String) -> [NoteRow] {
        guard !text.isEmpty else { return recentNotes() }
        // If the notebook cannot be read, there is nothing to complete.
        let found = (try? notebook.links.notes(titleBeginning: text, limit: 50)) ?? []
        let unsaved = notesBeingSaved(titled: text)
        // Of the notes that fit, Enter must take the one that was named in full.
        let titled = (try? notebook.links.note(havingTitle: text)).flatMap { $0 }  // as above
        let named = [titled].compactMap(\.self).filter { $0.place == .live }
        var known: Set<NoteID> = []
        return (named + unsaved + found).filter { known.insert($0.id).inserted }
    }

    /// Returns the headings of a note for `Title#words`, as the text of a link; empty for a text without `#`.
    ///
    /// A heading that a link cannot express is left out.
    public func headingsToLink(_ text: String) -> [String] {
        guard let sign = text.firstIndex(of: "#") else { return [] }
        let title = text[..<sign].trimmingCharacters(in: .whitespaces)
        // If the notebook cannot be read, there is nothing to complete.
        guard !title.isEmpty, let note = try? notebook.links.target(of: title, from: session?.noteID)?.note,
            isLinkedByTitle(note), let stored = try? notebook.notes.text(note.id)
        else { return [] }
        let words = Folding.key(String(text[text.index(after: sign)...])).split(separator: " ")
        let known = open.sessions.first { $0.noteID == note.id }?.text ?? stored
        return Markdown.outline(of: known).map(\.title).filter { heading in
            let key = Folding.key(heading)
            return !heading.isEmpty && heading != note.title && !heading.contains { "#|[]".contains($0) }
                && words.allSatisfy { key.contains($0) }
        }.map { "\(note.title)#\($0)" }
    }

    /// Returns the notes whose new titles are not in the notebook yet, because the next key may refer to them.
    private func notesBeingSaved(titled text: String) -> [NoteRow] {
        let words = Folding.key(text).split(separator: " ")
        return open.sessions.compactMap { session in
            // A note that is gone, or whose row cannot be read now, is not offered.
            guard session !== self.session, session.saveState != .saved,
                var row = try? notebook.notes.row(session.noteID), row.place == .live,
                row.titleIsDerived
            else { return nil }
            row.title = Markdown.derivedTitle(of: session.text)
            let title = Folding.key(row.title).split(separator: " ")
            return words.allSatisfy { word in title.contains { $0.hasPrefix(word) } } ? row : nil
        }
    }

    /// The largest number of links to the open note that are shown, since they are read again after every change.
    public static let backlinkLimit = 500

    /// Reads the links of other notes to the open one, each with the line that contains it.
    ///
    /// One more than `backlinkLimit` is read, to know whether there are more.
    func reloadBacklinks() {
        var links: [NoteLink] = []
        if let openNote {
            // Links that cannot be read now are read after the next change.
            links = (try? notebook.links.backlinks(of: openNote.id, limit: Self.backlinkLimit + 1)) ?? []
        }
        open.take(links)
    }
}

/// Files of other kinds that notes refer to.
extension TakeNoteVM {
    /// Writes a copy of a file for the system's program to open; returns its path.
    public func copyForOpening(_ file: NoteFile) -> String? {
        var path: String?
        attempt(Texts.Attempt.openFile) {
            path = try notebook.attachments.write(file.id, to: Notebook.stateFolder() + "/opened")
        }
        return path
    }

    /// Writes a copy of an image for the system's program to open; returns its path.
    public func copyForOpening(_ image: NoteImage) -> String? {
        var path: String?
        attempt(Texts.Attempt.openFile) {
            path = try notebook.images.write(image, to: Notebook.stateFolder() + "/opened")
        }
        return path
    }

    /// An image's name and size, for a question about it.
    public func description(of image: NoteImage) -> String {
        // If its name cannot be read, the question still says what it is.
        let name = (try? notebook.images.copyName(of: image)) ?? image.getURL()
        return "\(name), \(Texts.size(image.imageData.count))"
    }

    /// A file's name and size, for a question about it.
    public func description(of file: NoteFile) -> String { "\(file.name), \(Texts.size(file.size))" }
}
