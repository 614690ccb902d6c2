import NoteStore
import TestSupport

extension TemporaryNotebook {
    /// Starts with the notes A, B and C in the Inbox, A on top and open, and the folder Home.
    func startWithThreeNotes() throws -> NoteContainer {
        for (index, title) in ["A", "B", "C"].enumerated() { try add(title, age: Double(index)) }
        let home = try notebook.folders.create("Home")
        model.start()
        return home
    }
}
