import Foundation
import Markdown
import SystemPackage

/// A translation of another program's files into notes.
protocol Translation: Sendable {
    /// Whether these are the program's files.
    static func recognizes(_ files: ExportFiles) -> Bool
    init(_ files: ExportFiles) throws
    /// The files that are notes, in order, with the folders of each.
    var notes: [(name: String, folders: [String])] { get }
    func note(_ name: String) throws(ImportFailure) -> TranslatedNote
    /// The documents that come in with notes of their own, with the folders of each.
    var documents: [(name: String, folders: [String])] { get }
    /// Whether a file that is not a note has something for people, rather than what the program notes for itself.
    func isForPeople(_ name: String) -> Bool
    /// Whether texts that are not notes are files, to which notes may link.
    static var hasTextsAsFiles: Bool { get }
}

extension Translation {
    var documents: [(name: String, folders: [String])] { [] }

    func isForPeople(_ name: String) -> Bool { false }

    static var hasTextsAsFiles: Bool { true }
}

/// Another program's export as notes, with the files that they show.
struct TranslatedFiles: ImportFormat {
    let plan: ImportPlan
    private let files: ExportFiles
    private let translation: any Translation
    private let pictures = PagePictures()

    init(_ files: ExportFiles, _ translation: any Translation) {
        self.files = files
        self.translation = translation
        plan = ImportPlan(
            files: translation.notes.map { Self.file($0, in: files) }, problems: files.problems)
    }

    private static func file(_ note: (name: String, folders: [String]), in files: ExportFiles) -> ImportPlan.File {
        ImportPlan.File(named: note.name, at: files.location(note.name), in: files.path, folders: note.folders)
    }

    func read(_ file: ImportPlan.File) throws(ImportFailure) -> ImportFile {
        guard let name = files.name(at: file.location) else { throw ImportFailure(.notFound) }
        return ImportFile(try translation.note(name), from: file)
    }

    var storesTexts: Bool { type(of: translation).hasTextsAsFiles }

    var documents: [ImportPlan.File] { translation.documents.map { Self.file($0, in: files) } }

    var others: [FilePath] { files.names.filter(translation.isForPeople).map(files.location) }

    func media(_ address: String, from folder: FilePath) -> FilePath? { files.medium(named: address, from: folder) }

    func size(at path: FilePath) -> MediaSize {
        if let name = files.name(at: path) { return .file(files.size(name)) }
        return PagePicture(path).flatMap { files.name(at: $0.page) } == nil ? .none : .file(0)
    }

    func content(at path: FilePath, limit: Int) throws(ImportFailure) -> RegularFile.Content {
        if let name = files.name(at: path) { return try files.read(name, limit: limit) }
        guard let picture = PagePicture(path), let name = files.name(at: picture.page) else {
            throw ImportFailure(.notFound)
        }
        return try pictures.content(of: picture, limit: limit) { () throws(ImportFailure) in try files.page(name) }
    }
}

extension ExportFiles {
    /// Returns the format of these files, which may be that of plain notes.
    func format() throws -> any ImportFormat {
        if JoplinRaw.recognizes(self) { return try JoplinRaw(self) }
        let all: [any Translation.Type] = [
            KeepNotes.self, TextBundles.self, LogseqGraph.self, NotionPages.self, PlainNotes.self,
        ]
        for kind in all where kind.recognizes(self) { return TranslatedFiles(self, try kind.init(self)) }
        throw StoreError.notAnExport(path: path.string, program: "a program")
    }
}

/// Markdown, text and HTML files in an archive.
struct PlainNotes: Translation {
    let notes: [(name: String, folders: [String])]
    let documents: [(name: String, folders: [String])]
    private let files: ExportFiles

    static func recognizes(_ files: ExportFiles) -> Bool { true }

    init(_ files: ExportFiles) {
        self.files = files
        let texts = files.names.filter { ImportPlan.textExtensions.contains(ExportFiles.fileExtension($0)) }
        // HTML files beside Markdown are attachments.
        let names =
            texts.isEmpty
            ? files.names.filter { ImportPlan.pageExtensions.contains(ExportFiles.fileExtension($0)) } : texts
        // An archive becomes a folder of its name, unless all its files are in one folder.
        let tops = Set(names.map { $0.split(separator: "/").first.map(String.init) ?? "" })
        let isOneFolder = tops.count == 1 && names.allSatisfy { $0.contains("/") }
        let root = isOneFolder ? [] : [files.path.stem ?? ""].filter { !$0.isEmpty }
        notes = names.map { ($0, root + ExportFiles.folders($0)) }
        documents = files.names.filter { ImportPlan.documentExtensions.contains(ExportFiles.fileExtension($0)) }
            .map { ($0, root + ExportFiles.folders($0)) }
    }

    func isForPeople(_ name: String) -> Bool { true }

    static var hasTextsAsFiles: Bool { false }

    func note(_ name: String) throws(ImportFailure) -> TranslatedNote {
        let title = FilePath(ExportFiles.last(name)).stem ?? ""
        if ImportPlan.pageExtensions.contains(ExportFiles.fileExtension(name)) {
            let (page, modified) = try files.page(name)
            return TranslatedNote(page: page, named: title, path: files.location(name), modified: modified)
        }
        let (text, modified) = try files.text(name)
        return TranslatedNote(markdown: text, named: title, path: files.location(name), modified: modified)
    }
}

extension TranslatedNote {
    /// Makes a note of Markdown with the properties of its front matter, which stays in the text.
    init(markdown text: String, named name: String, path: FilePath, modified: Date) {
        let matter = NoteFrontMatter(of: text)
        self.init(text: text)
        id = NoteID(derivedFrom: path.string + "\n" + text)
        title = matter?.title ?? name
        tags = matter?.tags ?? []
        created = matter?.created.flatMap(ImportFile.date) ?? modified
        updated = matter?.updated.flatMap(ImportFile.date) ?? modified
    }

    /// Makes a note of an HTML page.
    init(page html: String, named name: String, path: FilePath, modified: Date) {
        let page = PagePicture.markdown(html, at: path)
        self.init(text: page.text)
        leftOutElements = page.leftOut
        id = NoteID(derivedFrom: path.string + "\n" + html)
        let title = page.title.map(Folding.trimmed) ?? ""
        self.title = title.isEmpty ? name : title
        created = modified
        updated = modified
    }
}
