import Foundation
import GRDB
import SystemPackage

/// The options of an import.
public struct ImportOptions: Sendable {
    /// The size limit of a file that becomes a note, in bytes.
    public static let maximumTextSize = ImportFile.limit

    /// The folder into which the notes go, with sub-folders inside it.
    ///
    /// If it is `nil`, files go into Inbox, and sub-folders to the root.
    public var folder: ContainerID?
    /// Whether to skip texts that the notebook already has outside Trash.
    ///
    /// These are files that were imported before and have not changed, notes that were exported, and notes with the
    /// same title and text in the same folder.
    public var skipsUnchanged: Bool
    /// Called once with the number of files that were imported before and have changed since; returns what to do with
    /// them.
    public var onChange: @Sendable (_ count: Int) -> ChangedFiles = { _ in .merge }
    /// Called with the number of files done and of all files: at the end of each transaction, and at intervals within it.
    ///
    /// If it returns false, the import stops, and what is done stays.
    public var progress: @Sendable (_ done: Int, _ all: Int) -> Bool
    /// Called at the same intervals, after the last file was read, with the number of notes whose links are made and of all
    /// notes with links.
    ///
    /// If it returns false, the import stops; the next one of the same files makes the other links.
    public var linking: @Sendable (_ done: Int, _ all: Int) -> Bool = { _, _ in true }
    /// The interval at which progress is reported, and at which the import checks whether to stop and whether another
    /// writer waits.
    var interval = Duration.milliseconds(20)
    /// The largest file that is stored with the notes that refer to it, in bytes.
    public var maximumFileSize: Int

    public init(
        folder: ContainerID? = nil, skipsUnchanged: Bool = false, maximumFileSize: Int = NoteFile.defaultMaximumSize,
        progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Bool = { _, _ in true }
    ) {
        self.folder = folder
        self.skipsUnchanged = skipsUnchanged
        self.maximumFileSize = maximumFileSize
        self.progress = progress
    }
}

/// The result that an import would have.
public struct ImportPreview: Equatable, Sendable {
    public struct Item: Equatable, Sendable {
        /// The path as given, or as found in a given folder.
        public let path: String
        /// The note's folders, below the one that the import goes into.
        public let folders: [String]
    }

    /// The texts, new or unchanged.
    public var items: [Item] = []
    /// The number of these texts that the notebook already has.
    public var unchangedCount = 0
    public var problems: [ImportProblem] = []
    public var wasCancelled = false
}

extension Notebook.Transfer {
    /// Returns what `importFiles` would do; it reads all the texts and changes nothing.
    public func preview(
        _ source: ImportSource, _ options: ImportOptions = ImportOptions()
    ) throws(StoreError) -> ImportPreview {
        var preview = ImportPreview(problems: source.plan.problems)
        let hashes = options.skipsUnchanged ? try importedHashes() : [:]
        let prefix = try options.folder.map { id throws(StoreError) in try path(ofContainer: id) }
        for (index, file) in source.plan.files.enumerated() {
            do {
                let text = try source.format.read(file)
                preview.items.append(ImportPreview.Item(path: file.path, folders: file.folders(below: options.folder)))
                if options.skipsUnchanged,
                    try hashes[text.path] == text.hash || isKnown(text, options.folder, below: prefix)
                {
                    preview.unchangedCount += 1
                }
            } catch let failure as ImportFailure {
                preview.problems.append(ImportProblem(path: file.path, reason: failure.reason))
            } catch {
                throw (error as? StoreError) ?? .interrupted
            }
            if !options.progress(index + 1, source.plan.files.count), index + 1 < source.plan.files.count {
                preview.wasCancelled = true
                break
            }
        }
        return preview
    }

    private func isKnown(
        _ text: ImportFile, _ target: ContainerID?, below prefix: String?
    ) throws(StoreError) -> Bool {
        let names = Notebook.Containers.path(ofNames: text.file.folders(below: target))
        let path = [prefix, names.isEmpty ? nil : names].compactMap { $0 }.joined(separator: "/")
        // A missing folder has no notes.
        let folder = path.isEmpty ? ContainerID.inbox : (try? notebook.containers.resolve(path: path))?.id
        return try notebook.read { db in
            let key = try folder.flatMap {
                try Int64.fetchOne(db, sql: "SELECT id FROM container WHERE uuid = ?", arguments: [$0.description])
            }
            return try KnownNotes(db).note(of: text, inFolder: key) != nil
        }
    }

    /// Returns the path from the root to a container; empty for Inbox, since texts without a folder go there.
    private func path(ofContainer id: ContainerID) throws(StoreError) -> String {
        let all = try notebook.containers.all()
        var names: [String] = []
        var next = all.first { $0.id == id }
        while let container = next, !container.isInbox, names.count < all.count {
            names.insert(container.name, at: 0)
            next = container.parent.flatMap { parent in all.first { $0.id == parent } }
        }
        return Notebook.Containers.path(ofNames: names)
    }

    /// Returns the number of the plan's files that were imported before and have not changed.
    ///
    /// The user can then choose to skip them.
    public func unchangedCount(in plan: ImportPlan) throws(StoreError) -> Int {
        try preview(ImportSource(plain: plan), ImportOptions(skipsUnchanged: true)).unchangedCount
    }

    /// Imports Markdown and text files as notes.
    public func importFiles(
        _ plan: ImportPlan, _ options: ImportOptions = ImportOptions(), made: ImportRecord = ImportRecord()
    ) throws(StoreError) -> ImportResult {
        try importFiles(ImportSource(plain: plan), options, made: made)
    }

    /// Imports texts as notes, in batches of one transaction each.
    ///
    /// A text that cannot be imported is reported in the result, and the import continues. After the last text, links
    /// between the files become note links and local images are stored. The files are only read.
    ///
    /// - Parameter made: receives what was made, batch by batch.
    public func importFiles(
        _ source: ImportSource, _ options: ImportOptions = ImportOptions(), made: ImportRecord = ImportRecord()
    ) throws(StoreError) -> ImportResult {
        let run = ImportRun(notebook: notebook, source.format, options, made)
        try run.begin()
        let hashes = options.skipsUnchanged ? try importedHashes() : [:]
        var reader = ImportReader(source.format, known: hashes, notebook.termCache)
        let takeAll = { () throws(StoreError) in
            while !run.result.wasCancelled, let batch = reader.next() { try run.take(batch) }
            try run.decideOnChanges()
            try run.connect()
            try run.mergeChanges()
            try run.takeDocuments()
            run.listLeftOut()
            try run.finish()
        }
        // A transaction of few files does not keep others waiting.
        if source.plan.files.count < ImportReader.batchLimit {
            try takeAll()
        } else {
            try notebook.care.withRoomForMany(takeAll)
        }
        return run.result
    }

    /// Returns the hashes of imported files whose notes are not in Trash, by path.
    private func importedHashes() throws(StoreError) -> [String: String] {
        try notebook.read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT path, hash FROM import_source JOIN note ON note.id = import_source.note WHERE place <> 2
                    """)
            var hashes: [String: String] = [:]
            while let row = try rows.next() {
                guard let path = row[0] as String?, let hash = row[1] as String? else { continue }
                hashes[path] = hash
            }
            return hashes
        }
    }
}

/// Checks whether the notebook has a text that is to be imported, outside Trash.
struct KnownNotes {
    private let db: Database
    /// The last key that counts; notes with greater keys came with the same import.
    private let last: Int64
    /// The folded titles of all notes, if they are known.
    private let titles: Set<String>?

    /// The maximum number of notes with the same title in the same folder that are compared.
    private static let maximumTwins = 100

    init(_ db: Database, upTo last: Int64 = .max, titled titles: Set<String>? = nil) {
        (self.db, self.last, self.titles) = (db, last, titles)
    }

    /// Returns the note with a file's identity and text, else one with its title and text in its folder.
    func note(of file: ImportFile, inFolder folder: Int64?) throws -> (id: NoteID, key: Int64)? {
        let named = file.id ?? file.file.exported?.note
        if let id = named, let key = try note(id, hasTextOf: file) { return (id, key) }
        let title = Folding.key(file.finalTitle)
        guard let folder, last > 0, titles?.contains(title) ?? true else { return nil }
        let twins = try db.cachedStatement(
            sql: """
                SELECT note.id, (SELECT count(*) FROM import_source WHERE note = note.id AND hash = ?3), uuid
                FROM note WHERE titleKey = ?1 AND folder = ?2 AND place <> 2 AND note.id <= ?4 LIMIT \(Self.maximumTwins)
                """)
        let found = try Row.fetchAll(twins, arguments: [title, folder, file.hash, last])
        for row in found {
            guard let key = row[0] as Int64? else { continue }
            let isImported = (row[1] as Int64?) ?? 0 > 0
            if file.isForeign, try !has(key, tagsOf: file) { continue }
            if try isImported || Notebook.Notes.text(db, key: key)?.hasSameBytes(as: file.text) ?? false {
                return (NoteID(stored: row[2]), key)
            }
        }
        return nil
    }

    /// Whether a note was imported, and never from a file with this text.
    private func hasChanged(_ file: ImportFile, sinceImportInto key: Int64) throws -> Bool {
        let hashes = try String.fetchSet(
            db.cachedStatement(sql: "SELECT hash FROM import_source WHERE note = ?"), arguments: [key])
        return !hashes.isEmpty && !hashes.contains(file.hash)
    }

    /// Whether a note has all tags of a file, since other programs' notes may differ in nothing else.
    private func has(_ key: Int64, tagsOf file: ImportFile) throws -> Bool {
        if file.tags.isEmpty { return true }
        let statement = try db.cachedStatement(
            sql: "SELECT nameKey FROM note_tag JOIN container ON container.id = note_tag.tag WHERE note = ?")
        let tags = try String.fetchSet(statement, arguments: [key])
        return file.tags.allSatisfy { name in
            let name = Transaction.cleanTitle(name)
            let wanted = Folding.key(name.hasPrefix("#") ? String(name.dropFirst()) : name)
            return wanted.isEmpty || tags.contains(wanted)
        }
    }

    /// Returns the key of the note with this identity if it has the file's text, apart from the addresses in its links.
    func note(_ id: NoteID, hasTextOf file: ImportFile) throws -> Int64? {
        let statement = try db.cachedStatement(sql: "SELECT id FROM note WHERE uuid = ? AND place <> 2 AND id <= ?")
        guard let key = try Int64.fetchOne(statement, arguments: [id.description, last]) else { return nil }
        if file.isForeign { return try hasChanged(file, sinceImportInto: key) ? nil : key }
        if file.isExported { return key }
        guard let text = try Notebook.Notes.text(db, key: key) else { return nil }
        return LinkRewriter.withoutAddresses(text).hasSameBytes(as: LinkRewriter.withoutAddresses(file.text))
            ? key : nil
    }
}

/// What a notebook had before a large import, which saves a statement for each file.
struct NamesBeforeImport {
    /// The paths from which notes came.
    var paths: Set<String> = []
    /// The folded titles of the notes.
    private(set) var titles: Set<String> = []

    /// `nil` if the notebook has more of them than the import has files.
    init?(_ transaction: Transaction, files: Int) throws {
        func names(_ selection: String, limit: Int) throws -> Set<String> {
            var names: Set<String> = []
            let rows = try Row.fetchCursor(
                transaction.db.cachedStatement(sql: selection + " LIMIT ?"), arguments: [limit])
            while let row = try rows.next() {
                // Another program may have written anything into the notebook.
                if let name = row[0] as String? { names.insert(name) }
            }
            return names
        }
        titles = try names("SELECT titleKey FROM note", limit: files + 1)
        paths = try names("SELECT path FROM import_source", limit: files + 1)
        if titles.count > files || paths.count > files { return nil }
    }
}
