import Foundation
import GRDB
import SystemPackage

/// One round of a mirror: the folder's changes go into the notebook, then the notebook's into the folder.
///
/// The notebook is written first, and the records of the common texts last, so that a round can end at any moment: the
/// next one finds the same text on both sides, and continues. One thread uses it.
final class MirrorRound {
    let notebook: Notebook
    /// The folder; nil in a dry round if it does not exist.
    let folder: MirrorFolder?
    let path: String
    let options: MirrorOptions
    let state: MirrorState
    var report = MirrorReport()
    let listing: MirrorFolder.Listing
    /// The files of the folder by their names without folders.
    private(set) lazy var filesByName = Dictionary(grouping: listing.files.keys) {
        MirrorPath.names($0.string).last ?? ""
    }
    /// The git names of the mirrored files.
    var hashes: [ExactText: String] = [:]
    /// The files of the folder, as each was when it was last examined.
    var seen: [ExactText: MirrorFolder.File] = [:]
    /// The texts of new and changed files.
    var texts: [ExactText: String] = [:]
    /// The present file of each note.
    var linked: [NoteID: ExactText] = [:]
    /// Files without a note.
    var fresh: Set<ExactText> = []
    /// Notes that this round does not change, since their files cannot be read.
    var frozen: Set<NoteID> = []
    /// The paths at which notes' files are missing for the first time, while files that resemble them are there.
    var awaited: Set<String> = []
    /// The rows of notes before they got titles or folders from their files.
    var told: [NoteID: NoteRow] = [:]
    /// Notes that got their text from their files.
    var textTold: Set<NoteID> = []
    /// The forms of links in the texts of files that could not be merged into their notes, by the notes made of them.
    var formsOfCopies: [NoteID: MirrorLinks.Form] = [:]
    /// Notes made from files, or found to have the same text, whose links are still to be translated.
    var taken: [NoteID: ExactText] = [:]
    var tree: MirrorTree
    var rows: [NoteID: NoteRow] = [:]
    /// The names that are in use in the folder.
    var takenNames: Set<String> = []
    var numbers: [String: Int] = [:]
    /// The images and attachments that this round has written.
    var writtenAttachments: Set<UUID> = []
    /// Whether files of images and attachments have moved, so that all files' links are written again.
    var hasMovedAttachments = false
    /// The paths in the last round of images and attachments whose files have moved, or that no note shows any more.
    var earlierPaths: [UUID: String] = [:]
    /// Notes whose files are to be written, with the states that they have then, and the git names of the bytes that the
    /// files have now; nil for new files.
    var unwritten: [(row: NoteRow, base: MirrorBase, expected: String?)] = []
    /// The notebook's folders from which notes were moved to those of their files.
    var left: Set<ContainerID> = []
    private var beingWritten: FilesBeingWritten?

    init(_ notebook: Notebook, _ folder: MirrorFolder?, _ path: String, _ options: MirrorOptions) throws(StoreError) {
        (self.notebook, self.folder, self.path, self.options) = (notebook, folder, path, options)
        state = try MirrorState(notebook, path: path)
        state.beforeWriting = { folder?.syncNames() }
        if options.isAnew, !options.isDry { try state.forgetNotes() }
        if options.isAnew, options.isDry { state.forgetInMemory() }
        listing = try folder?.list() ?? MirrorFolder.Listing()
        seen = listing.files
        tree = try MirrorTree(notebook)
    }

    func run() throws {
        report.leftAlone = listing.leftAlone.map { .init(path: $0.key.string, reason: $0.value) }
        for path in [Array(listing.files.keys), Array(listing.folders), Array(listing.leftAlone.keys)].joined() {
            takenNames.insert(Folding.key(path.string.contains("/") ? path.string : "/" + path.string))
        }
        do {
            try readFiles()
            takeUpAnnounced()
            try readRows()
            try finishMoves()
            match()
            let gone = try decideRemovals()
            report.missing.formUnion(awaited)
            try followAttachments()
            try followFolders()
            for (id, file) in linked.sorted(by: { $0.value < $1.value }) where goesOn() { try follow(id, file) }
            try takeNewFiles()
            try takeTexts()
            if goesOn() { try removeEmptiedFolders() }
            if goesOn() { try trash(gone.notes) }
            try writeFolder()
            if goesOn() { try remove(gone.files) }
        } catch {
            if !options.isDry { try? state.flush() }  // the error that is thrown is reported
            throw error
        }
        // A file that was both renamed and edited is listed twice but counts once.
        var counted: Set<ExactText> = []
        report.taken = report.taken.filter { counted.insert(ExactText($0)).inserted }
        report.leftAlone += unused().map { .init(path: $0.string, reason: .notMarkdown) }
        report.leftAlone.sort { $0.path < $1.path }
    }

    /// Whether another program has a file of the folder open for writing, by a look at the first such question of a round.
    func isBeingWritten(_ file: ExactText) -> Bool {
        let files = beingWritten ?? FilesBeingWritten(below: path)
        beingWritten = files
        return files.contains("\(path)/\(file.string)")
    }

    func goesOn() -> Bool {
        if !report.wasStopped, !options.goesOn() { report.wasStopped = true }
        return !report.wasStopped
    }

    func leave(_ path: ExactText, _ reason: MirrorReason) {
        report.leftAlone.append(.init(path: path.string, reason: reason))
    }

    /// Processes one file; an error that is a rule of the notebook is reported and does not stop the others.
    func attempt(_ file: ExactText, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as StoreError where error.isRule {
            leave(file, .store(error))
        }
    }

    // MARK: - Matching files with notes

    private func readFiles() throws {
        var refused: Set<String> = []
        let known = Dictionary(state.notes.values.map { (ExactText($0.path), $0.hash) }) { one, _ in one }
        let announced = Dictionary(state.announced.values.map { (ExactText($0.path), $0.hash) }) { one, _ in one }
        for (path, file) in listing.files where MirrorPath.isNote(path.string) {
            if let top = MirrorPath.names(path.string).first, path.string.contains("/"), let name = tree.own(top) {
                if refused.insert(top).inserted { leave(ExactText(top), .systemName(name)) }
                continue
            }
            if file.size > ImportFile.limit {
                leave(path, .tooLarge(file.size))
                continue
            }
            do {
                guard let read = try folder?.read(path, limit: ImportFile.limit + 1) else { continue }
                seen[path] = read.file
                let hash = GitObject.name(ofBlob: read.bytes)
                guard known[path] != hash, announced[path] != hash else {
                    hashes[path] = hash
                    continue
                }
                // The time is read after the bytes, so that it also shows a change made while they were read.
                let modified = try folder?.modified(path)
                if isBeingWritten(path) || modified.map({ !options.isSettled($0) }) ?? false {
                    leave(path, .busy)
                    continue
                }
                guard let text = String(validating: read.bytes, as: UTF8.self) else {
                    leave(path, .notText)
                    continue
                }
                (hashes[path], texts[path]) = (hash, text)
            } catch {
                leave(path, error.reason)
            }
        }
    }

    /// Returns a path and the paths of its parent folders.
    static func ways(to path: String) -> [ExactText] {
        let names = MirrorPath.names(path)
        return names.indices.map { ExactText(names[...$0].joined(separator: "/")) }
    }

    func readRows() throws(StoreError) {
        tree = try MirrorTree(notebook)
        rows = [:]
        for row in try notebook.read({ try NoteRow.fetch($0, "WHERE 1 ORDER BY note.id") }) { rows[row.id] = row }
    }

    // MARK: - Deletions

    /// Decides which notes and files to remove: those deleted on one side and unchanged on the other.
    private func decideRemovals() throws -> (notes: [NoteID], files: [NoteID]) {
        let areAllMissing = hashes.isEmpty && frozen.isEmpty
        let (notes, files) = findRemovals()
        if !options.meansIt, !state.notes.isEmpty {
            if areAllMissing { throw MirrorError.emptied(path: path, count: state.notes.count) }
            let (count, all) = (max(notes.count + report.missing.count, files.count), state.notes.count)
            if count > 1, count == all || all >= Self.minimumForQuestion && count * 2 > all {
                throw MirrorError.removesMany(path: path, count: count, all: all)
            }
        }
        try keepOthers(removing: files)
        for id in files { removable[id] = linked.removeValue(forKey: id) }
        return (notes, files)
    }

    /// Finds the notes whose files are missing and the files whose notes are gone, if the other side is unchanged.
    private func findRemovals() -> (notes: [NoteID], files: [NoteID]) {
        var (notes, files): ([NoteID], [NoteID]) = ([], [])
        for (id, base) in state.notes.sorted(by: { $0.value.path < $1.value.path }) where !frozen.contains(id) {
            let row = rows[id]
            switch (linked[id], row?.place) {
            case (nil, .live?), (nil, .archive?):
                if let missed = options.missed, !missed.contains(base.path) {
                    report.missing.insert(base.path)
                    frozen.insert(id)
                } else if isUnchanged(id, base) {
                    notes.append(id)
                }
            case (let file?, nil), (let file?, .trash?):
                if hashes[file] == base.hash { files.append(id) }
            default: break
            }
        }
        return (notes, files)
    }

    /// Keeps what was removed on one side but changed on the other, and forgets what is gone on both.
    private func keepOthers(removing files: [NoteID]) throws {
        for (id, base) in state.notes where !frozen.contains(id) {
            let row = rows[id]
            switch (linked[id], row?.place) {
            case (nil, nil), (nil, .trash?): try forget(id)
            case (nil, .live?), (nil, .archive?):
                if !isUnchanged(id, base) { try forget(id) }
            case (let file?, nil) where !files.contains(id):
                // The file was changed after its note was deleted permanently, so it becomes a new note.
                try forget(id)
                linked[id] = nil
                fresh.insert(file)
                if texts[file] == nil { texts[file] = base.text }
            case (let file?, .trash?) where !files.contains(id):
                if options.isDry {
                    report.taken.append(file.string)
                    frozen.insert(id)
                } else {
                    try attempt(file) { try notebook.trash.restore([id]) }
                    rows[id] = try notebook.notes.row(id)
                    if rows[id]?.place == .trash { frozen.insert(id) }
                }
            case (_?, .buffer?), (nil, .buffer?): frozen.insert(id)
            default: break
            }
        }
    }

    /// The number of notes from which deleting more than half needs a confirmation; deleting all needs it from two.
    private static let minimumForQuestion = 5

    private func isUnchanged(_ id: NoteID, _ base: MirrorBase) -> Bool {
        guard let row = rows[id] else { return false }
        return row.revision == base.revision && row.title == base.title && tree.path(of: row.folder) == base.folder
    }

    private func forget(_ id: NoteID) throws {
        if !options.isDry { try state.set(id, nil) }
    }

    private func trash(_ ids: [NoteID]) throws {
        for id in ids {
            guard let base = state.notes[id] else { continue }
            if !options.isDry {
                let isDone = try notebook.act(.trash, notes: [id]) { transaction in
                    let head = try transaction.head(id)
                    guard head.revision == base.revision, head.place == .live || head.place == .archive else {
                        return false
                    }
                    try transaction.putAway(head, into: SystemKey.trash)
                    return true
                }
                // A note that has just been edited is kept, and its file is written again.
                try state.set(id, nil)
                rows[id] = try notebook.notes.row(id)
                if !isDone { continue }
            }
            rows[id] = nil
            report.trashed.append(base.path)
        }
    }

    private func remove(_ ids: [NoteID]) throws {
        for id in ids {
            guard let base = state.notes[id] else { continue }
            let file = ExactText(base.path)
            let present = removable[id] ?? file
            if !options.isDry {
                do {
                    try folder?.remove(present, expecting: base.hash)
                    folder?.removeEmptyFolders(from: ExactText(MirrorPath.folder(present.string)))
                    try state.set(id, nil)
                } catch let refusal as MirrorFolder.Refusal {
                    leave(present, refusal.reason)
                    continue
                }
            }
            report.removed.append(present.string)
        }
        if !options.isDry { try state.flush() }
    }

    /// The present paths of files that are to be removed.
    var removable: [NoteID: ExactText] = [:]

    /// Returns the files that are neither notes nor used by notes.
    private func unused() -> [ExactText] {
        let shown = Set((Array(state.attachments.paths.values) + state.copies.keys).map { ExactText($0) })
        return listing.files.keys.filter { !MirrorPath.isNote($0.string) && !shown.contains($0) }
    }
}

extension MirrorFolder.Refusal {
    var reason: MirrorReason {
        switch self {
        case .changed: .busy
        case .system(let errno): .system(errno)
        }
    }
}

extension StoreError {
    /// Whether the error is a rule of the notebook that concerns one note, so that the others can go on.
    var isRule: Bool {
        switch self {
        case .noSuchNote, .noSuchContainer, .emptyName, .nameTaken, .titleTaken, .cannotHoldNotes, .cannotHoldFolders,
            .wouldContainItself, .systemContainer, .inTrash, .notInTrash, .unsupportedImage, .damagedImage,
            .imageOfTooManyPixels, .tooLarge, .invalidUTF8:
            true
        default: false
        }
    }
}

/// The notebook's containers as folders of files.
struct MirrorTree {
    private var names: FolderNames
    private var paths: [ContainerID: String] = [:]
    private var byPath: [String: NoteContainer] = [:]
    /// The names of the program's own that stand for no folder, such as Trash, by their folded form.
    private var owned: [String: String] = [:]

    init(_ notebook: Notebook) throws(StoreError) {
        let containers = try notebook.containers.all()
        for container in containers where container.kind.isSystem && ![.inbox, .archive].contains(container.kind) {
            owned[Folding.key(container.name)] = container.name
        }
        let all = containers.filter {
            !$0.isInTrash && [.inbox, .archive, .folder, .project].contains($0.kind)
        }
        names = FolderNames(all)
        for container in all {
            let path = names.path(of: container.id).joined(separator: "/")
            paths[container.id] = path
            byPath[Folding.key(path)] = container
        }
    }

    /// The program's own that has this name, at the top, and stands for no folder; nil for none.
    func own(_ name: String) -> String? { owned[Folding.key(name)] }
    func path(of id: ContainerID?) -> String { id.flatMap { paths[$0] } ?? "" }
    func container(at path: String) -> NoteContainer? { byPath[Folding.key(path)] }
}
