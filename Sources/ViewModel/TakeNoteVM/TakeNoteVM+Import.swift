import Foundation
import NoteStore
import SystemPackage

/// Importing files, folders and other programs' exports.
extension TakeNoteVM {
    /// The target folder of an import: the selected one if it can hold notes.
    ///
    /// Nil means the Inbox for notes, and the root for folders.
    public var importTarget: NoteContainer? {
        guard let container = selectedContainer, container.isFolder, container.holdsNotes, !container.isInTrash else {
            return nil
        }
        return container
    }

    /// The extensions of files that can be imported, in lower case.
    public static let importExtensions = ImportPlan.textExtensions.union([
        "json", "html", "htm", "zip", "jex", "tar", "enex", "bear2bk", "textpack",
    ])

    /// Finds the first path with anything to import, in the background, since a mount may hang.
    ///
    /// - Parameter completion: receives the path; nil if there is none.
    public func findImportable(at paths: [String], completion: @escaping @MainActor @Sendable (String?) -> Void) {
        let disk = disk
        askDisk {
            paths.first { disk.kind(FilePath(PathCompletion.expanded($0))) != nil && Self.canImport($0) }
        } then: {
            completion($0)
        }
    }

    /// Whether a file or folder contains anything to import.
    nonisolated static func canImport(_ path: String) -> Bool {
        let path = PathCompletion.expanded(path)
        return NotebookArchive.isArchive(path) || ImportSource.isExport(path)
            || ImportPlan.hasFiles(path)
    }

    /// Imports Markdown and text files, folders of them, and the exports of other programs and of `tn` itself.
    ///
    /// Notes that were imported before and have not changed are omitted.
    ///
    /// The whole import is one action, which undo moves to the Trash.
    ///
    /// - Parameter finished: receives the report after it was shown.
    public func importFiles(
        at paths: [String], into target: NoteContainer? = nil,
        finished: @escaping @MainActor (TaskReport) -> Void = { _ in }
    ) {
        let (notebook, folder) = (notebook, target?.id)
        let paths = paths.map { PathCompletion.expanded($0) }
        let folderName = target?.name ?? Texts.notebook
        run(Texts.importing, finished: finished) { progress in
            var total = ImportTotal()
            try notebook.actions.recordingImport { made in
                // One file that cannot be read does not keep the others from being imported.
                func take(_ error: any Error) throws {
                    guard let error = error as? StoreError, paths.count > 1 else { throw error }
                    total.add(error)
                }
                for path in paths.filter(NotebookArchive.isArchive) {
                    let archive: NotebookArchive
                    do {
                        archive = try NotebookArchive(contentsOf: path)
                    } catch {
                        try take(error)
                        continue
                    }
                    total.add(try notebook.transfer.importArchive(archive, made: made, progress: progress))
                }
                let sources = try ImportSource.sources(
                    paths.filter { !NotebookArchive.isArchive($0) }, unread: take)
                for source in sources where !total.wasCancelled {
                    var options = ImportOptions(folder: folder, skipsUnchanged: true, progress: progress)
                    options.linking = progress
                    total.add(try notebook.transfer.importFiles(source, options, made: made))
                }
            }
            return total.report(folderName: folderName)
        }
    }
}

/// The total of several imports.
private struct ImportTotal {
    private(set) var notes: [NoteID] = []
    private(set) var wasCancelled = false
    private var mergedCount = 0
    private var unchangedCount = 0
    private var problems: [String] = []

    mutating func add(_ result: ImportResult) {
        notes += result.notes
        mergedCount += result.mergedCount
        unchangedCount += result.unchangedCount
        wasCancelled = wasCancelled || result.wasCancelled
        problems += result.problems.map(\.sentence) + result.leftOut.map(\.sentence)
    }

    /// Adds a file that cannot be read.
    mutating func add(_ unread: StoreError) { problems.append(ImportProblem(unread: unread).sentence) }

    /// Returns `12 notes imported into Home, 3 unchanged left out; 1 problem`.
    func report(folderName: String) -> TaskReport {
        let sentence = Texts.imported(
            notes.count, into: folderName, merged: mergedCount, unchanged: unchangedCount, isStopped: wasCancelled)
        var seen: Set<String> = []
        let problems = problems.filter { seen.insert($0).inserted }
        return TaskReport(sentence + Texts.problems(problems.count), problems: problems)
    }
}
