import Foundation
import GRDB
import Markdown
import SystemPackage

extension ImportRun {
    /// Turns what leads from file to file into note links, and takes local images in.
    func connect() throws(StoreError) {
        for start in stride(from: 0, to: linking.count, by: Self.connectingBatch) {
            notebook.giveWay()
            var left = linking[start..<min(start + Self.connectingBatch, linking.count)]
            // A note that somebody types into all the time keeps the links as they are written.
            for _ in 0..<Self.connectingTries where !left.isEmpty {
                let rewritten = try rewritten(left)
                if rewritten.isEmpty { break }
                let changed = try notebook.write { transaction in
                    try rewritten.filter { try !transaction.replaceText($0.text, ofUnchanged: $0.note) }
                }
                let paths = Set(changed.map(\.file.path))
                left = left.filter { paths.contains($0.file.path) }[...]
            }
        }
    }

    /// Notes that one transaction gives their links: the lock is free between.
    private static let connectingBatch = 200

    /// How often a note is rewritten that was changed while it was.
    private static let connectingTries = 3

    /// The notes of these files that get another text.
    private func rewritten(
        _ batch: ArraySlice<(file: ImportPlan.File, hasFileLinks: Bool)>
    ) throws(StoreError) -> [(file: ImportPlan.File, note: Note, text: String)] {
        let candidates = try notebook.read { db in
            try batch.filter { try $0.hasFileLinks || leadsElsewhere(db, $0.file) }
        }
        var rewritten: [(file: ImportPlan.File, note: Note, text: String)] = []
        for (file, _) in candidates {
            guard let id = notes.note(of: file)?.id, let note = try notebook.notes.load(id) else { continue }
            let text = try LinkRewriter.rewritten(note.content) { destination throws(StoreError) in
                try replacement(for: destination, of: note, in: file)
            }
            if text != note.content { rewritten.append((file, note, text)) }
        }
        return rewritten
    }

    /// Whether a link by title names a file and leads to another note than that file's, or nowhere, or shows a file.
    private func leadsElsewhere(_ db: Database, _ file: ImportPlan.File) throws -> Bool {
        let links = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT target, destination FROM note_link WHERE source = ? AND kind = 'title'"),
            arguments: [notes.note(of: file)?.key])
        while let link = try links.next() {
            // What another program has written into the file may be anything.
            guard let target = link[0] as String? else { continue }
            if ImportPlan.mediaEndings.contains(FilePath(target).lowercasedExtension) { return true }
            let destination = link[1] as Int64?
            if let wanted = notes.note(named: target, in: file), destination != wanted.made.key { return true }
        }
        return false
    }

    private func replacement(
        for destination: WrittenDestination, of note: Note, in file: ImportPlan.File
    ) throws(StoreError) -> String? {
        let target = destination.target
        switch destination.kind {
        case .wikilink: return try wikilink(destination, of: note, in: file)
        case .embed:
            let path = target.prefix { $0 != "#" }
            if ImportPlan.mediaEndings.contains(FilePath(String(path)).lowercasedExtension) {
                let name = FilePath(String(path)).lastComponent?.string ?? target
                return try address(ofImage: String(path), in: file).map { "![\(Self.escaped(name))](\($0))" }
            }
            return try wikilink(destination, of: note, in: file)
        case .link:
            guard !target.contains("://") else { return nil }
            let path = String(target.prefix { $0 != "#" })
            return (notes.note(at: path, in: file) ?? notes.note(at: path.removingPercentEncoding ?? path, in: file))?
                .id.url
        case .image:
            let isElsewhere = target.contains("://") || target.hasPrefix("data:") || target.hasPrefix("#")
            return isElsewhere ? nil : try address(ofImage: target, in: file)
        }
    }

    /// What a link by the name of a file becomes where that name is not the note's title.
    private func wikilink(
        _ link: WrittenDestination, of note: Note, in file: ImportPlan.File
    ) throws(StoreError) -> String? {
        guard let (wanted, name, anchor) = notes.note(named: link.target, in: file),
            // A link that finds its note by the title stays as it is written.
            try notebook.links.note(titled: name, from: note.id)?.id != wanted.id,
            let title = try notebook.notes.row(wanted.id)?.title
        else { return nil }
        let isPlain = !title.contains { "[]|#^".contains($0) }
        if link.kind == .embed || !anchor.isEmpty, isPlain,
            try notebook.links.note(titled: title, from: note.id)?.id == wanted.id
        {
            let label = link.label == title || link.kind == .embed ? "" : "|" + link.label
            return (link.kind == .embed ? "![[" : "[[") + title + anchor + label + "]]"
        }
        return link.kind == .embed ? nil : "[\(Self.escaped(link.label))](\(wanted.id.url))"
    }

    /// A text as the label of a link.
    private static func escaped(_ label: String) -> String {
        label.replacing("[", with: "\\[").replacing("]", with: "\\]")
    }

    // MARK: - Images

    /// The notebook's address of an image, which is taken in; what cannot be is named.
    private func address(ofImage address: String, in file: ImportPlan.File) throws(StoreError) -> String? {
        let written = [address, address.removingPercentEncoding ?? address]
        let beside = file.location.removingLastComponent()
        var candidates: [FilePath] = []
        for address in written {
            candidates += [beside.pushing(FilePath(address)), file.root.pushing(FilePath(address).withoutRoot)]
        }
        candidates += written.compactMap { format.media($0) }
        for candidate in candidates {
            if let known = images[candidate] { return known }
            guard (try? FileStatus(candidate, followsLinks: true))?.kind == .file,  // not this one
                !leadsAstray(candidate, from: file.root)
            else { continue }
            if let url = try takeIn(candidate) {
                images[candidate] = url
                return url
            }
            break
        }
        let name = FilePath(written[1]).lastComponent?.string ?? address
        result.problems.append(ImportProblem(path: file.path, reason: .image(name: name)))
        return nil
    }

    /// Whether a path that seems to lie in the folder that is imported leads out of it, by a link.
    private func leadsAstray(_ path: FilePath, from root: FilePath) -> Bool {
        path.absolute.starts(with: root.absolute) && path.leadsOut(of: root)
    }

    /// `nil` for what is no image that a notebook can hold.
    private func takeIn(_ image: FilePath) throws(StoreError) -> String? {
        // A film is not read to its end only to be refused.
        guard let head = try? RegularFile.head(image, count: 16),  // the caller names what cannot be read
            NoteImage.MimeType(recognizing: Data(head)) != nil,
            let content = try? RegularFile.read(image, limit: ImportFile.limit), !content.isTooLarge  // likewise
        else { return nil }
        let url = try notebook.images.add(Data(content.bytes), name: image.string).getURL()
        result.imageCount += 1
        return url
    }
}

extension Transaction {
    /// Writes a note's text unless the note was changed or deleted since it was read; keeps its date, which the file had.
    ///
    /// - Returns: false for a note that was changed, whose text stays.
    fileprivate func replaceText(_ text: String, ofUnchanged note: Note) throws -> Bool {
        guard try exists(note.id) else { return true }
        _ = try refreshIfChangedOutside(note.row.key)
        let head = try head(note.id)
        guard head.revision == note.row.revision else { return false }
        try replaceText(text, of: head)
        try run("UPDATE note SET updatedDate = ? WHERE id = ?", [note.row.updatedDate.milliseconds, head.key])
        return true
    }
}
