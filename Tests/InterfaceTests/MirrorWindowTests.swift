import Foundation
import Synchronization
import Terminal
import TestSupport
import Testing

@testable import Interface
@testable import NoteStore
@testable import ViewModel

/// Mirroring as the window does it: by itself, with one message for each trouble.
@MainActor
@Suite(.serialized)
struct MirrorWindowTests {
    private let files = FileManager.default
    private let folder = URL(filePath: NSTemporaryDirectory()).resolvingSymlinksInPath()
        .appending(path: "tn-mirror-\(UUID().uuidString.prefix(8))")

    private func window(notes: [String] = ["# Colours\n\nblue", "Letters"]) throws -> Window {
        let window = try Window(notes: notes)
        _ = try window.fixture.notebook.transfer.mirror(at: folder.path)
        return window
    }

    private func close(_ window: Window) {
        window.close()
        try? files.removeItem(at: folder)  // what is left in the temporary folder does no harm
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    private func write(_ text: String, to path: String) throws {
        let file = folder.appending(path: path)
        try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// Lets the window's time and the real one pass until a condition holds.
    private func wait(
        _ window: Window, at location: SourceLocation = #_sourceLocation, until condition: () throws -> Bool
    ) throws {
        var failure: (any Error)?
        let isMet = window.fixture.scheduler.run {
            window.fixture.scheduler.advance(by: .milliseconds(100))
            do { return try condition() } catch { failure = error }
            return true
        }
        if let failure { throw failure }
        #expect(isMet, sourceLocation: location)
    }

    @Test func `Mirror folders now takes an outside edit and writes what was typed`() throws {
        let window = try window()
        defer { close(window) }
        window.press("Enter", "Ctrl-End", "\" and red\"")
        try write("from outside", to: "Inbox/New.md")
        window.press("Ctrl-P", "\"mirror folders\"", "Enter")
        try wait(window) { window.fixture.model.notice?.text == "The folder and the notebook are the same" }
        #expect(try text("Inbox/Colours.md").contains("blue and red"))
        #expect(try window.fixture.notebook.notes.resolve(reference: "New").title == "New")
    }

    @Test func `a change on either side reaches the other by itself, and the open note too`() throws {
        let window = try window()
        defer { close(window) }
        window.press("Enter", "Ctrl-End", "\" and red\"")
        try wait(window) { try text("Inbox/Colours.md") == "# Colours\n\nblue and red" }
        try write("# Colours\n\ngreen\n\nblue and red", to: "Inbox/Colours.md")
        try wait(window) { window.fixture.model.session?.text == "# Colours\n\ngreen\n\nblue and red" }
        // What is typed at the same time is merged with what comes.
        window.press("\"!\"")
        try write("# Colours\n\nyellow\n\nblue and red", to: "Inbox/Colours.md")
        let merged = "# Colours\n\nyellow\n\nblue and red!"
        try wait(window) { window.fixture.model.session?.text == merged }
        try wait(window) { try text("Inbox/Colours.md") == merged }
        // A folder that did not exist is watched too.
        try write("deep", to: "Work/Plans/Idea.md")
        try wait(window) { (try? window.fixture.notebook.notes.resolve(reference: "Idea")) != nil }
        try write("deeper", to: "Work/Plans/Idea.md")
        try wait(window) {
            let idea = try window.fixture.notebook.notes.resolve(reference: "Idea")
            return try window.fixture.notebook.notes.text(idea.id) == "deeper"
        }
    }

    @Test func `both texts of a place that both changed are kept, and it is said`() throws {
        let window = try window()
        defer { close(window) }
        let note = try window.fixture.notebook.notes.resolve(reference: "Colours")
        var said: [String] = []
        window.fixture.model.mirror.say = { sentence, _ in said.append(sentence) }
        let old = "# Colours\n\nblue"
        _ = try window.fixture.notebook.notes.save(
            note.id, text: "# Colours\n\nmine", baseRevision: note.revision, base: old)
        try write("# Colours\n\ntheirs", to: "Inbox/Colours.md")
        try wait(window) { (try? text("Inbox/Colours (conflict).md")) == "# Colours\n\ntheirs" }
        #expect(try text("Inbox/Colours.md") == "# Colours\n\nmine")
        try wait(window) { !said.isEmpty }
        #expect(said.allSatisfy { $0.contains("were both changed at the same place") })
    }

    @Test func `a folder that is gone is said once with what to do, and is taken up again when it is back`() throws {
        let window = try window()
        defer { close(window) }
        window.fixture.model.mirror.run()
        var said: [String] = []
        try wait(window) { window.fixture.model.notice?.text == "The folder and the notebook are the same" }
        window.fixture.model.mirror.say = { sentence, _ in said.append(sentence) }
        let other = folder.path + "-away"
        try files.moveItem(atPath: folder.path, toPath: other)
        try wait(window) { window.fixture.model.mirror.status.sign == "✗ mirror" }
        var rounds = 0
        try wait(window) {
            rounds += 1
            return rounds > 2000
        }
        #expect(said.count == 1 && said[0].contains("mount its disk"))
        #expect(!files.fileExists(atPath: folder.path))
        try files.moveItem(atPath: other, toPath: folder.path)
        try write("back", to: "Inbox/Back.md")
        try wait(window) { (try? window.fixture.notebook.notes.resolve(reference: "Back")) != nil }
        try wait(window) { window.fixture.model.mirror.status.sign.isEmpty }
    }

    @Test(arguments: [true, false])
    func `a folder that was exchanged for another one is not followed, which is said once`(isLink: Bool) throws {
        let window = try window()
        let (away, other) = (folder.path + "-away", folder.path + "-other")
        defer {
            close(window)
            // What is left in the temporary folder does no harm.
            for path in [away, other] { try? files.removeItem(atPath: path) }
        }
        window.fixture.model.mirror.run()
        try wait(window) { window.fixture.model.notice?.text == "The folder and the notebook are the same" }
        var said: [String] = []
        window.fixture.model.mirror.say = { sentence, _ in said.append(sentence) }
        // The other folder has the same files, so that nothing seems to be missing.
        try files.copyItem(atPath: folder.path, toPath: other)
        let texts = try files.subpathsOfDirectory(atPath: other)
        try files.moveItem(atPath: folder.path, toPath: away)
        if isLink {
            try files.createSymbolicLink(atPath: folder.path, withDestinationPath: other)
        } else {
            try files.moveItem(atPath: other, toPath: folder.path)
        }
        let there = isLink ? other : folder.path
        try Data("a stranger's".utf8).write(to: URL(filePath: there + "/Inbox/Stranger.md"))
        try window.fixture.notebook.notes.create(NewNote(text: "private"))
        try wait(window) { window.fixture.model.mirror.status.sign == "✗ mirror" }
        #expect(said.count == 1 && said[0].contains("is not the folder that was mirrored"), "\(said)")
        #expect((try? window.fixture.notebook.notes.resolve(reference: "Stranger")) == nil)
        #expect(try files.subpathsOfDirectory(atPath: there).sorted() == (texts + ["Inbox/Stranger.md"]).sorted())
        #expect(try window.fixture.notebook.transfer.mirroredFolders() == [folder.path])
        // The folder itself, once it is back, is taken up again.
        try files.removeItem(atPath: folder.path)
        try files.moveItem(atPath: away, toPath: folder.path)
        try wait(window) { (try? text("Inbox/private.md")) == "private" }
        try wait(window) { window.fixture.model.mirror.status.sign.isEmpty }
    }

    @Test func `a folder in the place of another one is mirrored once tn mirror was told to`() throws {
        let window = try window()
        let away = folder.path + "-away"
        defer {
            close(window)
            try? files.removeItem(atPath: away)  // as above
        }
        window.fixture.model.mirror.run()
        try wait(window) { window.fixture.model.notice?.text == "The folder and the notebook are the same" }
        try files.moveItem(atPath: folder.path, toPath: away)
        try files.copyItem(atPath: away, toPath: folder.path)
        try write("from outside", to: "Inbox/New.md")
        try wait(window) { window.fixture.model.mirror.status.sign == "✗ mirror" }
        #expect((try? window.fixture.notebook.notes.resolve(reference: "New")) == nil)
        _ = try window.fixture.notebook.transfer.mirror(at: folder.path)
        #expect(try window.fixture.notebook.notes.resolve(reference: "New").title == "New")
        try wait(window) { window.fixture.model.mirror.status.sign.isEmpty }
    }

    @Test func `a file that is missing for a moment keeps its note, and one that stays missing does not`() throws {
        let window = try window()
        defer { close(window) }
        let note = try window.fixture.notebook.notes.resolve(reference: "Letters")
        let time = Mutex(ContinuousClock.now)
        let rounds = MirrorRounds(window.fixture.notebook, now: { time.withLock { $0 } }, isSettled: { _ in true })
        func round() throws -> MirrorReport {
            nonisolated(unsafe) var report: MirrorReport?
            let done = DispatchSemaphore(value: 0)
            rounds.run(telling: {}) { results in
                report = try? results.first?.outcome.get()
                done.signal()
            }
            done.wait()
            return try #require(report)
        }
        window.fixture.model.mirror.stop()
        try files.removeItem(at: folder.appending(path: "Inbox/Letters.md"))
        #expect(try round().missing == ["Inbox/Letters.md"])
        #expect(!files.fileExists(atPath: folder.appending(path: "Inbox/Letters.md").path))
        try write("Letters, anew", to: "Inbox/Letters.md")
        #expect(try round().missing.isEmpty)
        #expect(try window.fixture.notebook.notes.text(note.id) == "Letters, anew")
        try files.removeItem(at: folder.appending(path: "Inbox/Letters.md"))
        // Any change in the folder begins a round, so two of them prove nothing.
        for _ in 0..<3 { #expect(try round().trashed.isEmpty) }
        time.withLock { $0 += .seconds(3) }
        #expect(try round().trashed == ["Inbox/Letters.md"])
        #expect(try window.fixture.notebook.notes.row(note.id)?.place == .trash)
        rounds.stop()
    }

    @Test func `with mirror = false below [files] nothing is mirrored by itself`() throws {
        let window = try window()
        defer { close(window) }
        window.interface.apply(Configuration.read("[files]\nmirror = false\n"))
        try write("from outside", to: "Inbox/New.md")
        for _ in 0..<50 { window.fixture.scheduler.advance(by: .seconds(10)) }
        #expect(!window.fixture.model.mirror.isBusy)
        #expect((try? window.fixture.notebook.notes.resolve(reference: "New")) == nil)
    }
}
