import Foundation
import Testing

@testable import Sync

/// Tests that only one program at a time synchronises a notebook.
struct LockTests {
    @Test func `a second synchronisation is told that another one runs, and can begin after it`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "tn-lock-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }  // the system's folder is cleaned by others too
        var first: SyncLock? = try SyncLock(path)
        #expect(throws: SyncError.busy) { try SyncLock(path) }
        withExtendedLifetime(first) {}
        first = nil
        _ = try SyncLock(path)
    }
}
