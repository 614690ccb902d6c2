import Foundation
import NoteStore

/// Something to import: files as they are, or another program's export translated into such files.
struct ImportSource {
    let plan: ImportPlan
    /// What could not be translated.
    var problems: [String] = []
    /// Notes of the other program that the notebook has already.
    private(set) var knownCount = 0
    /// The folder of the translation, which the names of files are shown without.
    private var translation: String?

    /// What the paths hold, one source for all plain files and one for each export of another program.
    static func sources(
        _ paths: [String], isKnown: @escaping (NoteID) throws -> Bool
    ) throws -> [ImportSource] {
        var plain: [String] = []
        var sources: [ImportSource] = []
        for path in paths {
            if let translator = translator(for: path) {
                sources.append(try ImportSource(translating: path, by: translator, isKnown: isKnown))
            } else {
                plain.append(path)
            }
        }
        return (plain.isEmpty ? [] : [ImportSource(plain: plain)]) + sources
    }

    private init(plain: [String]) {
        plan = ImportPlan(paths: plain)
    }

    private init(
        translating path: String, by translator: any Translator.Type, isKnown: @escaping (NoteID) throws -> Bool
    ) throws {
        let folder = NSTemporaryDirectory() + "/tn-import-" + UUID().uuidString
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure("cannot create \(folder): \(error.localizedDescription)", status: .cannotCreate)
        }
        var files = TranslatedFiles(folder: folder, isKnown: isKnown)
        try translator.translate(path, into: &files)
        plan = ImportPlan(paths: [folder])
        translation = folder
        problems = files.problems
        knownCount = files.knownCount
    }

    private static func translator(for path: String) -> (any Translator.Type)? {
        let all: [any Translator.Type] = [
            JoplinRaw.self, ObsidianVault.self, Simplenote.self, StandardNotes.self,
        ]
        return all.first { $0.recognizes(path) }
    }

    /// A file's name as the user knows it.
    func shown(_ path: String) -> String {
        guard let translation, path.hasPrefix(translation + "/") else { return path }
        return String(path.dropFirst(translation.count + 1))
    }

    func removeTranslation() {
        guard let translation else { return }
        try? FileManager.default.removeItem(atPath: translation)  // what stays is the system's to clean
    }
}

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

    private func make(_ directory: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        } catch {
            throw Failure("cannot create \(directory): \(error.localizedDescription)", status: .cannotCreate)
        }
    }

    private func write(_ data: Data, to path: String) throws {
        do {
            try data.write(to: URL(filePath: path))
        } catch {
            throw Failure("cannot write \(path): \(error.localizedDescription)", status: .inputOutput)
        }
    }

    /// A name that stays in its folder; a folder's keeps what the import makes its name of.
    private static func safeName(_ name: String) -> String {
        let safe = String(name.map { $0 == "/" || $0.isNewline ? "-" : $0 }.prefix(80))
        let trimmed = safe.trimmingCharacters(in: .whitespaces)
        return trimmed.isEmpty || trimmed.hasPrefix(".") ? "_" + trimmed : trimmed
    }
}
