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
    /// Called now and then with the files done and all of them; false stops the import after the batch.
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

extension Notebook {
    /// Files a transaction takes in: the lock is free between, and a stop loses nothing.
    private static let importBatch = 500

    /// How many of the plan's files were imported before and have not changed, so that a second import can be offered
    /// to leave them out.
    public func unchangedCount(in plan: ImportPlan) throws(StoreError) -> Int {
        var count = 0
        for file in plan.files {
            // A file that cannot be read is reported by the import itself.
            guard let read = try? ImportFile(reading: file) else { continue }
            if try isUnchanged(read) { count += 1 }
        }
        return count
    }

    /// Imports files as notes, in batches of one transaction each.
    ///
    /// A file that cannot be imported is named in the result and the rest goes on. After the last file, links between
    /// the files become note links and local images are taken in.
    public func importFiles(_ plan: ImportPlan, _ options: ImportOptions = ImportOptions()) throws(StoreError)
        -> ImportResult
    {
        var run = ImportRun(notebook: self, options: options)
        run.result.problems = plan.problems
        var start = 0
        while start < plan.files.count {
            let batch = Array(plan.files[start..<min(start + Self.importBatch, plan.files.count)])
            try run.importBatch(batch)
            start += batch.count
            if !options.progress(start, plan.files.count), start < plan.files.count {
                run.result.wasCancelled = true
                break
            }
        }
        try run.connect()
        return run.result
    }

    func isUnchanged(_ file: ImportFile) throws(StoreError) -> Bool {
        try read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT 1 FROM import_source JOIN note ON note.id = import_source.note
                    WHERE path = ? AND hash = ? AND note.place <> 2
                    """)
            return try Bool.fetchOne(statement, arguments: [Self.absolute(file.file.path), file.hash]) ?? false
        }
    }

    static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}

/// One import from its first file to its links.
private struct ImportRun {
    let notebook: Notebook
    let options: ImportOptions
    var result = ImportResult()
    /// The notes made, by the absolute path of their files.
    private var notes: [String: NoteID] = [:]
    /// The files whose texts may have links.
    private var linking: [String] = []
    private var folders: [[String]: ContainerID] = [:]
    private var tags: [String: ContainerID] = [:]

    init(notebook: Notebook, options: ImportOptions) {
        self.notebook = notebook
        self.options = options
    }

    // MARK: - Files

    mutating func importBatch(_ files: [ImportPlan.File]) throws(StoreError) {
        var ready: [(file: ImportFile, facts: TextFacts, words: IndexedWords)] = []
        for file in files {
            do {
                let read = try ImportFile(reading: file)
                if options.skipsUnchanged, try notebook.isUnchanged(read) {
                    result.unchangedCount += 1
                    continue
                }
                let facts = TextFacts(of: read.text, title: read.title)
                ready.append((read, facts, IndexedWords(title: read.title ?? facts.derivedTitle, text: read.text)))
            } catch let failure as ImportFailure {
                result.problems.append(ImportProblem(path: file.path, reason: failure.reason))
            } catch {
                throw StoreError(error, path: notebook.path)
            }
        }
        guard !ready.isEmpty else { return }
        var next = self
        try notebook.write { transaction in
            for (file, facts, words) in ready { try next.insert(file, facts, words, transaction) }
        }
        self = next
    }

    private mutating func insert(
        _ file: ImportFile, _ facts: TextFacts, _ words: IndexedWords, _ transaction: Transaction
    ) throws {
        do {
            let folder = try folder(file.file.folders, transaction)
            let tags = try file.tags.compactMap { try tag($0, transaction) }
            let isFree = try file.id.map { try !transaction.exists($0) } ?? false
            let note = NewNote(
                text: file.text, title: file.title, folder: folder, tags: tags, starred: file.starred,
                created: file.created, updated: file.updated, id: isFree ? file.id ?? NoteID() : NoteID())
            let key = try transaction.insertNote(note, facts: facts) { words.retitled($0) }
            let path = Notebook.absolute(file.file.path)
            try transaction.run(
                "INSERT OR REPLACE INTO import_source (path, hash, note) VALUES (?, ?, ?)", [path, file.hash, key])
            notes[path] = note.id
            if file.text.utf8.contains(UInt8(ascii: "[")) { linking.append(path) }
            result.notes.append(note.id)
            result.noteImportCount += 1
        } catch let error as StoreError {
            result.problems.append(ImportProblem(path: file.file.path, reason: .store(error)))
        }
    }

    /// The folder for a file's sub-folders, made if it is missing.
    private mutating func folder(_ names: [String], _ transaction: Transaction) throws -> ContainerID {
        guard !names.isEmpty else { return options.folder ?? .inbox }
        if let known = folders[names] { return known }
        var parent = try options.folder.map(transaction.containerHead)
        // Files at the top go to Inbox by default, folders beside it.
        if parent?.kind == .inbox { parent = nil }
        for name in names {
            if let found = try transaction.child(named: name, of: parent?.key), found.kind.takesImports {
                parent = found
            } else {
                let free = try transaction.freeName(name, kind: .folder, parent: parent?.key, except: nil)
                parent = try transaction.insertContainer(.folder, name: free, parent: parent?.key)
            }
        }
        let id = parent?.id ?? .inbox
        folders[names] = id
        return id
    }

    private mutating func tag(_ name: String, _ transaction: Transaction) throws -> ContainerID? {
        let key = Folding.key(name)
        if key.isEmpty { return nil }
        if let known = tags[key] { return known }
        let head = try transaction.tag(named: name)
        tags[key] = head.id
        return head.id
    }

    // MARK: - Links and images

    /// Turns what leads from file to file into note links, and takes local images in.
    mutating func connect() throws(StoreError) {
        var byName: [String: NoteID] = [:]
        for (path, id) in notes { byName[Folding.key((path as NSString).lastPathComponent.withoutEnding)] = id }
        for path in linking {
            guard let id = notes[path], let note = try notebook.note(id) else { continue }
            var rewriter = LinkRewriter(text: note.content)
            let folder = (path as NSString).deletingLastPathComponent
            var run = self
            let text = try rewriter.rewritten { link throws(StoreError) in
                try run.replacement(for: link, of: note, in: folder, byName)
            }
            self = run
            guard text != note.content else { continue }
            try notebook.write { transaction in
                let head = try transaction.head(id)
                try transaction.replaceText(text, of: head)
                // An import keeps the dates that the file had.
                try transaction.run(
                    "UPDATE note SET updatedDate = ? WHERE id = ?", [note.row.updatedDate.milliseconds, head.key])
            }
        }
    }

    private mutating func replacement(
        for link: LinkRewriter.Link, of note: Note, in folder: String, _ byName: [String: NoteID]
    ) throws(StoreError) -> String? {
        switch link {
        case .wikilink(let title):
            // A link that finds its note by the title stays as it is written.
            guard let id = byName[Folding.key((title as NSString).lastPathComponent)],
                try notebook.note(titled: title, from: note.id)?.id != id
            else { return nil }
            return id.url
        case .file(let address):
            let file = String(address.prefix { $0 != "#" })
            return notes[Notebook.absolute(folder + "/" + (file.removingPercentEncoding ?? file))]?.url
        case .image(let address):
            guard !address.contains("://"), !address.hasPrefix("data:") else { return nil }
            let path = Notebook.absolute(folder + "/" + (address.removingPercentEncoding ?? address))
            return try takeIn(path, address, of: note)
        }
    }

    private mutating func takeIn(_ path: String, _ address: String, of note: Note) throws(StoreError) -> String? {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            let url = try notebook.addImage(data, name: address).getURL()
            result.imageCount += 1
            return url
        } catch {
            let name = (address as NSString).lastPathComponent
            let file = notes.first { $0.value == note.id }?.key ?? note.title
            result.problems.append(ImportProblem(path: file, reason: .image(name: name)))
            return nil
        }
    }
}

extension NoteContainer.Kind {
    /// Whether a folder of this name in an import means this container.
    fileprivate var takesImports: Bool { self == .folder || self == .project || self == .inbox || self == .archive }
}

extension Transaction {
    fileprivate func exists(_ id: NoteID) throws -> Bool {
        try value("SELECT 1 FROM note WHERE uuid = ?", [id.description]) ?? false
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
