import Foundation
import TestSupport
import Testing

@testable import ViewModel

/// Tests the warning about a notebook in a folder that a tool copies to other machines.
@MainActor
struct SyncedFolderTests {
    @Test func `a window warns once of a tool that copies the notebook's folder`() throws {
        let test = try TemporaryNotebook()
        defer { test.close() }
        try FileManager.default.createDirectory(
            at: test.folder.appending(path: ".stfolder"), withIntermediateDirectories: true)
        test.model.start()
        test.scheduler.advance(by: .milliseconds(20))
        #expect(test.model.notice?.text == Texts.folderIsSynced(by: "Syncthing"))
        test.model.dismissNotice()
        test.model.warnOfSyncedFolder()
        #expect(test.model.notice == nil)
    }

    @Test func `a window in any other folder says nothing`() throws {
        let test = try TemporaryNotebook()
        defer { test.close() }
        test.model.start()
        test.scheduler.advance(by: .milliseconds(20))
        #expect(test.model.notice == nil)
    }
}
