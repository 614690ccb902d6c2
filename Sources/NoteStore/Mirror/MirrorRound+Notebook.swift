import Foundation

/// Writes the folder's changes to the notebook.
extension MirrorRound {
    /// Renames and moves the notebook's folders whose files have all moved to the same other folder.
    func followFolders() throws {
        var moves: [String: Set<String>] = [:]
        for (id, file) in linked {
            guard let base = state.notes[id] else { continue }
            moves[MirrorPath.folder(base.path), default: []].insert(MirrorPath.folder(file.string))
        }
        for (old, new) in moves.sorted(by: { $0.key < $1.key }) {
            guard let new = new.first, moves[old]?.count == 1, new != old, !old.isEmpty, !new.isEmpty,
                !listing.folders.contains(ExactText(old)), tree.container(at: new) == nil,
                let container = tree.container(at: old), container.kind == .folder
            else { continue }
            let parent = MirrorPath.folder(new)
            let above = tree.container(at: parent)
            if !parent.isEmpty, above == nil { continue }
            if options.isDry { continue }
            try attempt(ExactText(new)) {
                if parent != MirrorPath.folder(old) { try notebook.folders.move(container.id, to: above?.id) }
                let name = MirrorPath.names(new).last ?? ""
                if MirrorPath.names(old).last != name { try notebook.containers.rename(container.id, to: name) }
            }
            try readRows()
        }
    }

    /// Gives a note the name and folder of its file, if the file was renamed or moved.
    func follow(_ id: NoteID, _ file: ExactText) throws {
        guard let base = state.notes[id] ?? state.begun[id], let row = rows[id], !frozen.contains(id),
            !base.path.hasSameBytes(as: file.string)
        else { return }
        if options.isDry { return report.taken.append(file.string) }
        try attempt(file) {
            let folder = MirrorPath.folder(file.string)
            if folder != MirrorPath.folder(base.path), folder != tree.path(of: row.folder) {
                let target = try container(at: folder)
                if let former = row.folder { left.insert(former) }
                if target == .archive {
                    try notebook.notes.archive([id])
                } else {
                    if row.place == .archive { try notebook.notes.unarchive([id]) }
                    try notebook.notes.move([id], to: target)
                }
            }
            let stem = MirrorPath.stem(MirrorPath.names(file.string).last ?? "")
            let old = MirrorPath.stem(MirrorPath.names(base.path).last ?? "")
            // A number in the name counts as written by the user, since a number of the program's own would be in the
            // base.
            if !stem.hasSameBytes(as: old), !stem.hasSameBytes(as: MirrorPath.stem(ofTitle: row.title)) {
                try setTitle(id, stem)
            }
            told[id] = row
            report.taken.append(file.string)
        }
    }

    /// Gives a note the name of its file; a note whose own file has lost that name makes room where titles are unique.
    private func setTitle(_ id: NoteID, _ title: String) throws(StoreError) {
        var number = 1
        while true {
            do {
                return try notebook.notes.setTitle(id, title)
            } catch {
                guard case .titleTaken(_, _, let other) = error, other != id, let file = linked[other],
                    let base = state.notes[other], !base.path.hasSameBytes(as: file.string)
                else { throw error }
                number += 1
                // It gets the name of its own file in this round.
                do {
                    try notebook.notes.setTitle(other, "\(title) \(number)")
                } catch {
                    guard case .titleTaken = error else { throw error }
                }
            }
        }
    }

    /// Moves folders to Trash that the mirror has made, and that this round has emptied as they are gone on the disk.
    func removeEmptiedFolders() throws {
        if options.isDry || left.isEmpty { return }
        tree = try MirrorTree(notebook)
        var waiting = left
        while let id = waiting.popFirst() {
            guard state.made.contains(id.description), let container = try notebook.containers.load(id),
                !container.isInTrash, !tree.path(of: id).isEmpty,
                !listing.folders.contains(ExactText(tree.path(of: id))),
                try notebook.containers.children(of: id).isEmpty,
                try notebook.read({ try NoteRow.fetch($0, "WHERE folder.uuid = ? LIMIT 1", [id.description]) }).isEmpty
            else { continue }
            try notebook.containers.delete([id])
            state.made.remove(id.description)
            if let parent = container.parent { waiting.insert(parent) }
        }
        tree = try MirrorTree(notebook)
    }

    /// Returns the container for a folder of files; makes it and its parents if they are missing.
    private func container(at path: String) throws -> ContainerID {
        if path.isEmpty { return .inbox }
        if let known = tree.container(at: path) { return known.id }
        let parent = MirrorPath.folder(path)
        let above = parent.isEmpty ? nil : try container(at: parent)
        let made = try notebook.folders.create(MirrorPath.names(path).last ?? "", in: above)
        state.made.insert(made.id.description)
        tree = try MirrorTree(notebook)
        return made.id
    }

    /// Makes notes of new files; a file with the text of a note that has no file yet is linked to that note.
    func takeNewFiles() throws {
        if fresh.isEmpty { return }
        let alone = notesWithoutFile()
        let named = Dictionary(grouping: alone) {
            nameKey(tree.path(of: $0.folder), MirrorPath.stem(ofTitle: $0.title))
        }
        let planned = plannedFiles(alone, named)
        let links = MirrorLinks(notebook, planned)
        let same = try byContent(alone, planned, links)
        links.take = { [self] in try take($0, isStored: !options.isDry) }
        let begun = notesMade(among: alone)
        var used: Set<NoteID> = []
        // The files of notes come first, since links in them may name a title that a new note has too.
        var unknown: [(file: ExactText, text: String, stem: String)] = []
        for file in fresh.sorted() where goesOn() {
            guard let text = texts[file], let hash = hashes[file] else { continue }
            let stem = MirrorPath.stem(MirrorPath.names(file.string).last ?? "")
            let found = (same[hash] ?? []).filter { !used.contains($0.id) }
            let known = found.first { MirrorPath.stem(stem, isOf: $0.title) } ?? found.first
            let namesakes = namesakes(of: file, in: named).lazy.filter { !used.contains($0.id) }
            let made = begun[file].flatMap { used.contains($0.id) ? nil : $0 }
            if let known = try known ?? made
                ?? noteSaying(text, at: file, of: Array(namesakes.prefix(Self.maximumNamesakes)), links)
            {
                used.insert(known.id)
                (linked[known.id], taken[known.id]) = (file, file)
            } else {
                unknown.append((file, text, stem))
            }
        }
        fresh = Set(unknown.map(\.file))
        matchRenamed(begun.values.filter { !used.contains($0.id) })
        for (id, file) in taken.sorted(by: { $0.value < $1.value }) { try follow(id, file) }
        for (file, text, stem) in unknown where fresh.contains(file) && goesOn() {
            if options.isDry {
                report.taken.append(file.string)
            } else {
                try attempt(file) { try makeNote(of: file, text, stem) }
            }
        }
        fresh = []
    }

    /// Returns the notes that have no file yet.
    private func notesWithoutFile() -> [NoteRow] {
        let mirrored = Set(state.notes.keys)
        return rows.values.filter {
            ($0.place == .live || $0.place == .archive) && !mirrored.contains($0.id)
        }.sorted { $0.key < $1.key }
    }

    /// Returns notes by the git names of the bytes that a file of theirs may have.
    private func byContent(
        _ alone: [NoteRow], _ planned: [NoteID: [String]], _ links: MirrorLinks
    ) throws -> [String: [NoteRow]] {
        links.attachmentPath = { [self] target in attachmentPath(target)?.path }
        var notes: [String: [NoteRow]] = [:]
        for row in alone {
            guard let note = try notebook.notes.load(row.id) else { continue }
            let written = try links.written(note, in: planned[row.id] ?? [])
            for text in Set([note.content, written].map { ExactText($0) }) {
                notes[GitObject.name(ofBlob: Array(text.string.utf8)), default: []].append(row)
            }
        }
        return notes
    }

    /// Returns those of the named notes whose file may be one at this path, by folder and title.
    private func namesakes(of file: ExactText, in named: [String: [NoteRow]]) -> [NoteRow] {
        let written = MirrorPath.folder(file.string)
        let folder = written.isEmpty ? tree.path(of: .inbox) : written
        let stem = MirrorPath.stem(MirrorPath.names(file.string).last ?? "")
        // If several notes have one title, all but one have a number in the names of their files.
        let plain = stem.lastIndex(of: " ").flatMap { gap in
            Int(stem[stem.index(after: gap)...]).map { _ in String(stem[..<gap]) }
        }
        return [stem, plain].compactMap(\.self).flatMap { named[nameKey(folder, $0)] ?? [] }
    }

    /// The number of notes of one name that are compared with a file.
    private static let maximumNamesakes = 100

    private func nameKey(_ folder: String, _ stem: String) -> String { Folding.key("\(folder)/\(stem)") }

    /// Returns the note that says what a file of its name says, though its links have another form there.
    ///
    /// That is the case in a folder that was mirrored before: only the record of the last round tells which forms the
    /// links of each file have, and where the images and attachments are.
    private func noteSaying(
        _ text: String, at file: ExactText, of rows: [NoteRow], _ links: MirrorLinks
    ) throws -> NoteRow? {
        try rows.first { row in
            guard let content = try notebook.notes.text(row.id) else { return false }
            return try links.read(text, of: row.id, in: MirrorPath.names(file.string), base: nil)
                .hasSameBytes(as: content)
        }
    }

    private func makeNote(of file: ExactText, _ text: String, _ stem: String) throws {
        let derived = TextFacts.derivedTitle(of: text)
        let date = listing.files[file]?.modified
        let tags = try notebook.write { try $0.tags(inFrontMatterOf: text) }
        let new = NewNote(
            text: text, title: MirrorPath.stem(stem, isOf: derived) ? nil : stem,
            folder: try container(at: MirrorPath.folder(file.string)), tags: tags, created: date, updated: date)
        let row = try notebook.notes.create(new) { row, transaction in
            let base = MirrorBase(
                path: file.string, hash: hashes[file] ?? "", text: text, title: row.title, folder: "",
                revision: row.revision)
            try state.begin(row.id, base, in: transaction)
        }
        rows[row.id] = row
        (linked[row.id], taken[row.id]) = (file, file)
        report.taken.append(file.string)
    }

    /// Returns the paths of all notes' files; for a note that has none yet, that of a file of its name, or else the path
    /// that it would get.
    private func plannedFiles(_ alone: [NoteRow], _ named: [String: [NoteRow]]) -> [NoteID: [String]] {
        var files = linked.mapValues { MirrorPath.names($0.string) }
        var (taken, numbers): (Set<String>, [String: Int]) = ([], [:])
        for file in fresh.sorted() {
            guard let row = namesakes(of: file, in: named).first(where: { files[$0.id] == nil }) else { continue }
            files[row.id] = MirrorPath.names(file.string)
            taken.insert(Folding.key(file.string))
        }
        for row in alone where files[row.id] == nil {
            let folder = MirrorPath.names(tree.path(of: row.folder))
            let stem = MirrorPath.stem(ofTitle: row.title)
            files[row.id] = folder + [SafeName.unique(stem, ending: ".md", in: folder, &taken, &numbers)]
        }
        return files
    }

    /// Merges the texts of changed files into their notes, and translates the links of new ones.
    func takeTexts() throws {
        let links = MirrorLinks(notebook, linked.mapValues { MirrorPath.names($0.string) })
        links.take = { [self] in try take($0) }
        links.attachmentPath = { [self] target in attachmentPath(target)?.path }
        for (id, file) in linked.sorted(by: { $0.value < $1.value }) where !frozen.contains(id) {
            guard goesOn(), let text = texts[file], let row = rows[id] else { continue }
            let base = state.notes[id]
            if base == nil, taken[id] == nil { continue }
            if let base, base.hash == hashes[file] { continue }
            if options.isDry {
                if base != nil { report.taken.append(file.string) }
                continue
            }
            try attempt(file) {
                told[id] = told[id] ?? row
                if let base {
                    try take(text, of: file, into: row, since: base, links)
                } else if let note = try notebook.notes.load(id), note.content.hasSameBytes(as: text) {
                    let read = try links.read(text, of: id, in: MirrorPath.names(file.string), base: nil)
                    _ = try notebook.notes.save(id, text: read, baseRevision: note.row.revision, base: text)
                } else if let begun = state.begun[id] {
                    try take(text, of: file, into: row, since: begun, links)
                }
                textTold.insert(id)
            }
        }
    }

    /// Merges the text of a changed file into its note.
    private func take(
        _ text: String, of file: ExactText, into row: NoteRow, since base: MirrorBase, _ links: MirrorLinks
    ) throws {
        let (id, names) = (row.id, MirrorPath.names(file.string))
        // The links of a file that a note was just made of are still to be translated, also those that were in it then.
        let read = try links.read(text, of: id, in: names, base: state.notes[id])
        // The file may have been emptied or overwritten by mistake.
        try notebook.versions.keep(of: id, reason: .outside)
        let wasBlank = Self.isBlank(base.noteText)
        if Self.isBlank(read), !wasBlank { try keepTitle(of: id, whichFollows: false) }
        // The tags come first: after a kill, the next round finds the same difference once more.
        try notebook.write { try $0.followTags(from: base.text, to: text, of: id) }
        let rendered = GitObject.name(ofBlob: Array(try links.written(Note(row: row, content: read), in: names).utf8))
        let outcome = try notebook.notes.save(
            id, text: read, baseRevision: base.revision, base: base.noteText
        ) { transaction, outcome in
            // If this round ends before it has written the file, the next one must not merge the same change again.
            try state.took(id, common(of: file, text, as: read, rendered, after: outcome), in: transaction)
        }
        if case .conflict(_, _, let copy) = outcome {
            report.conflicts.append(file.string)
            formsOfCopies[copy.id] = MirrorLinks.Form(file: text, note: read)
        }
        if wasBlank { try keepTitle(of: id, whichFollows: true) }
        report.taken.append(file.string)
    }

    /// Returns the common state of a file and the note that has taken its text.
    private func common(
        of file: ExactText, _ text: String, as read: String, _ rendered: String, after outcome: SaveOutcome
    ) -> MirrorBase {
        let (row, stored) =
            switch outcome {
            case .saved(let row): (row, read)
            case .merged(let row, let text), .conflict(let row, let text, _): (row, text)
            }
        let (hash, common) = (hashes[file] ?? "", common(row))
        return MirrorBase(
            path: file.string, hash: hash, text: text, note: read.hasSameBytes(as: text) ? nil : read,
            rendered: rendered == hash ? nil : rendered, title: common?.title ?? row.title,
            folder: common?.folder ?? tree.path(of: row.folder),
            // A note that says more than its file has changed since.
            revision: stored.hasSameBytes(as: read) ? row.revision : 0,
            inode: seen[file]?.inode, modified: seen[file]?.modified)
    }

    /// Whether a text gives a note no title.
    private static func isBlank(_ text: String) -> Bool {
        TextFacts.derivedTitle(of: text) == TextFacts.derivedTitle(of: "")
    }

    /// Keeps a note's title while its file is empty, since the file still has the name.
    ///
    /// - Parameter whichFollows: whether the title follows the text again, if it is that of the text.
    private func keepTitle(of id: NoteID, whichFollows: Bool) throws(StoreError) {
        try notebook.write { transaction in
            let head = try transaction.head(id)
            guard (head.title == head.defaultTitle) != whichFollows else { return }
            if whichFollows {
                let text = try Notebook.Notes.text(transaction.db, key: head.key) ?? ""
                guard TextFacts.derivedTitle(of: text) == head.title else { return }
            }
            try transaction.retitle(
                head, head.title, defaultTitle: whichFollows ? head.title : "", touching: false)
        }
    }

    // MARK: - Attachments

    /// Stores a file of the folder in the notebook as an image or attachment; returns its address, or nil if there is
    /// no such file.
    ///
    /// - Parameter isStored: false to return only the address of what the notebook has already.
    func take(_ names: [String], isStored: Bool = true) throws -> (url: String, isPicture: Bool)? {
        var path = ExactText(names.joined(separator: "/"))
        if listing.files[path] == nil {
            // In Obsidian an attachment is found by its name alone.
            guard names.count == 1, let found = filesByName[names[0]], found.count == 1, let only = found.first else {
                return nil
            }
            path = only
        }
        guard !MirrorPath.isNote(path.string), let file = listing.files[path], !names.isEmpty else { return nil }
        for id in state.attachments.identities(at: path).union([state.copies[path.string]?.id].compactMap(\.self)) {
            if try notebook.images.facts(id) != nil { return ("takenote://image/\(id.uuidString)", true) }
            if let known = try notebook.attachments.load(id) { return (known.url, known.isPicture) }
        }
        if file.size > NoteFile.defaultMaximumSize {
            leave(path, .tooLarge(file.size))
            return nil
        }
        let bytes: [UInt8]
        do {
            guard let read = try folder?.read(path, limit: NoteFile.defaultMaximumSize + 1) else { return nil }
            bytes = read.bytes
        } catch {
            leave(path, error.reason)
            return nil
        }
        return isStored ? try store(bytes, at: path) : try known(bytes, at: path)
    }

    /// Returns the address of the image or attachment that a file is in the notebook; nil if the notebook has none.
    private func known(_ bytes: [UInt8], at path: ExactText) throws -> (url: String, isPicture: Bool)? {
        let (data, name) = (Data(bytes), MirrorPath.names(path.string).last ?? "")
        guard NoteImage.MimeType(recognizing: data) != nil else {
            let (file, _, isNew) = try notebook.attachments.prepared(data, name: name)
            return isNew ? nil : (file.url, file.isPicture)
        }
        do {
            let (image, _, isNew) = try notebook.images.prepared(data, name: name)
            return isNew ? nil : (image.getURL(), true)
        } catch {
            guard error.isRule else { throw error }
            return nil  // the round that takes a damaged image reports it
        }
    }
}
