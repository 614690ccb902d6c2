import Foundation
import GRDB
import SystemPackage

/// One import, from its first file to its links.
final class ImportRun {
    let notebook: Notebook
    let format: any ImportFormat
    var result = ImportResult()
    /// The notes made, by the names of their files.
    var notes = ImportedNotes()
    /// Files that were imported before and have changed since.
    var changes: [Change] = []
    /// Whether changed files become notes of their own.
    var takesChanges = false
    /// What the user wants with changed files, once they were asked.
    var decision: ChangedFiles?
    /// The notes whose files have not changed.
    private(set) var unchanged: Set<NoteID> = []
    /// Whether an earlier import of these files was stopped or killed, so that links in unchanged files count too.
    private(set) var resumes = false
    /// Whether the notebook says that this import has not ended.
    var isMarked = false
    /// The given folders.
    private(set) lazy var roots = Self.roots(of: format.plan)
    /// The other files of the format, which lists them anew for each caller.
    private(set) lazy var others = format.others
    /// The files whose texts may have links to each other, or images.
    private(set) var linking: [(file: ImportPlan.File, hasFileLinks: Bool)] = []
    /// The normal paths of the files to which texts refer.
    var shown: Set<String> = []
    /// The folded names of the files to which unchanged texts refer.
    var mentioned: Set<String> = []
    /// The images and files that the next transaction stores.
    var waiting = Waiting()
    /// The addresses of the stored images, by their paths from the root.
    var images: [FilePath: String] = [:]
    /// The names in the notebook of the stored files of other kinds, and their addresses, by their paths from the root.
    var files: [FilePath: NoteFile] = [:]
    let options: ImportOptions
    /// The record of what has been made and committed.
    private let made: ImportRecord
    /// The folders and tags that the present transaction has made.
    private var newContainers: [ContainerID] = []
    /// The folders and tags that have been looked up in this transaction.
    private var folders: [[String]: ContainerHead] = [:]
    private var tags: [String: ContainerHead] = [:]
    /// The number of files that are done, and the time when progress was last reported.
    private var done = 0
    private var told = ContinuousClock.now
    /// The key of the last note that existed before the import.
    private var last: Int64?
    var lastKeyBefore: Int64 { last ?? 0 }
    /// The names are forgotten once another program has written, since it may import the same files.
    private var before: NamesBeforeImport?
    /// The version of the notebook's file in the last transaction, which the commits of other programs change.
    private var version: Int64?
    /// The keys of the notes made, and of those that the earlier import had made which this one finishes.
    private var (keys, resumedKeys): (Set<Int64>, Set<Int64>) = ([], [])

    init(notebook: Notebook, _ format: any ImportFormat, _ options: ImportOptions, _ made: ImportRecord) {
        self.notebook = notebook
        self.format = format
        self.options = options
        self.made = made
        result.problems = format.plan.problems
    }

    /// Finds out whether this import finishes an earlier one.
    func begin() throws(StoreError) {
        guard options.skipsUnchanged else { return }
        resumes = try isUnfinished()
        isMarked = resumes
    }

    func take(_ batch: ImportReader.Batch) throws(StoreError) {
        var rest = batch.outcomes[...]
        while !rest.isEmpty, !result.wasCancelled {
            try importBatch(of: &rest)
            notebook.yieldToWriters()
        }
    }

    /// Imports as many files as possible in one transaction, which ends early if another writer waits.
    func importBatch(of rest: inout ArraySlice<ImportReader.Outcome>) throws(StoreError) {
        // Another program may have moved a folder away since the last batch.
        folders = [:]
        tags = [:]
        newContainers = []
        let count = result.notes.count
        try notebook.write { transaction in
            try readNames(transaction)
            try transaction.insertingMany {
                var isToEnd = false
                while !isToEnd, let outcome = rest.popFirst() {
                    switch outcome {
                    case .ready(let file, let facts, let words): try insert(file, facts, words, transaction)
                    case .unchanged(let file):
                        addUnchanged(file, try earlierImport(of: file, transaction).map { ($0.note, $0.key) })
                    case .problem(let problem): result.problems.append(problem)
                    }
                    done += 1
                    guard .now - told >= options.interval else { continue }
                    tell()
                    isToEnd = result.wasCancelled || notebook.lock.hasWaiters
                }
                if !isMarked, !linking.isEmpty { try mark(isUnfinished: true, transaction) }
            }
            transaction.incoming = keys.union(resumedKeys)
        }
        made.notes += result.notes[count...]
        made.containers += newContainers
        if !result.wasCancelled { tell() }
    }

    private func readNames(_ transaction: Transaction) throws {
        let present: Int64? = try transaction.value("PRAGMA data_version")
        if last == nil {
            last = try transaction.value("SELECT max(id) FROM note") ?? 0
            before = try NamesBeforeImport(transaction, files: format.plan.files.count)
        } else if version != present {
            before = nil
        }
        version = present
    }

    /// Reports progress, and records whether to stop.
    private func tell() {
        told = .now
        let count = format.plan.files.count
        result.wasCancelled = !options.progress(done, count) && done < count
    }

    /// Lets the next call of `tellLinking` report at once.
    func beginLinking() { told = .now - options.interval }

    /// Reports how many notes have their links, and records whether to stop; returns whether to go on.
    func tellLinking(_ done: Int) -> Bool {
        guard !result.wasCancelled else { return false }
        guard .now - told >= options.interval else { return true }
        told = .now
        if options.linking(done, linking.count + changes.count) { return true }
        (result.wasCancelled, result.isUnlinked) = (true, true)
        return false
    }

    private func insert(
        _ file: ImportFile, _ facts: TextFacts, _ words: IndexedWords, _ transaction: Transaction
    ) throws {
        do {
            let earlier = try earlierImport(of: file, transaction)
            if options.skipsUnchanged, !takesChanges, try isKnown(file, since: earlier, transaction) { return }
            let folder = try folder(file.file.folders(below: options.folder), transaction)
            let tags = try file.tags.compactMap { try tag($0, transaction) }
            let isFree = try file.id.map { try !transaction.exists($0) } ?? false
            let note = NewNote(
                text: file.text, title: file.title, folder: folder.id, starred: file.starred, created: file.created,
                updated: file.updated, id: isFree ? file.id ?? NoteID() : NoteID(),
                sources: sources(of: file, earlier))
            let key = try transaction.insertNote(note, in: folder, tags: tags, facts: facts, words: words)
            try transaction.run(
                "INSERT OR REPLACE INTO import_source (path, hash, note) VALUES (?, ?, ?)", [file.path, file.hash, key])
            before?.paths.insert(file.path)
            keys.insert(key)
            notes.add(note.id, key, of: file.file)
            if isFree { try transaction.rememberFormerTitles(from: file, of: key) }
            try noteTitle(of: key, from: file, in: folder, transaction)
            // Tags in raw HTML may show files too.
            let hasFileLinks = facts.hasFileLinks || file.text.contains(byte: UInt8(ascii: "<"))
            if hasFileLinks || facts.links.contains(where: { $0.kind == .title }) {
                linking.append((file.file, hasFileLinks))
            }
            result.notes.append(note.id)
            result.noteImportCount += 1
            result.problems += file.remarks
        } catch let error as StoreError {
            result.problems.append(ImportProblem(path: file.file.path, reason: .store(error)))
        }
    }

    /// Notes a file that has a note already: as unchanged, or to take its changes once all notes are there.
    ///
    /// - Returns: false if the file has no note yet.
    private func isKnown(
        _ file: ImportFile, since earlier: EarlierImport?, _ transaction: Transaction
    ) throws -> Bool {
        if let change = try change(of: file, since: earlier, transaction) {
            changes.append(change)
            return true
        }
        guard let known = try knownNote(file, transaction) ?? importedMeanwhile(file, earlier) else { return false }
        addUnchanged(file, known)
        return true
    }

    /// Returns the note that another program has made of the same file since this import began.
    private func importedMeanwhile(_ file: ImportFile, _ earlier: EarlierImport?) -> (id: NoteID, key: Int64)? {
        guard let earlier, !earlier.isInTrash, earlier.hash == file.hash, earlier.key > lastKeyBefore,
            !keys.contains(earlier.key)
        else { return nil }
        return (earlier.note, earlier.key)
    }

    /// Reports a title that got a number because titles are unique in the folders of projects.
    private func noteTitle(
        of key: Int64, from file: ImportFile, in folder: ContainerHead, _ transaction: Transaction
    ) throws {
        guard folder.project != nil,
            let title: String = try transaction.value("SELECT title FROM note WHERE id = ?", [key])
        else { return }
        // The file of an export may have the number already, in its name.
        if title == file.finalTitle || title == file.file.name { return }
        result.problems.append(ImportProblem(path: file.file.path, reason: .retitled(title: title)))
    }

    /// Returns the notes whose text a file may hold: that of its front matter, that which was exported to it, and that
    /// which was made of it before.
    private func sources(of file: ImportFile, _ earlier: EarlierImport?) -> [NoteID] {
        [file.id, file.file.exported?.note, earlier?.note].compactMap(\.self)
    }

    /// Counts a file that has not changed; new texts may have links to its note.
    private func addUnchanged(_ file: ImportFile, _ note: (id: NoteID, key: Int64)?) {
        result.unchangedCount += 1
        mention(file.text)
        guard let note else { return }
        unchanged.insert(note.id)
        if resumes {
            linking.append((file.file, true))
            resumedKeys.insert(note.key)
        }
        notes.add(note.id, note.key, of: file.file)
    }

    private func earlierImport(of file: ImportFile, _ transaction: Transaction) throws -> EarlierImport? {
        if let before, !before.paths.contains(file.path), !file.isForeign { return nil }
        let imports = """
            SELECT note.uuid, note.id, import_source.hash, place = 2 FROM import_source
            JOIN note ON note.id = import_source.note
            """
        var row = try transaction.row("\(imports) WHERE path = ?", [file.path])
        if row == nil, file.isForeign, let id = file.id {
            // Most programs give each export another name. The text that was imported last is the base of a merge.
            row = try transaction.row(
                """
                \(imports) WHERE note.uuid = ? AND note.id <= ? ORDER BY import_source.hash = ? DESC,
                    (SELECT max(number) FROM note_version AS version
                    WHERE version.note = note.id AND version.hash = import_source.hash) DESC LIMIT 1
                """, [id.description, lastKeyBefore, file.hash])
        }
        return row.map {
            EarlierImport(note: NoteID(stored: $0[0]), key: $0[1], hash: $0[2], isInTrash: $0[3])
        }
    }

    private func knownNote(_ file: ImportFile, _ transaction: Transaction) throws -> (id: NoteID, key: Int64)? {
        let folder = try existingFolder(file.file.folders(below: options.folder), transaction)
        let known = KnownNotes(transaction.db, upTo: lastKeyBefore, titled: before?.titles)
        return try known.note(of: file, inFolder: folder)
    }

    // MARK: - Folders and tags

    /// Returns the folder for a file's sub-folders; makes missing ones.
    private func folder(_ names: [String], _ transaction: Transaction) throws -> ContainerHead {
        if let known = folders[names] { return known }
        var folder = try transaction.containerHead(options.folder ?? .inbox)
        if !names.isEmpty {
            // By default, files at the top go into Inbox, and folders are made beside it.
            var parent = folder.kind == .inbox ? nil : folder
            for name in names {
                let (found, isNew) = try transaction.folderToImportInto(named: Self.cleaned(name), of: parent)
                if isNew { newContainers.append(found.id) }
                folder = found
                parent = folder
            }
        }
        folders[names] = folder
        return folder
    }

    /// Returns the key of the folder for a file's sub-folders, if it exists.
    private func existingFolder(_ names: [String], _ transaction: Transaction) throws -> Int64? {
        if let known = folders[names] { return known.key }
        let target = try transaction.containerHead(options.folder ?? .inbox)
        if names.isEmpty { return target.key }
        var parent = target.kind == .inbox ? nil : target
        for name in names {
            guard let found = try transaction.child(named: Self.cleaned(name), of: parent?.key) else { return nil }
            parent = found
        }
        return parent?.key
    }

    /// Returns a folder's name in a form that a notebook accepts, since names on the disk may be anything.
    private static func cleaned(_ name: String) -> String {
        // Some systems take the marks of letters apart in names, and others would show two folders.
        let clean = Transaction.cleanTitle(name).precomposedStringWithCanonicalMapping
        return clean.isEmpty ? "Untitled" : clean
    }

    private func tag(_ name: String, _ transaction: Transaction) throws -> ContainerHead? {
        let name = Transaction.cleanTitle(name)
        let key = Folding.key(name)
        if key.isEmpty { return nil }
        if let known = tags[key] { return known }
        let (head, isNew) = try transaction.tag(named: name)
        if isNew { newContainers.append(head.id) }
        tags[key] = head
        return head
    }
}

extension NoteContainer.Kind {
    /// Whether a folder in an import that has this container's name stands for the container.
    fileprivate var takesImports: Bool { self == .folder || self == .project || self == .inbox || self == .archive }
}

extension Transaction {
    /// Gives a note that an export brings the former titles that it had in its notebook, by which links find it.
    fileprivate func rememberFormerTitles(from file: ImportFile, of key: Int64) throws {
        guard let exported = file.file.exported, exported.note == file.id else { return }
        for title in (exported.properties?.formerTitles ?? []).suffix(Self.formerTitleLimit)
        where title.key.utf8.count <= Self.formerTitleLength {
            try run(
                "INSERT OR IGNORE INTO former_title (titleKey, note, date) VALUES (?, ?, ?)",
                [title.key, key, title.date.milliseconds])
        }
    }

    func exists(_ id: NoteID) throws -> Bool {
        try value("SELECT 1 FROM note WHERE uuid = ?", [id.description]) ?? false
    }

    /// Returns the folder with this name; makes it if it is missing.
    fileprivate func folderToImportInto(
        named name: String, of parent: ContainerHead?
    ) throws -> (folder: ContainerHead, isNew: Bool) {
        if let found = try child(named: name, of: parent?.key), found.kind.takesImports { return (found, false) }
        let free = try freeName(name, kind: .folder, parent: parent?.key, except: nil)
        return (try insertContainer(.folder, name: free, parent: parent?.key), true)
    }

    /// Returns the tag with this name; makes it if it is missing.
    func tag(named name: String) throws -> (tag: ContainerHead, isNew: Bool) {
        let name = name.hasPrefix("#") ? String(name.dropFirst()) : name
        if let row = try row("\(ContainerHead.selection) WHERE nameKey = ? AND kind = 'tag'", [Folding.key(name)]) {
            return (ContainerHead(row), false)
        }
        return (try insertContainer(.tag, name: name, parent: nil), true)
    }
}
