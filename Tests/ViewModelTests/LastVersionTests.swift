import Foundation
import SystemPackage
import Testing

@testable import ViewModel

/// Tests when a window is the first one after an update.
struct LastVersionTests {
    private let folder = FilePath(NSTemporaryDirectory()).appending("tn-version-\(UUID().uuidString)")

    private var last: LastVersion { LastVersion(in: folder) }

    private func write(_ text: String, to name: String) throws {
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: folder.appending(name).string))
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder.string) }

    @Test func `the first window of all is not an update, and neither is the next`() throws {
        defer { remove() }
        #expect(last.change(to: "0.2.0") == .firstStart)
        try last.keep("0.2.0")
        #expect(last.change(to: "0.2.0") == .none)
    }

    @Test func `a window after one of version 0_1, which kept no version, is an update once`() throws {
        defer { remove() }
        try write("{}", to: "state.json")
        #expect(last.change(to: "0.2.0") == .updated)
        try last.keep("0.2.0")
        #expect(last.change(to: "0.2.0") == .none)
        // Version 0.1 is used for a day, and writes its state.
        try write("{}", to: "state.json")
        #expect(last.change(to: "0.2.0") == .none)
    }

    @Test(arguments: [
        ("0.2.0", "0.3.0", LastVersion.Change.updated), ("0.9.0", "0.10.0", .updated), ("0.2.0", "0.2.1", .updated),
        ("0.2", "0.2.0", .updated), ("0.3.0", "0.2.0", .none), ("0.10.0", "0.9.9", .none), ("", "0.2.0", .firstStart),
        ("0.1.0\n", "0.2.0", .updated), ("0.2.0\r\n", "0.2.0", .none), ("\n", "0.2.0", .firstStart),
        ("\u{1B}[31m", "0.2.0", .firstStart), ("0..2", "0.2.0", .firstStart), ("0.2.x", "0.2.0", .firstStart),
    ])
    func `versions are compared by their numbers`(old: String, new: String, expected: LastVersion.Change) throws {
        defer { remove() }
        try write("{}", to: "state.json")
        try write(old, to: "version")
        #expect(last.change(to: new) == expected)
    }

    @Test func `a file that cannot be read is replaced`() throws {
        defer { remove() }
        try FileManager.default.createDirectory(
            atPath: folder.appending("version").string, withIntermediateDirectories: true)
        #expect(last.change(to: "0.2.0") == .firstStart)
        #expect(throws: (any Error).self) { try last.keep("0.2.0") }
    }
}
