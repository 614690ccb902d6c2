import Foundation
import SystemPackage

/// A format of texts in files and folders, with the way in which they become notes.
///
/// It keeps the locations of its texts, and the facts about all of them that are needed to understand one; the texts
/// are read one by one, in place, on several threads.
protocol ImportFormat: Sendable {
    /// The texts, in the order in which they are imported.
    var plan: ImportPlan { get }
    /// The other files, in order: those that a text may show, and those that nothing takes in.
    var others: [FilePath] { get }
    /// The documents among them that come in as notes with links to them, where no text refers to them.
    var documents: [ImportPlan.File] { get }
    /// Reads one of the texts.
    func read(_ file: ImportPlan.File) throws(ImportFailure) -> ImportFile
    /// Returns the file that an address in a text may mean, if it is not beside the text.
    ///
    /// - Parameter folder: the text's folder.
    func media(_ address: String, from folder: FilePath) -> FilePath?
    /// Whether a text that became no note is stored as a file where a note links to it.
    var storesTexts: Bool { get }
    /// Returns the name that a file has in the notebook.
    func name(of path: FilePath) -> String
    /// Returns the status of a path to which a text refers.
    func size(at path: FilePath) -> MediaSize
    func content(at path: FilePath, limit: Int) throws(ImportFailure) -> RegularFile.Content
}

/// The status of a path to which a text refers.
enum MediaSize {
    case none
    /// A file, with its size in bytes if it is known.
    case file(Int)
    /// A pipe or a device.
    case unreadable
}

extension ImportFormat {
    var others: [FilePath] { plan.others }

    var documents: [ImportPlan.File] { plan.documents }

    var storesTexts: Bool { false }

    func name(of path: FilePath) -> String { path.lastComponent?.string ?? path.string }

    func size(at path: FilePath) -> MediaSize { MediaSize(onDisk: path) }

    func content(at path: FilePath, limit: Int) throws(ImportFailure) -> RegularFile.Content {
        do {
            return try RegularFile.read(path, limit: limit)
        } catch {
            throw ImportFailure(.init(error))
        }
    }
}

extension MediaSize {
    /// Determines the status of a path on the disk.
    init(onDisk path: FilePath) {
        // The path does not exist.
        guard let status = try? FileStatus(path, followsLinks: true) else {
            self = .none
            return
        }
        switch status.kind {
        case .file: self = .file(status.size)
        case .folder: self = .none
        case .link, .other: self = .unreadable
        }
    }
}

/// Another program's export.
protocol ProgramFormat: ImportFormat {
    /// Whether a file or folder is such an export; the check is cheap for any other.
    static func recognizes(_ path: FilePath) -> Bool
    init(reading path: FilePath) throws
}

/// Markdown and text files in folders.
struct PlainFiles: ImportFormat {
    let plan: ImportPlan
    private let pictures = PagePictures()

    func read(_ file: ImportPlan.File) throws(ImportFailure) -> ImportFile {
        guard ImportPlan.pageExtensions.contains(file.location.lowercasedExtension) else {
            return try ImportFile(reading: file)
        }
        let (html, modified) = try ImportFile.page(of: ImportFile.content(of: file.location))
        return ImportFile(
            TranslatedNote(page: html, named: file.name, path: file.location.absolute, modified: modified), from: file,
            hash: Note.contentHash(of: html))
    }

    func media(_ address: String, from folder: FilePath) -> FilePath? { plan.medium(named: address, from: folder) }

    func size(at path: FilePath) -> MediaSize {
        let size = MediaSize(onDisk: path)
        guard case .none = size, let picture = PagePicture(path) else { return size }
        // The page is read by `content`.
        if case .file = MediaSize(onDisk: picture.page) { return .file(0) }
        return size
    }

    func content(at path: FilePath, limit: Int) throws(ImportFailure) -> RegularFile.Content {
        if let picture = PagePicture(path), case .file = MediaSize(onDisk: picture.page) {
            return try pictures.content(of: picture, limit: limit) { () throws(ImportFailure) in
                try ImportFile.page(of: ImportFile.content(of: picture.page))
            }
        }
        do {
            return try RegularFile.read(path, limit: limit)
        } catch {
            throw ImportFailure(.init(error))
        }
    }
}

extension ImportPlan {
    /// Returns the image or other file whose name an address in a text in a folder ends with.
    func medium(named address: String, from folder: FilePath) -> FilePath? {
        FilePath(address).lastComponent.flatMap { media[Folding.key($0.string)] }.flatMap {
            folder.nearest(of: $0, named: address)
        }
    }
}

extension FilePath {
    /// Returns the file that an address in a text in this folder means, of several with the same name.
    ///
    /// As in Obsidian it is one whose path ends with the address; among those one below the folder, and then the one
    /// with the shortest path.
    func nearest(of files: [FilePath], named address: String) -> FilePath? {
        if files.count < 2 { return files.first }
        let names = Folding.key(
            "/"
                + FilePath(address).components.filter { $0.kind == .regular }.map(\.string)
                .joined(separator: "/"))
        let named = files.filter { Folding.key($0.string).hasSuffix(names) }
        let fitting = named.isEmpty ? files : named
        let below = fitting.filter { $0.starts(with: self) }
        return (below.isEmpty ? fitting : below).min { $0.string.utf8.count < $1.string.utf8.count }
    }
}

/// A note of another program.
struct TranslatedNote: Sendable {
    var id = NoteID()
    var title: String?
    var text: String
    var folders: [String] = []
    var tags: [String] = []
    var starred = false
    var created: Date?
    var updated: Date?
    /// Whether halves of characters in it were replaced by U+FFFD.
    var hasBrokenCharacters = false
    /// The names of the HTML elements that no text can hold.
    var leftOutElements: Set<String> = []

    /// The note's name in lists of files.
    var name: String { title ?? String(TextFacts.derivedTitle(of: text).prefix(80)) }
}

/// The bytes of another program's files.
enum ProgramFile {
    /// - Throws: `StoreError.unreadable`, `StoreError.tooLarge`.
    static func bytes(of path: FilePath, limit: Int = ImportFile.limit) throws(StoreError) -> [UInt8] {
        do {
            let content = try RegularFile.read(path, limit: limit)
            if content.isTooLarge { throw StoreError.tooLarge(name: path.string, bytes: content.size, limit: limit) }
            return content.bytes
        } catch RegularFile.Problem.system(let error) {
            throw .unreadable(name: path.string, errno: error.rawValue)
        } catch {
            throw (error as? StoreError) ?? .unreadable(name: path.string, errno: EINVAL)
        }
    }

    /// Whether a JSON file has these keys near its start, the only piece that is read to recognise a format.
    static func looksLikeJSON(_ path: FilePath, with keys: [String]) -> Bool {
        guard let head = try? RegularFile.head(path, count: 4096) else { return false }  // no file: no export
        let start = String(decoding: head, as: UTF8.self)
        return start.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.hasPrefix("{")
            && keys.allSatisfy { start.contains("\"\($0)\"") }
    }

    /// Decodes a file that another program, or another tn, has exported.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from path: FilePath, of program: String, limit: Int = ImportFile.limit
    ) throws(StoreError) -> Value {
        let data = Data(try bytes(of: path, limit: limit))
        return try decode(type, from: data, at: path, of: program)
    }

    static func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, at path: FilePath, of program: String
    ) throws(StoreError) -> Value {
        try decode(type, from: ProgramJSON(data), at: path, of: program)
    }

    static func decode<Value: Decodable>(
        _ type: Value.Type, from json: ProgramJSON, at path: FilePath, of program: String
    ) throws(StoreError) -> Value {
        do {
            return try json.decode(type)
        } catch {
            throw .notAnExport(path: path.string, program: program)
        }
    }
}

extension NoteImage {
    /// Reads the bytes of an image file; throws for a pipe or a device.
    ///
    /// - Parameter limit: the maximum size that is read, in bytes.
    public static func data(ofFile path: String, limit: Int) throws(StoreError) -> Data {
        do {
            return Data(try ProgramFile.bytes(of: FilePath(path), limit: limit))
        } catch .unreadable(_, ENOENT) {
            throw .noSuchFile(path: path)
        }
    }
}
