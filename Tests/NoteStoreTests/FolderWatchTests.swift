import Foundation
import Synchronization
import Testing

@testable import NoteStore

/// Tests noticing what other programs write in a mirrored folder.
@Suite struct FolderWatchTests {
    private func event(_ mask: Int, _ name: String, cookie: UInt32 = 0) -> FolderEvent {
        FolderEvent(folder: 1, mask: UInt32(mask), cookie: cookie, name: name)
    }

    #if os(Linux)
    @Test func `what a mirror writes itself is not a change`() {
        let part = ".tn-mirror-1.part"
        #expect(
            !FolderEvent.areForeign([
                event(Int(IN_CREATE), part), event(Int(IN_CLOSE_WRITE), part),
                event(Int(IN_MOVED_FROM), part, cookie: 7), event(Int(IN_MOVED_TO), "A.md", cookie: 7),
                event(Int(IN_CREATE), "New.md"), event(Int(IN_DELETE), part), event(Int(IN_IGNORED), ""),
            ]))
        #expect(FolderEvent.areForeign([event(Int(IN_CLOSE_WRITE), "A.md")]))
        #expect(FolderEvent.areForeign([event(Int(IN_MOVED_TO), "A.md", cookie: 7)]))
        #expect(FolderEvent.areForeign([event(Int(IN_DELETE), "A.md")]))
        #expect(FolderEvent.areForeign([event(Int(IN_CREATE) | Int(IN_ISDIR), "Work")]))
        #expect(FolderEvent.areForeign([event(Int(IN_Q_OVERFLOW), "")]))
    }
    #endif

    @Test func `events are read from the system's bytes, cut ones left out`() {
        let one: [UInt8] = [1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0] + Array("A.md\0\0\0\0".utf8)
        let two: [UInt8] = [2, 0, 0, 0, 0, 2, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0]
        let events = FolderEvent.read((one + two + [1, 2, 3])[...])
        #expect(
            events == [
                FolderEvent(folder: 1, mask: 8, cookie: 0, name: "A.md"),
                FolderEvent(folder: 2, mask: 512, cookie: 9, name: ""),
            ])
    }

    @Test func `a file that is written, in a new folder too, is reported`() throws {
        let scene = try MirrorScene()
        try scene.test.note("x", title: "X")
        try scene.round()
        let count = Mutex(0)
        let told = DispatchSemaphore(value: 0)
        let watch = FolderWatch(scene.out) {
            count.withLock { $0 += 1 }
            told.signal()
        }
        try scene.write("Inbox/X.md", "changed")
        told.wait()
        try scene.write("Deep/er/Y.md", "y")
        told.wait()
        watch.addFolders()
        #expect(!watch.addFolders())
        while told.wait(timeout: .now() + .milliseconds(300)) == .success {}
        try scene.write("Deep/er/Y.md", "z")
        told.wait()
        #expect(count.withLock { $0 } >= 3)
    }
}
