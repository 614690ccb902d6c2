import Foundation
import SystemPackage

/// Something to import: plain files, or another program's export, which is read in place.
public struct ImportSource: Sendable {
    let format: any ImportFormat
    public var plan: ImportPlan { format.plan }

    /// Returns the sources in these paths: one for all plain files, and one for each export of another program.
    ///
    /// A zip is read without unpacking it to the disk, and so is a zip inside it.
    ///
    /// - Throws: `StoreError` if an export cannot be read.
    public static func sources(_ paths: [String]) throws -> [ImportSource] {
        try sources(paths) { throw $0 }
    }

    /// Returns the sources in these paths.
    ///
    /// - Parameter unread: called for each export that cannot be read; the others are returned unless it throws.
    public static func sources(_ paths: [String], unread: (any Error) throws -> Void) throws -> [ImportSource] {
        var plain: [String] = []
        var sources: [ImportSource] = []
        var notesOfKeep: [FilePath: [String]] = [:]
        for path in paths {
            do {
                if let note = KeepNotes.single(FilePath(path)) {
                    notesOfKeep[note.folder, default: []].append(note.name)
                } else if let found = try exports(at: path) {
                    sources += found
                } else {
                    plain.append(path)
                }
            } catch {
                try unread(told(error, at: path))
            }
        }
        for (folder, names) in notesOfKeep.sorted(by: { $0.key.string < $1.key.string }) {
            do {
                sources.append(ImportSource(format: try KeepNotes.format(of: names, in: folder)))
            } catch {
                try unread(told(error, at: folder.string))
            }
        }
        return try (plain.isEmpty ? [] : plainSources(plain, unread: unread)) + sources
    }

    /// Returns the source of plain files and folders, and those of Evernote's exports in folders without texts.
    private static func plainSources(_ paths: [String], unread: (any Error) throws -> Void) throws -> [ImportSource] {
        var plan = ImportPlan(paths: paths)
        var exports: [ImportSource] = []
        let found = plan.files.isEmpty ? plan.takeOthers(where: EvernoteExport.isExport) : []
        for path in found {
            do {
                exports.append(ImportSource(format: try EvernoteExport(reading: path)))
            } catch {
                try unread(told(error, at: path.string))
            }
        }
        let isEmpty = plan.files.isEmpty && plan.problems.isEmpty && plan.others.isEmpty
        return (isEmpty && !exports.isEmpty ? [] : [ImportSource(plain: plan)]) + exports
    }

    /// Returns the exports of other programs at a path, or `nil` for a plain file or folder.
    private static func exports(at path: String) throws -> [ImportSource]? {
        if let program = program(of: path) { return [ImportSource(format: try program.init(reading: FilePath(path)))] }
        if isOtherProgramsFolder(FilePath(path)) {
            return [ImportSource(format: try format(of: ExportFiles(folder: FilePath(path))))]
        }
        return try ArchiveFiles(FilePath(path)).map { try formats(of: $0).map(ImportSource.init(format:)) }
    }

    /// Whether a file or folder is another program's export.
    public static func isExport(_ path: String) -> Bool {
        program(of: path) != nil || KeepNotes.single(FilePath(path)) != nil || isOtherProgramsFolder(FilePath(path))
            || ArchiveFiles.isArchive(FilePath(path))
    }

    /// Returns the error of an export at a path as one that says what is wrong with it.
    private static func told(_ error: any Error, at path: String) -> any Error {
        switch error {
        case let error as Errno: return StoreError.unreadable(name: path, errno: error.rawValue)
        case let failure as ImportFailure:
            switch failure.reason {
            case .tooLarge(let bytes, let limit): return StoreError.tooLarge(name: path, bytes: bytes, limit: limit)
            case .unreadable(let errno): return StoreError.unreadable(name: path, errno: errno)
            default: return StoreError.damagedArchive(path: path)
            }
        default: return error
        }
    }

    /// Returns the formats in an archive; an archive of Notion contains others.
    private static func formats(of archive: ArchiveFiles) throws -> [any ImportFormat] {
        let files = ExportFiles(archive)
        var room = ArchiveFiles.maximumMemory
        let inner = files.names.filter { ExportFiles.fileExtension($0) == "zip" }
        guard !inner.isEmpty, inner.count == files.names.count else { return try formats(of: files, &room) }
        var (archives, problems): ([ArchiveFiles], [ImportProblem]) = ([], [])
        for name in inner {
            let location = files.location(name)
            do {
                let bytes = try files.read(name, limit: room).bytes
                room -= bytes.count
                archives.append(try ArchiveFiles(bytes, path: location))
            } catch let failure as ImportFailure {
                problems.append(ImportProblem(path: location.string, reason: failure.reason))
            } catch let error as StoreError {
                problems.append(ImportProblem(unread: error))
            }
        }
        if archives.isEmpty { throw StoreError.damagedArchive(path: archive.path.string) }
        // A part that cannot be read does not keep the others from being imported, and is named with the first.
        return try archives.enumerated().flatMap { index, archive in
            try formats(of: ExportFiles(archive, problems: index == 0 ? problems : []), &room)
        }
    }

    /// Returns the formats of the files in an archive: one, or one for each export of Evernote in it.
    ///
    /// - Parameter room: the number of bytes that may still be read into memory.
    private static func formats(of files: ExportFiles, _ room: inout Int) throws -> [any ImportFormat] {
        let (names, others) = EvernoteExport.files(among: files.names)
        guard !names.isEmpty else { return [try format(of: files)] }
        var (exports, problems): ([(name: String, bytes: [UInt8])], [ImportProblem]) = ([], files.problems)
        for name in names {
            let path = files.location(name).string
            do {
                let bytes = try files.read(name, limit: room).bytes
                room -= bytes.count
                if EvernoteExport.isStart(bytes) {
                    exports.append((name, bytes))
                } else {
                    problems.append(ImportProblem(path: path, reason: .unknownKind))
                }
            } catch {
                problems.append(ImportProblem(path: path, reason: error.reason))
            }
        }
        if exports.isEmpty { throw StoreError.damagedArchive(path: files.path.string) }
        // What is wrong with the others is named with the first.
        return try exports.enumerated().map { index, export in
            let (problems, others) = index == 0 ? (problems, others.map(files.location)) : ([], [])
            return try EvernoteExport(
                export.bytes, at: files.location(export.name), problems: problems, others: others)
        }
    }

    /// Returns the format of the files in an archive or a folder that other programs have written.
    private static func format(of files: ExportFiles) throws -> any ImportFormat {
        if let name = files.names.first(where: { ExportFiles.last($0) == "notes.json" }),
            let data = try? Data(files.read(name).bytes),  // then it is no Simplenote
            let notes = try? Simplenote(data, at: files.location(name))  // as above
        {
            return notes
        }
        if let name = files.names.first(where: { Self.isStandardNotes(ExportFiles.last($0)) }) {
            return try StandardNotes(Data(files.read(name).bytes), at: files.location(name))
        }
        return try files.format()
    }

    /// Whether a file has the name of a backup of Standard Notes, decrypted or encrypted.
    private static func isStandardNotes(_ name: String) -> Bool {
        name.hasPrefix("Standard Notes Backup") || name.hasPrefix("Standard Notes Encrypted Backup")
    }

    /// Whether a folder is the export of a program whose exports may also be archives, judged by its first names.
    private static func isOtherProgramsFolder(_ path: FilePath) -> Bool {
        guard (try? FileStatus(path, followsLinks: true))?.kind == .folder else { return false }  // no such path
        if (try? FileStatus(path.appending("logseq/config.edn"), followsLinks: true)) != nil { return true }  // none
        if path.lowercasedExtension == "textbundle" { return true }
        let names = ((try? FolderListing.names(of: path)) ?? []).map(\.string)  // reading it reports the error
        if names.contains(where: { $0.hasSuffix(".textbundle") }) { return true }
        if names.contains(where: isStandardNotes) { return true }
        // Simplenote writes its notes once more as texts beside a folder with all that it knows of them.
        let lists = ["notes.json", "source/notes.json"]
        if lists.contains(where: { Simplenote.recognizes(path.appending($0)) }) { return true }
        let keep = path.lastComponent?.string == "Keep" ? path : path.appending("Keep")
        // Without such a folder it is not an export of Keep.
        if let files = try? FolderListing.names(of: keep), files.contains(where: { $0.string.hasSuffix(".json") }) {
            return true
        }
        if names.contains(where: { NotionPages.isPage($0) }) { return true }
        return KeepNotes.isNote(names.first { $0.hasSuffix(".json") && $0 != KeepNotes.labels }.map(path.appending))
    }

    /// A source of Markdown and text files.
    public init(plain plan: ImportPlan) {
        self.init(format: PlainFiles(plan: plan))
    }

    init(format: any ImportFormat) {
        self.format = format
    }

    private static func program(of path: String) -> (any ProgramFormat.Type)? {
        let all: [any ProgramFormat.Type] = [
            JoplinRaw.self, ObsidianVault.self, EvernoteExport.self, Simplenote.self,
            StandardNotes.self, NumberedNotes.self,
        ]
        return all.first { $0.recognizes(FilePath(path)) }
    }
}
