import Foundation
import SystemPackage

/// Turns another program's export into Markdown files with front matter, which the import understands.
protocol Translator {
    /// Whether a file or folder is such an export; cheap for those that are not.
    static func recognizes(_ path: String) -> Bool
    static func translate(_ path: String, into files: inout TranslatedFiles) throws
}

/// A note of another program.
struct TranslatedNote {
    var id = NoteID()
    var title: String?
    var text: String
    var folders: [String] = []
    var tags: [String] = []
    var starred = false
    var created: Date?
    var updated: Date?
}

/// The bytes and the text of another program's files.
enum ProgramFile {
    /// - Throws: `StoreError.unreadable`.
    static func bytes(of path: String) throws -> [UInt8] {
        do {
            return try DiskFile.read(path, limit: ImportFile.limit).bytes
        } catch let error as Errno {
            throw StoreError.unreadable(name: path, errno: error.rawValue)
        }
    }

    /// - Throws: `StoreError.unreadable`, `StoreError.invalidUTF8`.
    static func text(of path: String) throws -> String {
        let bytes = try bytes(of: path)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw StoreError.invalidUTF8(name: path, offset: 0)
        }
        return text
    }
}

/// The files that a translation writes.
struct TranslatedFiles {
    let folder: String
    var problems: [String] = []
    private(set) var knownCount = 0
    private let isKnown: (NoteID) throws -> Bool
    private var taken: Set<String> = []

    /// - Parameter isKnown: whether the notebook has a note already, which is left out then.
    init(folder: String, isKnown: @escaping (NoteID) throws -> Bool) {
        self.folder = folder
        self.isKnown = isKnown
    }

    /// Writes a note; its front matter says all that is known of it.
    ///
    /// Its file is named by its title, unless other files refer to it by a name.
    mutating func add(_ note: TranslatedNote, named name: String? = nil) throws {
        if try isKnown(note.id) {
            knownCount += 1
            return
        }
        let directory = ([folder] + note.folders.map(Self.safeName)).joined(separator: "/")
        try make(directory)
        let title = name ?? note.title ?? note.text.split(separator: "\n").first.map(String.init) ?? "Untitled"
        let path = free(Self.safeName(title), ending: ".md", in: directory)
        var lines = ["---", "takenote: \(note.id)"]
        if let title = note.title { lines.append("title: \"\(title)\"") }
        if !note.tags.isEmpty { lines += ["tags:"] + note.tags.map { "  - \"\($0)\"" } }
        if note.starred { lines.append("starred: true") }
        if let created = note.created { lines.append("created: \(created.timestamp)") }
        if let updated = note.updated { lines.append("updated: \(updated.timestamp)") }
        try write(Data((lines.joined(separator: "\n") + "\n---\n" + note.text).utf8), to: path)
    }

    /// Writes a file beside the notes, such as an image, and gives its address for a note in `folders`.
    mutating func addResource(_ data: Data, name: String, forNoteIn folders: [String]) throws -> String {
        try make(folder + "/.resources")
        let path = free(Self.safeName(name), ending: "", in: folder + "/.resources")
        try write(data, to: path)
        let up = String(repeating: "../", count: folders.count)
        let address = up + path.dropFirst(folder.count + 1)
        return address.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? address
    }

    private mutating func free(_ name: String, ending: String, in directory: String) -> String {
        var path = "\(directory)/\(name)\(ending)"
        var number = 2
        while !taken.insert(path.lowercased()).inserted {
            path = "\(directory)/\(name) \(number)\(ending)"
            number += 1
        }
        return path
    }

    private func make(_ directory: String) throws { try DiskFile.makeFolders(FilePath(directory)) }

    private func write(_ data: Data, to path: String) throws {
        do {
            let file = try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
            try file.closeAfter { _ = try file.writeAll(data) }
        } catch let error as Errno {
            throw StoreError.cannotCreate(path: path, errno: error.rawValue)
        }
    }

    /// A name that stays in its folder; a folder's keeps what the import makes its name of.
    private static func safeName(_ name: String) -> String {
        let safe = String(name.map { $0 == "/" || $0.isNewline ? "-" : $0 }.prefix(80))
        let trimmed = safe.trimmingCharacters(in: .whitespaces)
        return trimmed.isEmpty || trimmed.hasPrefix(".") ? "_" + trimmed : trimmed
    }
}
