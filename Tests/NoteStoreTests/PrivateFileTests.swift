import Foundation
import NoteStore
import SystemPackage
import Testing

/// Tests the program's own files: their permissions, their replacement as a whole, and links to them.
@Suite struct PrivateFileTests {
    private let folder: FilePath

    init() throws {
        folder = FilePath(NSTemporaryDirectory()).appending("tn-private-\(UUID().uuidString)")
        try PrivateFile.makeFolder(folder)
    }

    private func removeFolder() { try? FileManager.default.removeItem(atPath: folder.string) }  // the system does

    private func permissions(_ path: FilePath) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path.string)[.posixPermissions] as? Int
    }

    private func text(_ path: FilePath) throws -> String { String(decoding: try PrivateFile.read(path), as: UTF8.self) }

    @Test func `a file and the folders made for it are accessible to their owner only`() throws {
        defer { removeFolder() }
        let file = FilePath("\(folder.string)//বাংলা//inner/state.json")
        try PrivateFile.write("one".utf8, to: file)
        #expect(try text(file) == "one")
        #expect(try permissions(file) == 0o600)
        #expect(try permissions(file.removingLastComponent()) == 0o700)
        #expect(try permissions(folder.appending("বাংলা")) == 0o700)
        #expect(try PrivateFile.names(in: folder.appending("বাংলা").appending("inner")) == ["state.json"])
    }

    @Test func `an existing file keeps its permissions only if it is asked for`() throws {
        defer { removeFolder() }
        let file = folder.appending("config.toml")
        try PrivateFile.write("one".utf8, to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.string)
        try PrivateFile.write("two".utf8, to: file, keepsPermissions: true)
        #expect(try permissions(file) == 0o644)
        try PrivateFile.write("three".utf8, to: file)
        #expect(try permissions(file) == 0o600)
        #expect(try text(file) == "three")
    }

    @Test(arguments: [true, false])
    func `a symbolic link stays one, whether its file is there or not`(isThere: Bool) throws {
        defer { removeFolder() }
        let (link, target) = (folder.appending("link"), folder.appending("dotfiles").appending("target"))
        if isThere { try PrivateFile.write("one".utf8, to: target) }
        try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: "dotfiles/target")
        try PrivateFile.write("two".utf8, to: link)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.string) == "dotfiles/target")
        #expect(try text(target) == "two")
    }

    @Test func `a write that fails leaves what was there, and nothing beside it`() throws {
        defer { removeFolder() }
        let inner = folder.appending("name").appending("inner")
        try PrivateFile.write("one".utf8, to: inner)
        #expect(throws: StoreError.self) { try PrivateFile.write("two".utf8, to: folder.appending("name")) }
        #expect(throws: StoreError.self) { try PrivateFile.write("two".utf8, to: inner.appending("deeper")) }
        #expect(try PrivateFile.names(in: folder) == ["name"])
        #expect(try text(inner) == "one")
    }

    @Test func `a pipe is not read, which would never end, and not replaced`() throws {
        defer { removeFolder() }
        let pipe = folder.appending("pipe")
        #expect(mkfifo(pipe.string, 0o600) == 0)
        #expect(throws: StoreError.self) { try PrivateFile.read(pipe) }
        // A file in its place would never reach the program that waits for it.
        #expect(throws: StoreError.notAFile(path: pipe.string)) { try PrivateFile.write("one".utf8, to: pipe) }
        let link = folder.appending("link")
        try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: "pipe")
        #expect(throws: StoreError.notAFile(path: link.string)) { try PrivateFile.write("one".utf8, to: link) }
        #expect(mkfifo(pipe.string, 0o600) == -1)
        #expect(throws: StoreError.noSuchFile(path: "\(folder.string)/none")) {
            try PrivateFile.read(folder.appending("none"))
        }
    }
}
