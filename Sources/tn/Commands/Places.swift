import ArgumentParser
import Foundation
import NoteStore

extension Notebook.Notes {
    /// The notes that references name, each once; if one names none, nothing is done to any.
    func resolve(_ references: [String]) throws -> [NoteID] {
        var seen: Set<NoteID> = []
        return try references.map { try resolve(reference: $0).id }.filter { seen.insert($0).inserted }
    }
}

/// Notes to another folder.
struct Move: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move notes to a folder.",
        discussion: """
            Examples:

              tn move Piranesi --to Books/Read
              tn move 3f2a 81c0 --to Inbox
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .references, completion: .notes)
    var notes: [String]
    @Option(help: ArgumentHelp("The folder.", valueName: "path"), completion: .folders)
    var to: String

    func run() throws {
        let notebook = try options.open()
        let folder = try notebook.containers.resolve(path: to)
        try notebook.notes.move(try notebook.notes.resolve(notes), to: folder.id)
    }
}

/// Notes to the Trash.
struct Trash: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash",
        abstract: "Move notes to the Trash.",
        discussion: """
            They stay there until the Trash is emptied; tn restore brings them back. Examples:

              tn trash "Old list"
              tn list --tag done --json | jq -r '.[].uuid' | xargs tn trash
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .references, completion: .notes)
    var notes: [String]

    func run() throws {
        let notebook = try options.open()
        try notebook.trash.add(try notebook.notes.resolve(notes))
    }
}

/// Notes, folders and projects back from the Trash.
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring notes, folders and projects back from the Trash.",
        discussion: """
            They go back where they came from. Examples:

              tn restore "Old list"
              tn restore Work/Talks
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(
        help: ArgumentHelp("Notes, or folders and projects by their paths, old or new.", valueName: "ref|path"),
        completion: .trashed)
    var names: [String]

    func run() throws {
        let notebook = try options.open()
        let found = try names.map { try Trashed(named: $0, in: notebook) }
        var elsewhere = try notebook.trash.restore(found.compactMap(\.folder)).map { ($0.name, $0.parent) }
        elsewhere += try notebook.trash.restore(found.compactMap(\.note)).map { ($0.title, $0.folder) }
        guard !elsewhere.isEmpty else { return }
        let path = NoteOutput.paths(try notebook.containers.all())
        for (name, parent) in elsewhere {
            let place = parent.map { "“\(path($0))”" } ?? "the root"
            StandardError.write(
                "tn: what held “\(name.visible)” was gone; it is in \(place.visible) now")
        }
    }

    /// What a word means that names something in the Trash: a note, else a folder or project.
    private struct Trashed {
        var note: NoteID?
        var folder: ContainerID?

        init(named name: String, in notebook: Notebook) throws {
            do {
                let row = try notebook.notes.resolve(reference: name)
                if row.place == .trash {
                    note = row.id
                    return
                }
                note = try Self.sameTitle(as: row, in: notebook)
                if note != nil { return }
                folder = try Self.folder(name, in: notebook)
                if folder == nil { throw StoreError.notInTrash(name: row.title) }
            } catch StoreError.ambiguousReference(_, let candidates)
                where candidates.allSatisfy({ $0.place != .trash })
            {
                note = try Self.sameTitle(as: candidates[0], in: notebook)
                if note == nil { folder = try Self.folder(name, in: notebook) }
                if note == nil, folder == nil { throw StoreError.notInTrash(name: name) }
            } catch StoreError.noSuchReference {
                folder = try Self.folder(name, in: notebook)
                if folder == nil {
                    throw Failure(
                        "nothing in the Trash is called “\(name)”; tn list --trash and tn folder list --trash show "
                            + "what there is", status: .noInput)
                }
            }
        }

        /// A note in the Trash that has the title of one that is not.
        private static func sameTitle(as row: NoteRow, in notebook: Notebook) throws -> NoteID? {
            let query = ListQuery(container: .trash)
            let key = row.title.lowercased()
            let rows = try notebook.lists.rows(query, from: .start, limit: try notebook.lists.count(query))
            let same = rows.filter { $0.title.lowercased() == key }
            if same.count > 1 { throw StoreError.ambiguousReference(row.title, same) }
            return same.first?.id
        }

        private static func folder(_ path: String, in notebook: Notebook) throws -> ContainerID? {
            let trash = try notebook.containers.load(.trash).map { Notebook.Containers.path(ofNames: [$0.name]) } ?? ""
            let found = [
                notebook.containers.existing(path: trash + "/" + path), notebook.containers.existing(path: path),
            ]
            if let here = found.compactMap({ $0 }).first(where: { $0.isInTrash && !$0.isTrash }) { return here.id }
            return try notebook.trash.container(formerPath: path)?.id
        }
    }
}

extension Notebook.Containers {
    /// The container of a path, nil if there is none.
    func existing(path: String) -> NoteContainer? {
        try? resolve(path: path)  // whatever is wrong with the path, there is nothing by this name
    }
}

/// Notes to the Archive and back.
struct Archive: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Put notes into the Archive, or back.",
        discussion: """
            Archived notes are in no other list. Examples:

              tn archive "Tax 2025"
              tn archive --undo "Tax 2025"
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .references, completion: .notes)
    var notes: [String]
    @Flag(help: "Back to where they came from.")
    var undo = false

    func run() throws {
        let notebook = try options.open()
        let notes = try notebook.notes.resolve(notes)
        guard undo else { return try notebook.notes.archive(notes) }
        for row in try notebook.notes.unarchive(notes) {
            StandardError.write(
                "tn: the folder of “\(row.title.visible)” was gone; it is in “\(row.folderName.visible)” now")
        }
    }
}

/// Stars.
struct Star: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "star",
        abstract: "Star notes, or take the star away.",
        discussion: """
            Examples:

              tn star Piranesi "Reading list"
              tn star --undo Piranesi
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .references, completion: .notes)
    var notes: [String]
    @Flag(help: "Take the star away.")
    var undo = false

    func run() throws {
        let notebook = try options.open()
        try notebook.notes.setStarred(try notebook.notes.resolve(notes), !undo)
    }
}

/// The only command that removes notes for ever.
struct EmptyTrash: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "empty-trash",
        abstract: "Remove what is in the Trash for ever.",
        discussion: """
            Asks first, and makes a backup. Example:

              tn empty-trash --yes
            """)

    @OptionGroup var options: NotebookOptions
    @Flag(help: "Do not ask.")
    var yes = false

    func run() throws {
        let notebook = try options.open()
        let contents = try notebook.trash.contents()
        guard !contents.isEmpty else { return try StandardOutput.write(line: "The Trash is empty.") }
        guard try yes || Question.ask("Remove \(Self.words(contents)) for ever?") else {
            return try StandardOutput.write(line: "Nothing was removed.")
        }
        try StandardOutput.write(line: "Removed for ever: \(Self.words(try notebook.trash.empty(contents))).")
    }

    private static func words(_ contents: TrashContents) -> String {
        let parts = [(contents.notes, "note"), (contents.folders, "folder"), (contents.projects, "project")]
        return parts.filter { $0.0 > 0 }.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
    }
}
