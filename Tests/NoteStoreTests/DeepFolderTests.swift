import Foundation
import Testing

@testable import NoteStore

/// Tests nested folders, as deep as a faulty program might create them.
@Suite struct DeepFolderTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }
    private static let depth = 10_000

    init() throws { test = try TestNotebook() }

    /// Creates folders of the same name, each inside the one before.
    private func makeFolders() throws -> (top: ContainerID, innermost: ContainerID) {
        let top = try notebook.folders.create("d")
        let innermost = ContainerID()
        try notebook.write { transaction in
            let first = try transaction.containerHead(top.id)
            // The rows are inserted as by another program, which does not refresh the whole path for each folder.
            try transaction.run(
                """
                WITH RECURSIVE level(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM level WHERE n < ?2)
                INSERT INTO container (id, uuid, kind, name, nameKey, createdDate, parent)
                SELECT ?1 + n, CASE n WHEN ?2 THEN ?3 ELSE printf('%08X-0000-4000-8000-000000000000', n) END,
                    'folder', 'd', 'd', 0, ?1 + n - 1 FROM level
                """, [first.key, Self.depth - 1, innermost.description])
            transaction.change.containers = true
        }
        return (top.id, innermost)
    }

    /// Removes nested folders of the same name, whose path is longer than the system allows.
    private func removeNested(_ name: String, in folder: String) {
        let (first, second) = (folder + "/" + name, folder + "/next")
        while rename(first + "/" + name, second) == 0 {
            _ = try? FileManager.default.removeItem(atPath: first)  // the system removes leftovers
            if rename(second, first) != 0 { return }
        }
    }

    @Test func `ten thousand folders in each other are listed, searched, exported, and emptied from the Trash`() throws
    {
        let (top, innermost) = try makeFolders()
        let row = try notebook.notes.create(NewNote(text: "needle", folder: innermost))
        #expect(try notebook.containers.all().count == Self.depth + 6)
        #expect(try notebook.lists.rows(ListQuery(container: innermost), limit: 5).map(\.id) == [row.id])
        #expect(try notebook.search.hits("needle").map(\.row.id) == [row.id])
        #expect(try notebook.search.hits("in:d needle").count <= 1)
        let out = test.folder.path + "/out"
        defer { removeNested("d", in: out) }
        let result = try notebook.transfer.export(to: out)
        #expect(result.noteCount + result.problems.count == 1, "\(result.problems.first?.sentence ?? "")")
        try notebook.containers.delete([top])
        #expect(try notebook.trash.contents().folders == Self.depth)
        #expect(try notebook.trash.empty(backup: false) == TrashContents(notes: 1, folders: Self.depth, projects: 0))
        #expect(try notebook.care.check().isEmpty)
    }
}
