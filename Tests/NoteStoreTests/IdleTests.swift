import Foundation
import Load
import Testing

@testable import NoteStore

/// Tests that an idle program sleeps, and is woken by what other programs write.
@Suite struct IdleTests {
    #if os(Linux)
    /// Opens the notebook as a program that sleeps as soon as nothing is written.
    private func openSleepy(_ test: TestNotebook) throws -> Notebook {
        var options = Notebook.Options()
        options.wakefulness = .zero
        return try Notebook.open(test.path, options: options)
    }

    @Test func `a program that sleeps is woken by the commit of another one`() throws {
        let test = try TestNotebook(mode: .command)
        let notebook = try openSleepy(test)
        let told = DispatchSemaphore(value: 0)
        let observation = notebook.observeChanges { if $0.source == .anotherProgram { told.signal() } }
        for number in 0..<3 {
            try waitUntil { notebook.changes.isAsleep }
            try test.note("note \(number)")
            told.wait()
        }
        observation.cancel()
        try notebook.close()
    }

    @Test func `it is woken in a folder, too, that was made in place of the one that it was started in`() throws {
        let test = try TestNotebook(mode: .command)
        let notebook = try openSleepy(test)
        let told = DispatchSemaphore(value: 0)
        let observation = notebook.observeChanges { if $0.source == .anotherProgram { told.signal() } }
        try waitUntil { notebook.changes.isAsleep }
        let (files, earlier) = (FileManager.default, URL(filePath: test.folder.path + "-earlier"))
        try files.moveItem(at: test.folder, to: earlier)
        try files.createDirectory(at: test.folder, withIntermediateDirectories: false)
        for name in try files.contentsOfDirectory(atPath: earlier.path) {
            try files.moveItem(at: earlier.appending(path: name), to: test.folder.appending(path: name))
        }
        try files.removeItem(at: earlier)
        try waitUntil { notebook.changes.isAsleep }
        try test.note("written in the new folder")
        // A program that sleeps without being told looks after a minute.
        #expect(told.wait(timeout: .now() + 30) == .success)
        observation.cancel()
        try notebook.close()
    }

    @Test func `a folder that was made again is watched from the next question on`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "watched-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }  // the system removes leftovers
        let writes = try #require(FolderWrites(folder.path, prefix: "", on: DispatchQueue(label: "watched")) {})
        #expect(writes.stillTells())
        // The folder lives on under another name, so the new one is certainly another one.
        let earlier = URL(filePath: folder.path + "-earlier")
        try FileManager.default.moveItem(at: folder, to: earlier)
        defer { try? FileManager.default.removeItem(at: earlier) }  // the system removes leftovers
        #expect(!writes.stillTells())
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        #expect(!writes.stillTells())
        #expect(writes.stillTells())
    }
    #endif
}
