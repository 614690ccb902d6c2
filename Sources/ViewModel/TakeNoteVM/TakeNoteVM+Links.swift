import Foundation
import Markdown
import NoteStore

/// Where the link leads that is to be followed.
public enum LinkDestination: Equatable, Sendable {
    /// A note, which is shown.
    case note
    /// An address outside of the notebook: shown before it is opened.
    case outside(String)
    /// A title that no note has yet: the note can be made.
    case missing(title: String)
}

/// Links out of notes and into them.
extension TakeNoteVM {
    /// Follows the link at the caret of the open note: to a note at once, outside only by telling where it leads.
    ///
    /// - Returns: where it leads, nil when there is no link or nothing at its end, which is said.
    public func followLink() -> LinkDestination? {
        guard let session else { return nil }
        guard let link = session.linkAtCaret else {
            say(Texts.noLinkAtCaret, kind: .refused)
            return nil
        }
        return follow(link)
    }

    /// Follows a link of the open note.
    public func follow(_ link: MarkdownLink) -> LinkDestination? {
        switch link.kind {
        case .note:
            loadNoteFromURL("takenote://note/\(link.target)")
            if let heading = link.heading, openNote?.id == NoteID(link.target) {
                LinkAnchor("#" + (heading.removingPercentEncoding ?? heading)).map(go(to:))
            }
            return .note
        case .wikilink:
            return showNote(named: link.reference ?? link.target)
        case .web: return .outside(link.target)
        case .mail: return .outside("mailto:\(link.target)")
        case .image, .other:
            say(Texts.leadsNowhere(link.target), kind: .refused)
            return nil
        }
    }

    private func showNote(named reference: String) -> LinkDestination? {
        var destination: LinkDestination?
        attempt(Texts.Attempt.followLink) {
            guard let target = try notebook.links.target(of: reference, from: openNote?.id) else {
                return destination = .missing(title: reference)
            }
            // A link to a part of the note that is open goes there without leaving it.
            if target.note.id != session?.noteID { show(target.note) }
            if let anchor = target.anchor { go(to: anchor) }
            destination = .note
        }
        return destination
    }

    /// Goes to a heading or block of the open note.
    private func go(to anchor: LinkAnchor) {
        guard let session else { return }
        if let line = anchor.line(in: session.text) { return session.go(toLine: line) }
        switch anchor {
        case .heading(let name): say(Texts.noHeading(name), kind: .refused)
        case .block(let name): say(Texts.noBlock(name), kind: .refused)
        }
    }

    /// Whether `[[title]]` in the open note leads to this very note, and is how links are to be written.
    public func isLinkedByTitle(_ note: NoteRow) -> Bool {
        guard editorSettings.linkStyle == .title, !note.title.contains(where: { "[]|\n".contains($0) }) else {
            return false
        }
        // A notebook that cannot be read now gets an address, which is always right.
        let target = (try? notebook.links.target(of: note.title, from: session?.noteID)) ?? nil
        return target?.note.id == note.id && target?.anchor == nil
    }

    /// Makes the note that a link names, if there is none, in the folder of the open one; the open one stays open.
    public func makeNote(linkedAs reference: String) {
        attempt(Texts.Attempt.createNote) {
            guard !reference.isEmpty, try notebook.links.target(of: reference, from: session?.noteID) == nil else {
                return
            }
            let place = openNote?.folder.flatMap { container($0) }
            let takes = place.map { $0.holdsNotes && !$0.isInTrash && ($0.isFolder || $0.isInbox) } ?? false
            let text = "# \(reference)\n\n"
            // A title that Markdown would read in another way is given by hand.
            let title = Markdown.derivedTitle(of: text) == reference ? nil : reference
            let note = try notebook.notes.create(
                NewNote(text: text, title: title, folder: takes ? place?.id ?? .inbox : .inbox))
            try reload()
            say(Texts.created(note.title, in: note.folderName))
        }
    }

    /// Notes with the words of a text in their titles, or all recent ones, to link to.
    public func notesToLink(_ text: String) -> [NoteRow] {
        guard !text.isEmpty else { return recentNotes() }
        // Of a notebook that cannot be read there is nothing to complete.
        let found = (try? notebook.links.notes(titleBeginning: text, limit: 50)) ?? []
        let unsaved = notesBeingSaved(titled: text)
        return unsaved + found.filter { note in !unsaved.contains { $0.id == note.id } }
    }

    /// Notes that were left with a title which the notebook does not have yet: the next key may be about them.
    private func notesBeingSaved(titled text: String) -> [NoteRow] {
        let words = Folding.key(text).split(separator: " ")
        return open.sessions.compactMap { session in
            guard session !== self.session, session.saveState != .saved,
                var row = try? notebook.notes.row(session.noteID), row.place == .live,
                row.titleIsDerived  // gone: nothing to link to
            else { return nil }
            row.title = Markdown.derivedTitle(of: session.text)
            let title = Folding.key(row.title).split(separator: " ")
            return words.allSatisfy { word in title.contains { $0.hasPrefix(word) } } ? row : nil
        }
    }

    /// The links of other notes to the open one, each with the line it stands in.
    func reloadBacklinks() {
        var links: [NoteLink] = []
        if let openNote {
            links = (try? notebook.links.backlinks(of: openNote.id)) ?? []  // read again with the next change
        }
        open.take(links)
    }
}
