import Foundation
import SystemPackage

/// Writes the notebook's changes to the folder.
extension MirrorRound {
    func writeFolder() throws {
        if !options.isDry { try readRows() }
        let notes = rows.values.filter {
            ($0.place == .live || $0.place == .archive) && !frozen.contains($0.id) && removable[$0.id] == nil
        }.sorted { $0.key < $1.key }
        var files = linked.mapValues { MirrorPath.names($0.string) }
        for id in frozen { files[id] = (state.notes[id] ?? state.announced[id]).map { MirrorPath.names($0.path) } }
        for row in notes { files[row.id] = MirrorPath.names(wantedPath(of: row)) }
        let names = Self.digest(files)
        let links = MirrorLinks(notebook, files)
        links.attachmentPath = { [self] in try writeAttachment($0) }
        try restoreAttachments()
        for row in notes where goesOn() {
            let isSettled =
                names == state.names && !hasMovedAttachments && state.notes[row.id]?.revision == row.revision
                && !textTold.contains(row.id)
            try write(row, to: ExactText((files[row.id] ?? []).joined(separator: "/")), links, isSettled)
        }
        if options.isDry { return }
        // A file that was renamed for its note gets the text, too, before a round that is stopped ends.
        if report.wasStopped { unwritten.removeAll { $0.expected == nil } }
        try writeFiles()
        if report.wasStopped { try state.flush() } else { try state.finish(names: names) }
    }

    private static func digest(_ files: [NoteID: [String]]) -> String {
        let lines = files.map { "\($0.key) \($0.value.joined(separator: "/"))\n" }.sorted()
        return GitObject.name(ofBlob: Array(lines.joined().utf8))
    }

    /// Returns the path that a note's file should have: its present one, unless the note got another title or folder in
    /// the notebook.
    private func wantedPath(of row: NoteRow) -> String {
        let folder = tree.path(of: row.folder)
        guard let present = linked[row.id]?.string else { return free(row, in: folder) }
        let presentFolder = MirrorPath.folder(present)
        let name = MirrorPath.names(present).last ?? ""
        let base = common(row)
        let keepsFolder = base.map { $0.folder == folder } ?? true || presentFolder == folder
        let keepsName =
            base.map { $0.title.hasSameBytes(as: row.title) } ?? true
            || MirrorPath.stem(MirrorPath.stem(name), isOf: row.title)
        if keepsFolder, keepsName { return present }
        let (target, stem) = (keepsFolder ? presentFolder : folder, keepsName ? MirrorPath.stem(name) : nil)
        // A name that differs only in upper and lower case is still the file's own, and needs no number.
        let plain = MirrorPath.names(target) + [(stem ?? MirrorPath.stem(ofTitle: row.title)) + ".md"]
        let same = ExactText(plain.joined(separator: "/"))
        let isTaken = listing.files[same] != nil || listing.leftAlone[same] != nil || listing.folders.contains(same)
        if Folding.key(same.string) == Folding.key(present), !isTaken { return same.string }
        return free(row, in: target, stem: stem)
    }

    /// Returns the title and folder that a note and its file agree on: those of the last round, with what `follow` has
    /// taken from the file since.
    func common(_ row: NoteRow) -> (title: String, folder: String)? {
        guard let base = state.notes[row.id] else { return nil }
        guard let before = told[row.id] else { return (base.title, base.folder) }
        let folder = tree.path(of: row.folder)
        let isMoved = linked[row.id].map { MirrorPath.folder($0.string) != MirrorPath.folder(base.path) } ?? false
        let isRenamed = linked[row.id].map { MirrorPath.names($0.string).last != MirrorPath.names(base.path).last }
        return (
            before.title == base.title || isRenamed == true ? row.title : base.title,
            tree.path(of: before.folder) == base.folder || isMoved ? folder : base.folder
        )
    }

    private func free(_ row: NoteRow, in folder: String, stem: String? = nil) -> String {
        let names = MirrorPath.names(folder)
        let stem = stem ?? MirrorPath.stem(ofTitle: row.title)
        return (names + [SafeName.unique(stem, ending: ".md", in: names, &takenNames, &numbers)])
            .joined(separator: "/")
    }

    /// Updates a note's file.
    ///
    /// - Parameter isSettled: whether the note's text and the names in its links are the same as in the last round.
    private func write(_ row: NoteRow, to wanted: ExactText, _ links: MirrorLinks, _ isSettled: Bool) throws {
        var file = linked[row.id]
        do {
            if let present = file, present != wanted, let hash = hashes[present] {
                if !options.isDry {
                    try move(present, to: wanted, hash)
                    file = wanted
                }
                report.moved.append(wanted.string)
            }
            let base = state.notes[row.id]
            if isSettled, let base, let file, hashes[file] == base.hash {
                return try record(row, base, at: file)
            }
            guard let note = try notebook.notes.load(row.id) else { return }
            let (kept, hash, rendered) = try content(for: note, in: file, as: wanted, links)
            let present = file.flatMap { hashes[$0] }
            if options.isDry {
                // In a dry round the changes of the folder have not been written to the notebook.
                if present != hash, file.flatMap({ texts[$0] }) == nil { report.written.append(wanted.string) }
                return
            }
            let new = MirrorBase(
                path: wanted.string, hash: hash, text: kept,
                note: note.content.hasSameBytes(as: kept) ? nil : note.content,
                rendered: rendered == hash ? nil : rendered, title: row.title, folder: "", revision: note.row.revision)
            if let file, present == hash { return try record(row, new, at: file) }
            unwritten.append((row, completed(new, row, at: file ?? wanted), file == nil ? nil : present ?? ""))
            let bytes = unwritten.reduce(0) { $0 + $1.base.text.utf8.count }
            if unwritten.count >= Self.batch || bytes > Self.batchBytes { try writeFiles() }
        } catch let refusal as MirrorFolder.Refusal {
            if let error = refusal.fatal(at: path) { throw error }
            leave(file ?? wanted, refusal.reason)
        }
    }

    /// Renames a file, and removes the folders that it leaves empty.
    private func move(_ path: ExactText, to wanted: ExactText, _ hash: String) throws {
        seen[wanted] = try folder?.move(path, to: wanted, expecting: hash)
        folder?.removeEmptyFolders(from: ExactText(MirrorPath.folder(path.string)))
        hashes[wanted] = hash
    }

    /// Returns the text that a note's file gets, which keeps the links as somebody has written them where it can.
    ///
    /// - Returns: the text, its git name, and the git name of the text with all links as the program writes them.
    private func content(
        for note: Note, in file: ExactText?, as wanted: ExactText, _ links: MirrorLinks
    ) throws -> (kept: String, hash: String, rendered: String) {
        let names = MirrorPath.names(wanted.string)
        let text = try links.written(note, in: names)
        let rendered = GitObject.name(ofBlob: Array(text.utf8))
        guard let file, let present = hashes[file] else {
            let kept = try formsOfCopies[note.row.id].map { try links.written(note, in: names, keepingFormsOf: [$0]) }
            return (kept ?? text, GitObject.name(ofBlob: Array((kept ?? text).utf8)), rendered)
        }
        let base = state.notes[note.row.id]
        if let base, present == base.hash, rendered == base.renderedHash,
            note.content.hasSameBytes(as: base.noteText)
        {
            return (base.text, present, rendered)
        }
        var forms = base.map { [MirrorLinks.Form(file: $0.text, note: $0.noteText)] } ?? []
        if let told = texts[file], textTold.contains(note.row.id), !options.isDry {
            links.take = { [self] in try take($0) }
            let form = MirrorLinks.Form(
                file: told, note: try links.read(told, of: note.id, in: MirrorPath.names(file.string), base: base))
            if try form.note.hasSameBytes(as: note.content)
                && base.map({ try isRenderedAlike($0, note.row, in: names, links, beforeMoves: true) }) ?? true
            {
                return (told, present, rendered)
            }
            forms.append(form)
        } else if present != base?.hash {
            return (text, rendered, rendered)
        }
        var kept = try links.written(note, in: names, keepingFormsOf: forms)
        if let base, try isRenderedAlike(base, note.row, in: names, links) {
            for form in forms {
                kept = MirrorLinks.keepingLines(
                    of: form.file, whichSaid: form.note, in: kept, whichSays: note.content)
            }
        }
        return (kept, GitObject.name(ofBlob: Array(kept.utf8)), rendered)
    }

    /// The number of files, and of their bytes, that are announced in one transaction and then written.
    private static let (batch, batchBytes) = (100, 4_000_000)

    /// Writes the new and changed files of notes, after they are announced.
    ///
    /// A program that is killed before it has recorded a file would otherwise leave one that looks as if somebody had
    /// edited it, and the next round would merge what it says into a note that has gone on since.
    private func writeFiles() throws {
        if unwritten.isEmpty { return }
        let new = unwritten
        unwritten = []
        try state.announce(Dictionary(new.map { ($0.row.id, $0.base) }) { one, _ in one })
        for (row, base, expected) in new {
            do {
                let path = ExactText(base.path)
                if expected != nil, isBeingWritten(path) { throw MirrorFolder.Refusal.changed }
                seen[path] = try folder?.write(Array(base.text.utf8), to: path, expecting: expected)
                report.written.append(base.path)
                try state.set(row.id, completed(base, row, at: path))
            } catch let refusal as MirrorFolder.Refusal {
                if let error = refusal.fatal(at: path) { throw error }
                leave(ExactText(base.path), refusal.reason)
            }
        }
        try state.flush()
    }

    private func completed(_ base: MirrorBase, _ row: NoteRow, at file: ExactText) -> MirrorBase {
        var base = base
        (base.path, base.title, base.folder) = (file.string, row.title, tree.path(of: row.folder))
        (base.inode, base.modified) = (seen[file]?.inode, seen[file]?.modified)
        return base
    }

    private func record(_ row: NoteRow, _ base: MirrorBase, at file: ExactText) throws {
        if options.isDry { return }
        try state.set(row.id, completed(base, row, at: file))
    }

    /// Whether the text of the last round would still be written in the same way.
    ///
    /// It would not if a note to which it links has another name now.
    ///
    /// - Parameter beforeMoves: whether images and attachments count as lying where they lay in the last round.
    private func isRenderedAlike(
        _ base: MirrorBase, _ row: NoteRow, in names: [String], _ links: MirrorLinks, beforeMoves: Bool = false
    ) throws -> Bool {
        let attachmentPath = links.attachmentPath
        defer { links.attachmentPath = attachmentPath }
        // This must not write attachments, as the closure that it replaces may.
        links.attachmentPath = { [self] target in
            let (earlier, present) = (earlierPaths[target.uuid], state.attachments[target.uuid])
            return (beforeMoves ? earlier ?? present : present ?? earlier).map(MirrorPath.names)
        }
        let before = try links.written(Note(row: row, content: base.noteText), in: names)
        return GitObject.name(ofBlob: Array(before.utf8)) == base.renderedHash
    }
}

extension MirrorFolder.Refusal {
    /// Returns the error that ends the round, which is a full or broken disk; nil if the other files can go on.
    fileprivate func fatal(at path: String) -> StoreError? {
        guard case .system(let errno) = self else { return nil }
        switch Errno(rawValue: errno) {
        case .noSpace, .diskQuotaExceeded: return StoreError(errno: errno, path: path)
        case .readOnlyFileSystem, .ioError: return .system(path: path, errno: errno)
        default: return nil
        }
    }
}
