import Foundation
import NoteStore

/// A notebook in its own folder, which is removed with it.
final class TestNotes {
    let folder: URL
    let notebook: Notebook

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "IntelligenceTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        notebook = try Notebook.open(folder.path + "/notes.sqlite", mode: .command)
    }

    deinit {
        try? notebook.close()  // nothing needs to be saved
        try? FileManager.default.removeItem(at: folder)  // the system empties this folder
    }

    @discardableResult
    func add(_ text: String, folder: ContainerID = .inbox, tags: [ContainerID] = []) throws -> NoteRow {
        try notebook.notes.create(NewNote(text: text, folder: folder, tags: tags))
    }

    func sendable(_ rule: SendingRule = .reader) -> SendableNotes { notebook.retrieval.sendable(for: rule) }
}
