import Foundation
import NoteStore
import SystemPackage
import Testing

@testable import Sync

/// Tests a repository beside the notebook whose files are damaged, as a loss of power leaves them.
struct DamagedRepositoryTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tn-damage-\(UUID().uuidString)")

    /// The damage that is done to the files of a repository's objects.
    enum Damage: CaseIterable {
        case emptied, overwritten, removed

        func act(on file: URL) throws {
            switch self {
            case .emptied, .overwritten:
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
                try Data((self == .emptied ? "" : "garbage").utf8).write(to: file)
            case .removed: try FileManager.default.removeItem(at: file)
            }
        }
    }

    @Test(arguments: Damage.allCases, [0, 1, 2])
    func `a damaged repository is made anew`(_ damage: Damage, each: Int) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // the system's folder is cleaned by others too
        let url = folder.appending(path: "remote.git").path
        try GitRepository(path: url, asks: false).prepare()
        let notebooks = try (0..<2).map {
            try Notebook.open(folder.appending(path: "\($0).sqlite").path, mode: .command)
        }
        for notebook in notebooks {
            try notebook.notes.create(NewNote(text: "before\n"))
            _ = try NotebookSync(notebook).begin(url)
        }
        let sync = NotebookSync(notebooks[0])
        let note = try notebooks[1].notes.create(NewNote(text: "elsewhere\n"))
        _ = try NotebookSync(notebooks[1]).run()
        let objects = URL(filePath: sync.folder).appending(path: "objects")
        let files = try #require(FileManager.default.enumerator(at: objects, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath && $0.lastPathComponent.utf8.count >= 38 }
            .sorted { $0.path < $1.path }
        try #require(files.count > 3)
        // All objects, or every second one.
        for (number, file) in files.enumerated() where each == 0 || number % 2 == each - 1 { try damage.act(on: file) }
        try notebooks[0].notes.create(NewNote(text: "after\n"))
        #expect(try sync.run().received == 2)
        #expect(try notebooks[0].notes.text(note.id) == "elsewhere\n")
        #expect(try !sync.repository().isDamaged())
        for notebook in notebooks.reversed() { _ = try NotebookSync(notebook).run() }
        #expect(try notebooks.map { try $0.sync.counts().notes } == [4, 4])
    }
}
