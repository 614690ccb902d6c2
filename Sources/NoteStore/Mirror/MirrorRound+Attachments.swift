import Foundation
import GRDB
import SystemPackage

/// Keeps the images and attachments that notes show the same on both sides.
extension MirrorRound {
    // MARK: - From the folder

    /// Finds files of images and attachments that another program has changed, renamed or moved.
    ///
    /// A changed file becomes a new image or attachment, which the notes then show instead of the old one.
    func followAttachments() throws {
        let known = state.attachments.paths.sorted { $0.value < $1.value }
        for (id, path) in known where goesOn() {
            if let file = listing.files[ExactText(path)] { try compare(id, ExactText(path), file) }
        }
        for (path, copy) in state.copies.sorted(by: { $0.key < $1.key }) where goesOn() {
            if let file = listing.files[ExactText(path)] { try compare(copy.id, ExactText(path), file, isCopy: true) }
        }
        let missing = known.filter { state.attachments[$0.key] != nil && isMissing($0.value) }
        if missing.isEmpty { return }
        let owned = Set((known.map(\.value) + state.copies.keys).map { ExactText($0) })
        var bySize = Dictionary(
            grouping: listing.files.keys.filter { !MirrorPath.isNote($0.string) && !owned.contains($0) }.sorted()
        ) { listing.files[$0]?.size ?? 0 }
        for (id, path) in missing where goesOn() {
            guard let file = state.files[id] else { continue }
            let name = MirrorPath.names(path).last
            let found = (bySize[file.size] ?? []).filter { MirroredFile(self, at: $0)?.hash == file.hash }
            guard let new = found.first(where: { MirrorPath.names($0.string).last == name }) ?? found.first else {
                continue
            }
            bySize[file.size]?.removeAll { $0 == new }
            earlierPaths[id] = path
            (state.attachments[id], state.files[id]) = (new.string, MirroredFile(self, at: new))
            report.taken.append(new.string)
            hasMovedAttachments = true
        }
    }

    /// Whether there is nothing at a path, neither a file nor something that is left alone.
    func isMissing(_ path: String) -> Bool {
        listing.files[ExactText(path)] == nil
            && !Self.ways(to: path).contains { listing.leftAlone[$0] != nil || listing.files[$0] != nil }
            && !listing.folders.contains(ExactText(path))
    }

    private func compare(_ id: UUID, _ path: ExactText, _ file: MirrorFolder.File, isCopy: Bool = false) throws {
        let known = isCopy ? state.copies[path.string]?.file : state.files[id]
        if known?.isStamped(like: file) == true { return }
        if file.size > NoteFile.defaultMaximumSize {
            if known != nil { leave(path, .tooLarge(file.size)) }
            return
        }
        let bytes: [UInt8]
        do {
            guard let read = try folder?.read(path, limit: NoteFile.defaultMaximumSize + 1) else { return }
            bytes = read.bytes
        } catch {
            return leave(path, error.reason)
        }
        let new = MirroredFile(bytes, file)
        // An older version has recorded no hash; the file then counts as unchanged.
        guard let known, known.hash != new.hash else {
            if isCopy { state.copies[path.string]?.file = new } else { state.files[id] = new }
            return
        }
        if options.isDry { return report.taken.append(path.string) }
        guard let added = try store(bytes, at: path) else { return }
        report.taken.append(path.string)
        guard let target = TakeNoteURL(added.url), target.uuid != id else { return }
        if isCopy { return try show(added.url, insteadOf: id, writtenAs: path) }
        if let copy = promoteCopy(of: id) {
            try show(added.url, insteadOf: id, writtenAs: path)
            // It may have changed as well.
            if let file = listing.files[copy] { try compare(id, copy, file) }
            return
        }
        (state.attachments[id], state.files[id]) = (nil, nil)
        if state.copies[path.string] != nil { try show(added.url, insteadOf: id, writtenAs: path) }
        try show(added.url, insteadOf: id)
    }

    /// Makes all notes that show an image or attachment show another one.
    private func show(_ url: String, insteadOf id: UUID) throws {
        func replaced(_ text: String) -> String {
            LinkRewriter.rewritten(text) { link in
                guard let target = TakeNoteURL(link.target), target.kind != .note, target.uuid == id else { return nil }
                return url + target.rest
            }
        }
        var saved: [NoteID: Int64] = [:]
        for note in try notesShowing(id).compactMap({ try notebook.notes.load($0) }) {
            let text = replaced(note.content)
            if text.hasSameBytes(as: note.content) { continue }
            try notebook.versions.keep(of: note.id, reason: .merged)
            _ = try notebook.notes.save(note.id, text: text, baseRevision: note.row.revision, base: note.content)
            rows[note.id] = try notebook.notes.row(note.id)
            if state.notes[note.id]?.revision == note.row.revision { saved[note.id] = rows[note.id]?.revision }
        }
        // The texts of the files have not changed: they mean the new image or attachment from now on.
        for (note, base) in state.notes {
            let text = replaced(base.noteText)
            if text.hasSameBytes(as: base.noteText) { continue }
            var new = base
            new.note = text.hasSameBytes(as: base.text) ? nil : text
            new.revision = saved[note] ?? base.revision
            try state.set(note, new)
        }
    }

    /// Returns the live and archived notes whose texts have an identity.
    private func notesShowing(_ id: UUID) throws(StoreError) -> [NoteID] {
        try notebook.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT note.uuid FROM note JOIN note_text ON note_text.note = note.id
                    WHERE note.place IN (0, 1) AND (instr(text, ?) > 0 OR instr(text, ?) > 0)
                    """, arguments: [id.uuidString, id.uuidString.lowercased()]
            ).map { NoteID(stored: $0[0]) }
        }
    }

    /// Stores a file of the folder as an image or attachment; returns nil if a rule of the notebook forbids it.
    func store(_ bytes: [UInt8], at path: ExactText) throws -> (url: String, isPicture: Bool)? {
        let (data, name) = (Data(bytes), MirrorPath.names(path.string).last ?? "")
        let added: (url: String, isPicture: Bool)
        if NoteImage.MimeType(recognizing: data) != nil {
            do {
                added = (try notebook.images.add(data, name: name).getURL(), true)
            } catch {
                guard error.isRule else { throw error }
                leave(path, .store(error))
                return nil
            }
        } else {
            let file = try notebook.attachments.add(data, name: name)
            added = (file.url, file.isPicture)
        }
        if let target = TakeNoteURL(added.url) {
            let file = listing.files[path].map { MirroredFile(bytes, $0) }
            let present = state.attachments[target.uuid].map { ExactText($0) }
            if let file, let present, present != path, listing.files[present] != nil {
                state.copies[path.string] = MirrorCopy(id: target.uuid, file: file)
            } else {
                (state.attachments[target.uuid], state.files[target.uuid]) = (path.string, file)
                state.copies[path.string] = nil
            }
        }
        return added
    }

    // MARK: - To the folder

    /// Writes missing files again at their paths, and forgets those that no note shows.
    func restoreAttachments() throws {
        try restoreCopies()
        for (id, path) in state.attachments.paths.sorted(by: { $0.value < $1.value }) where isMissing(path) && goesOn()
        {
            guard try !notesShowing(id).isEmpty, let bytes = try content(of: id)?.bytes else {
                earlierPaths[id] = path
                (state.attachments[id], state.files[id]) = (nil, nil)
                continue
            }
            do throws(MirrorFolder.Refusal) {
                if !options.isDry, let file = try folder?.write(Array(bytes), to: ExactText(path), expecting: nil) {
                    state.files[id] = MirroredFile(Array(bytes), file)
                    writtenAttachments.insert(id)
                }
                report.written.append(path)
            } catch {
                leave(ExactText(path), error.reason)
            }
        }
    }

    /// Returns the name for the file of an image or attachment, and its bytes; nil if the notebook does not have it.
    func content(of id: UUID) throws(StoreError) -> (name: String, bytes: Data)? {
        if let image = try notebook.images.load(id) {
            return ("\(id.uuidString).\(image.mimeType.fileExtension)", image.imageData)
        }
        guard let file = try notebook.attachments.load(id), let data = try notebook.attachments.data(of: id) else {
            return nil
        }
        return (file.name, data)
    }

    /// Returns the path of an image or attachment in the folder, and whether the file exists; nil if it has no path
    /// yet.
    func attachmentPath(_ target: TakeNoteURL) -> (path: [String], isThere: Bool)? {
        guard let known = state.attachments[target.uuid] else { return nil }
        return (MirrorPath.names(known), listing.files[ExactText(known)] != nil)
    }

    /// Writes an image or attachment to the folder if it is missing there; returns its path, or nil if the notebook
    /// does not have it.
    func writeAttachment(_ target: TakeNoteURL) throws -> [String]? {
        if let known = attachmentPath(target), known.isThere || writtenAttachments.contains(target.uuid) {
            return known.path
        }
        guard let content = try content(of: target.uuid) else { return nil }
        let bytes = content.bytes
        var name = content.name
        let parts = FilePath(name)
        let ending = parts.extension.map { "." + $0 } ?? ""
        // A round that was killed may have written the file already.
        let stem = SafeName(parts.stem ?? name, maximumLength: SafeName.shortLength).name
        let plain = ExactText("attachments/" + stem + ending)
        let hash = GitObject.name(ofBlob: Array(bytes))
        if listing.files[plain]?.size == bytes.count, let there = try folder?.read(plain)?.bytes,
            GitObject.name(ofBlob: there) == hash
        {
            state.attachments[target.uuid] = plain.string
            state.files[target.uuid] = listing.files[plain].map { MirroredFile(there, $0) }
            return MirrorPath.names(plain.string)
        }
        name = SafeName.unique(parts.stem ?? name, ending: ending, in: ["attachments"], &takenNames, &numbers)
        let path = ["attachments", name]
        if !options.isDry {
            let file = try folder?.write(Array(bytes), to: ExactText(path.joined(separator: "/")), expecting: nil)
            state.files[target.uuid] = file.map { MirroredFile(Array(bytes), $0) }
            state.attachments[target.uuid] = path.joined(separator: "/")
            writtenAttachments.insert(target.uuid)
        }
        return path
    }
}

extension MirroredFile {
    /// Reads a file of the folder; nil if it cannot be read.
    fileprivate init?(_ round: MirrorRound, at path: ExactText) {
        guard let file = round.listing.files[path], file.size <= NoteFile.defaultMaximumSize,
            let read = try? round.folder?.read(path, limit: NoteFile.defaultMaximumSize + 1)  // removed meanwhile
        else { return nil }
        self.init(read.bytes, file)
    }
}
