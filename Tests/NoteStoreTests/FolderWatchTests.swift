import Foundation
import Synchronization
import Testing

@testable import NoteStore

/// Tests noticing what other programs write in a mirrored folder.
@Suite struct FolderWatchTests {
    private func event(_ kind: FolderEvent.Kind, _ name: String, cookie: UInt32 = 0) -> FolderEvent {
        FolderEvent(folder: 1, kind: kind, cookie: cookie, name: name)
    }

    @Test func `what a mirror writes itself is not a change`() {
        let part = ".tn-mirror-1.part"
        #expect(
            !FolderEvent.areForeign([
                event(.created, part), event(.closedAfterWriting, part),
                event(.movedFrom, part, cookie: 7), event(.movedTo, "A.md", cookie: 7),
                event(.created, "New.md"), event(.deleted, part), event(.ignored, ""),
            ]))
        #expect(FolderEvent.areForeign([event(.closedAfterWriting, "A.md")]))
        #expect(FolderEvent.areForeign([event(.movedTo, "A.md", cookie: 7)]))
        #expect(FolderEvent.areForeign([event(.deleted, "A.md")]))
        #expect(FolderEvent.areForeign([event([.created, .isFolder], "Work")]))
        #expect(FolderEvent.areForeign([event(.overflowed, "")]))
    }

    #if os(Linux)
    @Test func `the kinds of events have the numbers of the system`() {
        let pairs: [(FolderEvent.Kind, Int)] = [
            (.modified, Int(IN_MODIFY)), (.closedAfterWriting, Int(IN_CLOSE_WRITE)), (.movedFrom, Int(IN_MOVED_FROM)),
            (.movedTo, Int(IN_MOVED_TO)), (.created, Int(IN_CREATE)), (.deleted, Int(IN_DELETE)),
            (.selfDeleted, Int(IN_DELETE_SELF)), (.selfMoved, Int(IN_MOVE_SELF)), (.overflowed, Int(IN_Q_OVERFLOW)),
            (.ignored, Int(IN_IGNORED)), (.isFolder, Int(IN_ISDIR)), (.onlyFolder, Int(IN_ONLYDIR)),
            (.notFollowing, Int(IN_DONT_FOLLOW)),
        ]
        for (kind, number) in pairs { #expect(kind.rawValue == UInt32(number)) }
    }
    #endif

    @Test func `events are read from the system's bytes, cut ones left out`() {
        let one: [UInt8] = [1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0] + Array("A.md\0\0\0\0".utf8)
        let two: [UInt8] = [2, 0, 0, 0, 0, 2, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0]
        let events = FolderEvent.read((one + two + [1, 2, 3])[...])
        #expect(
            events == [
                FolderEvent(folder: 1, kind: .closedAfterWriting, cookie: 0, name: "A.md"),
                FolderEvent(folder: 2, kind: .deleted, cookie: 9, name: ""),
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
