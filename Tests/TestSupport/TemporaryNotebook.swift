import Foundation
import NoteStore
import ViewModel

/// A notebook in a private folder, with a view-model.
@MainActor
public final class TemporaryNotebook {
    public let folder: URL
    public let notebook: Notebook
    public let scheduler = ManualScheduler()
    public let model: TakeNoteVM
    /// The present time for the view-model.
    public static let now = Date(timeIntervalSince1970: 1_790_000_000)

    /// A session's configuration in which no pause of the test ends a step of undo.
    public static let unhurried = EditorSession.Configuration(now: { .zero })

    public init(options: Notebook.Options = Notebook.Options()) throws {
        folder = URL(filePath: NSTemporaryDirectory()).appending(path: "tn-model-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        notebook = try Notebook.open(folder.appending(path: "notes.sqlite").path, mode: .interactive, options: options)
        model = TakeNoteVM(
            notebook: notebook, scheduler: scheduler, configuration: Self.unhurried, now: { Self.now })
    }

    /// Adds a note that was last changed `age` seconds ago.
    @discardableResult
    public func add(_ text: String, age: TimeInterval = 0, folder: ContainerID = .inbox) throws -> NoteRow {
        let date = Self.now.addingTimeInterval(-age)
        return try notebook.notes.create(NewNote(text: text, folder: folder, created: date, updated: date))
    }

    /// Stops the view-model and removes the folder.
    public func close() {
        model.stop()
        // Anything left open, or in the temporary folder, does not affect other tests.
        try? notebook.close()
        try? FileManager.default.removeItem(at: folder)
    }
}
