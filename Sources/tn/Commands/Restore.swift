import ArgumentParser
import Foundation
import NoteStore

/// The command `tn restore`: brings notes, folders and projects back from the Trash.
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
        let folders = try outermost(found.compactMap(\.folder), in: notebook)
        var elsewhere = try notebook.trash.restore(folders).map { ($0.name, $0.parent) }
        // The notes in these folders were restored with them.
        let notes = try found.compactMap(\.note).once.filter { try notebook.notes.row($0)?.place == .trash }
        elsewhere += try notebook.trash.restore(notes).map { ($0.title, $0.folder) }
        guard !elsewhere.isEmpty else { return }
        let path = NoteOutput.paths(try notebook.containers.all())
        for (name, parent) in elsewhere {
            StandardError.notice(Texts.restoredElsewhere(name, parent.map { path($0) }))
        }
    }

    /// Returns the folders, each once, without those that lie in another one and come back with it.
    private func outermost(_ folders: [ContainerID], in notebook: Notebook) throws -> [ContainerID] {
        let parents = Dictionary(try notebook.containers.all().map { ($0.id, $0.parent) }) { first, _ in first }
        return folders.once.filter { folder in
            var above = parents[folder] ?? nil
            while let next = above {
                if folders.contains(next) { return false }
                above = parents[next] ?? nil
            }
            return true
        }
    }

    /// The item in the Trash that a name refers to: a note, or else a folder or project.
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
                note = try Self.sameTitle(as: row, ifCalled: name, in: notebook)
                if note != nil { return }
                folder = try Self.folder(name, in: notebook)
                if folder == nil { throw StoreError.notInTrash(name: row.title) }
            } catch StoreError.ambiguousReference(_, let candidates)
                where candidates.allSatisfy({ $0.place != .trash })
            {
                note = try Self.sameTitle(as: candidates[0], ifCalled: name, in: notebook)
                if note == nil { folder = try Self.folder(name, in: notebook) }
                if note == nil, folder == nil { throw StoreError.notInTrash(name: name) }
            } catch StoreError.noSuchReference {
                folder = try Self.folder(name, in: notebook)
                if folder == nil {
                    throw Failure.notInTrash(name)
                }
            }
        }

        /// Returns a note in the Trash with the same title as a note outside it.
        ///
        /// - Parameter name: what the user wrote; an address or the beginning of a UUID means no other note.
        private static func sameTitle(as row: NoteRow, ifCalled name: String, in notebook: Notebook) throws -> NoteID? {
            let query = ListQuery(container: .trash)
            let key = Folding.key(row.title)
            guard Folding.key(name.trimmingCharacters(in: .whitespacesAndNewlines)) == key else { return nil }
            let rows = try notebook.lists.rows(query, from: .start, limit: try notebook.lists.count(query))
            let same = rows.filter { Folding.key($0.title) == key }
            if same.count > 1 { throw StoreError.ambiguousReference(row.title, same) }
            return same.first?.id
        }

        private static func folder(_ path: String, in notebook: Notebook) throws -> ContainerID? {
            // Two folders in the Trash may have the same name, but came from different places.
            if let former = try notebook.trash.container(formerPath: path) { return former.id }
            let trash = try notebook.containers.load(.trash).map { Notebook.Containers.path(ofNames: [$0.name]) } ?? ""
            let found = [
                try notebook.containers.existing(path: trash + "/" + path),
                try notebook.containers.existing(path: path),
            ]
            return found.compactMap(\.self).first { $0.isInTrash && !$0.isTrash }?.id
        }
    }
}
