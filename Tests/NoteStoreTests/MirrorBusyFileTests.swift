import Foundation
import Load
import SystemPackage
import Testing

@testable import NoteStore

/// Tests that a mirror leaves alone the files which another program is writing.
@Suite struct MirrorBusyFileTests {
    private let scene: MirrorScene
    private var notebook: Notebook { scene.test.notebook }

    init() throws { scene = try MirrorScene() }

    @Test func `a file that somebody is writing just now is left for the next round, and so is its note`() throws {
        let note = try scene.test.note("Plan\n\nfirst")
        try scene.round()
        try scene.write("Inbox/Plan.md", "")
        try scene.write("Inbox/New.md", "ha")
        try scene.save(note.id, "Plan\n\nfirst and second")
        var options = MirrorOptions()
        options.isSettled = { _ in false }
        let report = try scene.round(options)
        #expect(report.isIdle && report.leftAlone.map(\.path) == ["Inbox/New.md", "Inbox/Plan.md"])
        #expect(report.leftAlone.allSatisfy { $0.reason == .busy })
        #expect(try notebook.notes.text(note.id) == "Plan\n\nfirst and second")
        try scene.write("Inbox/Plan.md", "Plan\n\nzero\n\nfirst")
        try scene.write("Inbox/New.md", "half and half")
        #expect(try scene.round().taken == ["Inbox/New.md", "Inbox/Plan.md"])
        #expect(try notebook.notes.text(note.id) == "Plan\n\nzero\n\nfirst and second")
        #expect(try scene.contents().contains("half and half"))
    }

    #if os(Linux)
    @Test func `a file that another program has open for writing is not replaced, and loses nothing`() throws {
        let note = try scene.test.note("# Log\n\nentry 1\n", title: "Log")
        try scene.round()
        let file = FilePath(scene.out).appending("Inbox/Log.md").string
        let program = try #require(popen("exec 7>>'\(file)'; echo 'entry 2' >&7; read x; echo 'entry 3' >&7", "w"))
        try waitUntil { try scene.text("Inbox/Log.md") == "# Log\n\nentry 1\nentry 2\n" }
        try scene.save(note.id, "# Log\n\nfrom here\n\nentry 1\n")
        let report = try scene.round()
        #expect(report.isIdle && report.leftAlone == [.init(path: "Inbox/Log.md", reason: .busy)])
        #expect(pclose(program) == 0)
        try scene.round()
        #expect(try scene.text("Inbox/Log.md") == "# Log\n\nfrom here\n\nentry 1\nentry 2\nentry 3\n")
        #expect(try notebook.notes.text(note.id) == scene.text("Inbox/Log.md"))
    }

    @Test func `a child that has not begun its own program yet has no file open`() throws {
        try scene.write("Inbox/Log.md", "entry\n")
        let file = FilePath(scene.out).appending("Inbox/Log.md")
        // Swift hides it, since only what is allowed in a signal handler may follow; nothing but `pause` does.
        let fork = try #require(dlsym(nil, "fork").map { unsafeBitCast($0, to: (@convention(c) () -> pid_t).self) })
        let descriptor = try FileDescriptor.open(file, .writeOnly)
        let child = fork()
        if child == 0 { while true { pause() } }
        try descriptor.close()
        #expect(child > 0)
        #expect(!FilesBeingWritten(below: scene.out).contains(file.string))
        #expect(kill(child, SIGKILL) == 0 && waitpid(child, nil, 0) == child)
    }

    @Test func `a note is not written into a file that another program has open for writing`() throws {
        let note = try scene.test.note("text", title: "Plan")
        try scene.round()
        let script = "exec 7>>'\(scene.out)/Inbox/Plan.md'; : > '\(scene.out)/open'; read x; :"
        let program = try #require(popen(script, "w"))
        try waitUntil { FileManager.default.fileExists(atPath: scene.out + "/open") }
        try scene.save(note.id, "text and more")
        #expect(try scene.round().leftAlone.contains(.init(path: "Inbox/Plan.md", reason: .busy)))
        #expect(try scene.text("Inbox/Plan.md") == "text")
        #expect(pclose(program) == 0)
        try scene.round()
        #expect(try scene.text("Inbox/Plan.md") == "text and more")
    }
    #endif
}
