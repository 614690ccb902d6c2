import Foundation
import Testing

@testable import NoteStore

/// A suite that writes files and imports them into a notebook of its own.
protocol ImportSuite {
    var test: TestNotebook { get }
}

extension ImportSuite {
    var notebook: Notebook { test.notebook }

    /// The folder of the files, inside the notebook's.
    var inputs: String { test.folder.path + "/in" }

    /// Writes a file of `inputs` and the folders on its way; returns its whole path.
    @discardableResult
    func write(_ path: String, _ data: Data) throws -> String {
        let file = URL(filePath: inputs + "/" + path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return file.path
    }

    @discardableResult
    func write(_ path: String, _ text: String) throws -> String { try write(path, Data(text.utf8)) }

    /// Imports a file or folder, whose path is whole or one below `inputs`, and checks the notebook afterwards.
    @discardableResult
    func take(_ path: String = "", _ options: ImportOptions = ImportOptions(skipsUnchanged: true)) throws
        -> ImportResult
    {
        let sources = try ImportSource.sources([path.hasPrefix("/") ? path : inputs + "/" + path])
        let source = try #require(sources.first)
        #expect(sources.count == 1)
        let result = try notebook.transfer.importFiles(source, options)
        try test.expectSound()
        return result
    }

    func row(_ title: String) throws -> NoteRow { try notebook.notes.resolve(reference: title) }

    /// Returns a note's text with `<ID>` for each UUID.
    func text(_ title: String) throws -> String {
        let text = try notebook.notes.text(row(title).id) ?? ""
        return text.replacing(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/, with: "<ID>")
    }
}
