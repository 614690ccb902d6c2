import Foundation
import Load
import NoteStore
import Synchronization
import TestSupport
import Testing
import ViewModel

/// Tests saves that fail although the notebook has their texts.
@MainActor
@Suite(.underLoad) struct FailedSaveTests {
    /// Moves a notebook's files away during the next transaction, and back on request.
    private final class Mover: Sendable {
        private static let endings = ["", "-wal", "-shm"]
        private let path = Mutex<String?>(nil)

        func moveAway(_ file: String) { path.withLock { $0 = file } }

        /// The clock of the notebook, which each transaction reads once it may write.
        func now() -> Date {
            path.withLock { path in
                for name in Self.endings.compactMap({ ending in path.map { $0 + ending } }) {
                    rename(name, name + ".away")
                }
                path = nil
            }
            return Date()
        }

        /// The log comes back before the file, so that nobody finds the file without it.
        func moveBack(_ file: String) throws {
            for name in Self.endings.reversed().map({ file + $0 }) {
                try FileManager.default.moveItem(atPath: name + ".away", toPath: name)
            }
        }
    }

    private static func isFailing(_ session: EditorSession) -> Bool {
        if case .failing = session.saveState { true } else { false }
    }

    @Test(arguments: [[" ghi"], [" ghi", " jkl"]])
    func `a text that was stored by a save which failed is not merged with itself`(_ typed: [String]) throws {
        let mover = Mover()
        let test = try TemporaryNotebook(options: Notebook.Options(now: { mover.now() }))
        defer { test.close() }
        let note = try test.add("abc")
        test.model.start()
        let session = try #require(test.model.session)
        session.move(.documentEnd)
        session.type(" def")
        let path = test.notebook.path
        mover.moveAway(path)
        test.scheduler.advance(by: .seconds(1))
        #expect(test.scheduler.run { Self.isFailing(session) })
        // All but the last of these texts are refused while the file is away.
        for (number, words) in typed.enumerated() {
            session.type(words)
            if number == typed.count - 1 { try mover.moveBack(path) }
            test.scheduler.advance(by: .seconds(2))
            #expect(test.scheduler.run { session.saveState != .saving })
        }
        #expect(session.saveState == .saved)
        #expect(try test.notebook.notes.text(note.id) == "abc def" + typed.joined())
        // The first save has stored its text, and so has the last.
        #expect(try test.notebook.notes.row(note.id)?.revision == note.revision + 2)
    }
}
