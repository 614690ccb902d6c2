import Foundation
import GRDB

/// How an import is to be done.
public struct ImportOptions: Sendable {
    /// Where the notes go; sub-folders are made in it.
    ///
    /// `nil`: files into Inbox, sub-folders at the root.
    public var folder: ContainerID?
    /// Leaves out files that were imported before, have not changed since, and whose notes are not in Trash.
    public var skipsUnchanged: Bool
    /// Called every 20 ms or so with the files done and all of them; false stops the import, and what is done stays.
    public var progress: @Sendable (_ done: Int, _ all: Int) -> Bool

    public init(
        folder: ContainerID? = nil, skipsUnchanged: Bool = false,
        progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Bool = { _, _ in true }
    ) {
        self.folder = folder
        self.skipsUnchanged = skipsUnchanged
        self.progress = progress
    }
}

extension ImportPlan {
    /// What an import would have to skip: what could not be planned, and the files that are no text.
    ///
    /// Reads all of them.
    public func skipped() -> [ImportProblem] {
        var skipped = problems
        for file in files {
            do {
                _ = try ImportFile(reading: file)
            } catch {
                skipped.append(ImportProblem(path: file.path, reason: error.reason))
            }
        }
        return skipped
    }
}

extension Notebook {
    /// How many of the plan's files were imported before and have not changed, so that a second import can be offered
    /// to leave them out.
    public func unchangedCount(in plan: ImportPlan) throws(StoreError) -> Int {
        let known = try importedHashes()
        return plan.files.count { file in
            guard let read = try? ImportFile(reading: file) else { return false }  // the import itself tells
            return known[read.path] == read.hash
        }
    }

    /// Imports files as notes, in batches of one transaction each.
    ///
    /// A file that cannot be imported is named in the result and the rest goes on. After the last file, links between
    /// the files become note links and local images are taken in.
    public func importFiles(_ plan: ImportPlan, _ options: ImportOptions = ImportOptions()) throws(StoreError)
        -> ImportResult
    {
        let run = ImportRun(notebook: self, options, count: plan.files.count)
        run.result.problems = plan.problems
        var reader = ImportReader(
            plan.files, known: options.skipsUnchanged ? try importedHashes() : [:], termCache)
        let takeAll = { () throws(StoreError) in
            while !run.result.wasCancelled, let batch = reader.next() { try run.take(batch) }
            try run.connect()
        }
        // Of a few files nobody waits longer than for their transaction.
        if plan.files.count < ImportReader.batchLimit { try takeAll() } else { try withRoomForMany(takeAll) }
        return run.result
    }

    /// The hashes of the files that were imported and whose notes are not in Trash, by their paths.
    private func importedHashes() throws(StoreError) -> [String: String] {
        try read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT path, hash FROM import_source JOIN note ON note.id = import_source.note WHERE place <> 2
                    """)
            var hashes: [String: String] = [:]
            while let row = try rows.next() { hashes[row[0]] = row[1] }
            return hashes
        }
    }

    static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}

/// One import from its first file to its links.
private final class ImportRun {
    let notebook: Notebook
    let target: ContainerID?
    var result = ImportResult()
    /// The notes made, by the absolute path of their files.
    private var notes: [String: (id: NoteID, key: Int64)] = [:]
    /// The files whose texts may have links to each other, or images.
    private var linking: [(path: String, hasFileLinks: Bool)] = []
    /// What has been looked up in this transaction.
    private var folders: [[String]: ContainerHead] = [:]
    private var tags: [String: ContainerHead] = [:]
    private let progress: @Sendable (_ done: Int, _ all: Int) -> Bool
    /// The files of the plan, those that are done, and when that was told last.
    private let count: Int
    private var done = 0
    private var told = ContinuousClock.now

    /// Whoever stops an import sees it stop at once.
    private static let interval = Duration.milliseconds(20)

    init(notebook: Notebook, _ options: ImportOptions, count: Int) {
        self.notebook = notebook
        target = options.folder
        progress = options.progress
        self.count = count
    }

    // MARK: - Files

    func take(_ batch: ImportReader.Batch) throws(StoreError) {
        // Another program may have moved a folder away since the last batch.
        folders = [:]
        tags = [:]
        try notebook.write { transaction in
            try transaction.insertingMany {
                for outcome in batch.outcomes {
                    switch outcome {
                    case .ready(let file, let facts, let words): try insert(file, facts, words, transaction)
                    case .unchanged: result.unchangedCount += 1
                    case .problem(let problem): result.problems.append(problem)
                    }
                    done += 1
                    if mustStop(unless: .now - told < Self.interval) { break }
                }
            }
        }
        if !result.wasCancelled { _ = mustStop(unless: false) }
    }

    /// Tells how far it is, unless that was told just now, and notes whether it is to stop.
    private func mustStop(unless isTold: Bool) -> Bool {
        if isTold { return false }
        told = .now
        result.wasCancelled = !progress(done, count) && done < count
        return result.wasCancelled
    }

    private func insert(
        _ file: ImportFile, _ facts: TextFacts, _ words: IndexedWords, _ transaction: Transaction
    ) throws {
        do {
            let folder = try folder(file.file.folders, transaction)
            let tags = try file.tags.compactMap { try tag($0, transaction) }
            let isFree = try file.id.map { try !transaction.exists($0) } ?? false
            let note = NewNote(
                text: file.text, title: file.title, folder: folder.id, starred: file.starred, created: file.created,
                updated: file.updated, id: isFree ? file.id ?? NoteID() : NoteID())
            let key = try transaction.insertNote(note, in: folder, tags: tags, facts: facts, words: words)
            try transaction.run(
                "INSERT OR REPLACE INTO import_source (path, hash, note) VALUES (?, ?, ?)", [file.path, file.hash, key])
            notes[file.path] = (note.id, key)
            if facts.hasFileLinks || facts.links.contains(where: { $0.kind == .title }) {
                linking.append((file.path, facts.hasFileLinks))
            }
            result.notes.append(note.id)
            result.noteImportCount += 1
        } catch let error as StoreError {
            result.problems.append(ImportProblem(path: file.file.path, reason: .store(error)))
        }
    }

    /// The folder for a file's sub-folders, made if it is missing.
    private func folder(_ names: [String], _ transaction: Transaction) throws -> ContainerHead {
        if let known = folders[names] { return known }
        var folder = try transaction.containerHead(target ?? .inbox)
        if !names.isEmpty {
            // Files at the top go to Inbox by default, folders beside it.
            var parent = folder.kind == .inbox ? nil : folder
            for name in names {
                folder = try transaction.folderToImportInto(named: name, of: parent)
                parent = folder
            }
        }
        folders[names] = folder
        return folder
    }

    private func tag(_ name: String, _ transaction: Transaction) throws -> ContainerHead? {
        let key = Folding.key(name)
        if key.isEmpty { return nil }
        if let known = tags[key] { return known }
        let head = try transaction.tag(named: name)
        tags[key] = head
        return head
    }

    // MARK: - Links and images

    /// Turns what leads from file to file into note links, and takes local images in.
    func connect() throws(StoreError) {
        if linking.isEmpty { return }
        var byName: [String: (id: NoteID, key: Int64)] = [:]
        for (path, note) in notes { byName[Folding.key(path.lastPathComponent.withoutEnding)] = note }
        for start in stride(from: 0, to: linking.count, by: ImportReader.batchLimit) {
            let batch = linking[start..<min(start + ImportReader.batchLimit, linking.count)]
            let rewritten = try rewritten(batch, byName)
            if rewritten.isEmpty { continue }
            try notebook.write { transaction in
                for (note, text) in rewritten {
                    let head = try transaction.head(note.id)
                    try transaction.replaceText(text, of: head)
                    // An import keeps the dates that the file had.
                    try transaction.run(
                        "UPDATE note SET updatedDate = ? WHERE id = ?", [note.row.updatedDate.milliseconds, head.key])
                }
            }
        }
    }

    /// The notes of these files that get another text.
    private func rewritten(
        _ batch: ArraySlice<(path: String, hasFileLinks: Bool)>, _ byName: [String: (id: NoteID, key: Int64)]
    ) throws(StoreError) -> [(Note, String)] {
        let candidates = try notebook.read { db in
            try batch.filter { try $0.hasFileLinks || leadsElsewhere(db, notes[$0.path]?.key, byName) }
        }
        var rewritten: [(Note, String)] = []
        for (path, _) in candidates {
            guard let id = notes[path]?.id, let note = try notebook.note(id) else { continue }
            var rewriter = LinkRewriter(text: note.content)
            let text = try rewriter.rewritten { link throws(StoreError) in
                try replacement(for: link, of: note, at: path, byName)
            }
            if text != note.content { rewritten.append((note, text)) }
        }
        return rewritten
    }

    /// Whether a link by title names a file and leads to another note than that file's.
    private func leadsElsewhere(
        _ db: Database, _ key: Int64?, _ byName: [String: (id: NoteID, key: Int64)]
    ) throws -> Bool {
        let links = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT target, destination FROM note_link WHERE source = ? AND kind = 'title'"),
            arguments: [key])
        while let link = try links.next() {
            let target: String = link[0]
            if let wanted = byName[Folding.key(target.lastPathComponent)], link[1] != wanted.key { return true }
        }
        return false
    }

    private func replacement(
        for link: LinkRewriter.Link, of note: Note, at path: String, _ byName: [String: (id: NoteID, key: Int64)]
    ) throws(StoreError) -> String? {
        switch link {
        case .wikilink(let title):
            // A link that finds its note by the title stays as it is written.
            guard let wanted = byName[Folding.key(title.lastPathComponent)],
                try notebook.note(titled: title, from: note.id)?.id != wanted.id
            else { return nil }
            return wanted.id.url
        case .file(let address):
            return notes[file(String(address.prefix { $0 != "#" }), besides: path)]?.id.url
        case .image(let address):
            guard !address.contains("://"), !address.hasPrefix("data:"), UUID(uuidString: address) == nil else {
                return nil
            }
            return try takeIn(file(address, besides: path), address, from: path)
        }
    }

    /// The file that an address in another file means.
    private func file(_ address: String, besides path: String) -> String {
        let folder = (path as NSString).deletingLastPathComponent
        return Notebook.absolute(folder + "/" + (address.removingPercentEncoding ?? address))
    }

    private func takeIn(_ image: String, _ address: String, from path: String) throws(StoreError) -> String? {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: image))
            let url = try notebook.addImage(data, name: address).getURL()
            result.imageCount += 1
            return url
        } catch {
            result.problems.append(ImportProblem(path: path, reason: .image(name: address.lastPathComponent)))
            return nil
        }
    }
}

extension NoteContainer.Kind {
    /// Whether a folder of this name in an import means this container.
    fileprivate var takesImports: Bool { self == .folder || self == .project || self == .inbox || self == .archive }
}

extension String {
    fileprivate var lastPathComponent: String { (self as NSString).lastPathComponent }
}

extension Transaction {
    fileprivate func exists(_ id: NoteID) throws -> Bool {
        try value("SELECT 1 FROM note WHERE uuid = ?", [id.description]) ?? false
    }

    /// The folder of this name, made if it is missing.
    fileprivate func folderToImportInto(named name: String, of parent: ContainerHead?) throws -> ContainerHead {
        if let found = try child(named: name, of: parent?.key), found.kind.takesImports { return found }
        let free = try freeName(name, kind: .folder, parent: parent?.key, except: nil)
        return try insertContainer(.folder, name: free, parent: parent?.key)
    }

    /// The tag of this name, made if it is missing.
    func tag(named name: String) throws -> ContainerHead {
        let name = name.hasPrefix("#") ? String(name.dropFirst()) : name
        if let row = try row("\(ContainerHead.selection) WHERE nameKey = ? AND kind = 'tag'", [Folding.key(name)]) {
            return ContainerHead(row)
        }
        return try insertContainer(.tag, name: name, parent: nil)
    }
}
