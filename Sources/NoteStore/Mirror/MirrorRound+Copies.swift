import Foundation
import Markdown

/// A file of a mirrored folder that is the same image or attachment in the notebook as another one.
struct MirrorCopy: Codable, Equatable {
    let id: UUID
    /// The file as it was when it was last read or written.
    var file: MirroredFile
}

/// Keeps apart equal files of the folder, which the notebook has once.
///
/// One of them is the file of the image or attachment, to which links are written; the others are its copies. The texts
/// of the notes' files tell which of them a link means.
extension MirrorRound {
    /// Makes a copy the file of an image or attachment that has lost its own; returns its path, or nil if there is none.
    func promoteCopy(of id: UUID) -> ExactText? {
        let found = state.copies.filter { $0.value.id == id && listing.files[ExactText($0.key)] != nil }
        guard let (path, copy) = found.min(by: { $0.key < $1.key }) else { return nil }
        state.copies[path] = nil
        (state.attachments[id], state.files[id]) = (path, copy.file)
        return ExactText(path)
    }

    /// Makes notes show another image or attachment where their files link to a path.
    func show(_ url: String, insteadOf id: UUID, writtenAs path: ExactText) throws {
        // The names of the last round: links to notes that are renamed in this one are still to be written.
        let links = MirrorLinks(notebook, state.notes.mapValues { MirrorPath.names($0.path) })
        links.attachmentPath = { [self] target in attachmentPath(target)?.path }
        for (note, base) in state.notes where base.noteText.contains(id.uuidString) {
            guard let row = rows[note], row.place == .live || row.place == .archive else { continue }
            let text = replaced(base, linksTo: path, of: id, by: url)
            var new = base
            if !text.hasSameBytes(as: base.noteText) {
                try notebook.versions.keep(of: note, reason: .merged)
                _ = try notebook.notes.save(note, text: text, baseRevision: base.revision, base: base.noteText)
                rows[note] = try notebook.notes.row(note)
                new.note = text.hasSameBytes(as: base.text) ? nil : text
                if base.revision == row.revision { new.revision = rows[note]?.revision ?? base.revision }
            }
            let rendered = try links.written(Note(row: row, content: new.noteText), in: MirrorPath.names(base.path))
            let hash = GitObject.name(ofBlob: Array(rendered.utf8))
            new.rendered = hash == new.hash ? nil : hash
            try state.set(note, new)
        }
    }

    /// Returns the text of a note in the last round with another address where its file links to a path.
    private func replaced(_ base: MirrorBase, linksTo path: ExactText, of id: UUID, by url: String) -> String {
        let inNote = Markdown.destinations(in: base.noteText, withProperties: true)
        let inFile = Markdown.destinations(in: base.text, withProperties: true)
        guard inNote.count == inFile.count else { return base.noteText }
        let file = MirrorPath.names(base.path)
        let meant = Set(zip(inNote, inFile).filter { leads($1, from: file, to: path) }.map { $0.0.range.lowerBound })
        return LinkRewriter.rewritten(base.noteText) { link in
            guard meant.contains(link.range.lowerBound), let target = TakeNoteURL(link.target), target.kind != .note,
                target.uuid == id
            else { return nil }
            return url + target.rest
        }
    }

    /// Whether a link of a note's file leads to a path, at which there need not be a file.
    private func leads(_ link: WrittenDestination, from file: [String], to path: ExactText) -> Bool {
        let name = String(link.target.prefix { $0 != "#" })
        switch link.kind {
        case .link, .image:
            return Set([name, name.removingPercentEncoding ?? name]).contains { name in
                MirrorPath.resolved(name, from: file).map { ExactText($0.joined(separator: "/")) } == path
            }
        case .wikilink, .embed:
            if ExactText(name) == path { return true }
            // In Obsidian an attachment is found by its name alone.
            return MirrorPath.names(path.string).last == name
                && !listing.files.keys.contains { $0 != path && MirrorPath.names($0.string).last == name }
        }
    }

    /// Writes missing copies again to which files of notes link, and forgets the others.
    func restoreCopies() throws {
        for (path, copy) in state.copies.sorted(by: { $0.key < $1.key })
        where isMissing(path) && goesOn() {
            let isShown = state.notes.values.contains { base in
                base.noteText.contains(copy.id.uuidString)
                    && Markdown.destinations(in: base.text, withProperties: true).contains {
                        leads($0, from: MirrorPath.names(base.path), to: ExactText(path))
                    }
            }
            guard isShown, let bytes = try content(of: copy.id)?.bytes else {
                state.copies[path] = nil
                continue
            }
            do throws(MirrorFolder.Refusal) {
                if !options.isDry, let file = try folder?.write(Array(bytes), to: ExactText(path), expecting: nil) {
                    state.copies[path]?.file = MirroredFile(Array(bytes), file)
                }
                report.written.append(path)
            } catch {
                leave(ExactText(path), error.reason)
            }
        }
    }
}
