import Foundation
import SystemPackage

/// Something to import: files as they are, or another program's export translated into such files.
public struct ImportSource: Sendable {
    public let plan: ImportPlan
    /// What could not be translated, a sentence each.
    public private(set) var problems: [String] = []
    /// Notes of the other program that the notebook has already.
    public private(set) var knownCount = 0
    /// The folder of the translation, which the names of files are shown without.
    private var translation: String?

    /// What the paths hold, one source for all plain files and one for each export of another program: an Obsidian
    /// vault, Joplin's RAW folder, the JSON of Simplenote and of Standard Notes.
    ///
    /// - Parameter isKnown: whether the notebook has a note already, which is left out of a translation then.
    /// - Throws: `StoreError` where an export cannot be read, or its translation written.
    public static func sources(
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

    /// Whether a file or folder is another program's export.
    public static func isExport(_ path: String) -> Bool { translator(for: path) != nil }

    private init(plain: [String]) {
        plan = ImportPlan(paths: plain)
    }

    private init(
        translating path: String, by translator: any Translator.Type, isKnown: @escaping (NoteID) throws -> Bool
    ) throws {
        let folder = NSTemporaryDirectory() + "/tn-import-" + UUID().uuidString
        try DiskFile.makeFolders(FilePath(folder))
        var files = TranslatedFiles(folder: folder, isKnown: isKnown)
        do {
            try translator.translate(path, into: &files)
        } catch {
            Self.remove(folder)
            throw error
        }
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
    public func shown(_ path: String) -> String {
        guard let translation, path.hasPrefix(translation + "/") else { return path }
        return String(path.dropFirst(translation.count + 1))
    }

    /// A problem with a file by the name that the user knows.
    public func shown(_ problem: ImportProblem) -> ImportProblem {
        ImportProblem(path: shown(problem.path), reason: problem.reason)
    }

    /// Removes the files that the translation wrote; to be called when the import is done.
    public func removeTranslation() {
        if let translation { Self.remove(translation) }
    }

    private static func remove(_ folder: String) {
        try? FileManager.default.removeItem(atPath: folder)  // what stays is the system's to clean
    }
}
