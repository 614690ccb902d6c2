import ArgumentParser
import Foundation
import Interface
import NoteStore

/// The command `tn import`: imports files, folders and other programs' exports into the notebook.
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import Markdown files, folders and the exports of other programs.",
        usage: "tn import <path> ... [<options>]",
        discussion: """
            Files end in .md, .markdown, .txt or .html. A folder becomes a folder of its name, with its subfolders, and \
            single files go to the Inbox; with --folder, files and the contents of folders go to that folder. Title, \
            tags and dates come from front matter, or else from the file. Links between the files, images and other \
            files that notes refer to are kept. A picture with a side over 2,048 pixels is made smaller, and files to \
            which no note refers are left out; both are reported. The exports of other programs can be folders or the \
            archives that the programs write: an Obsidian vault, Joplin (JEX, RAW, or Markdown with front matter), \
            Evernote (.enex), Notion (the zip of Markdown and CSV), Bear (.bear2bk, textbundles), Google Keep (the \
            .zip or .tgz of Takeout), Logseq, Simplenote, Standard Notes, a Markdown folder of Apple Notes, a zip of \
            notes, and what tn export --json writes. What is unchanged since the last import is left out. If a file \
            has changed since it was imported, the changes are merged into its note, and the former text stays as a \
            version; --on-change keeps both instead, or skips the file. In a terminal tn asks. Ends with 65 if \
            something had to be skipped. Examples:

              tn import ~/notes --dry-run
              tn folder add Obsidian
              tn import ~/vault --folder Obsidian
              tn import Kitchen.enex takeout.zip
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: "Files and folders.", completion: .file())
    var paths: [String]
    @Option(help: ArgumentHelp("The folder to import into.", valueName: "path"), completion: .folders)
    var folder: String?
    @Option(help: ArgumentHelp("What to do with files changed since: merge, both or skip.", valueName: "way"))
    var onChange: ChangedFiles?
    @Flag(help: "Only print what would be imported.")
    var dryRun = false
    @Flag(help: "Import files again even if they are unchanged since the last import.")
    var again = false

    func run() throws {
        let missing = paths.filter { PathKind($0) == nil }
        if let first = missing.first, missing.count == paths.count {
            throw Failure.noFile(first)
        }
        let notebook = try options.open()
        let target = try folder.map { try notebook.folders.forNotes(path: $0) }
        var problems: [ImportProblem] = []
        StartupInterrupt.say(Texts.nothingImported)
        // An error begins a line of its own.
        defer { Progress.clear() }
        let archives = paths.filter(NotebookArchive.isArchive)
        if let first = archives.first, folder != nil {
            throw Failure.archiveHasFolders(first)
        }
        let (contents, sources) = try read(archives, problems: &problems)
        guard dryRun else {
            let leftOut = try importAll(contents, sources, into: target, of: notebook, problems: &problems)
            return try report(problems, leftOut)
        }
        for archive in contents {
            let known = try notebook.transfer.knownCount(of: archive)
            try announce(archive.notes.count - known, unchanged: known)
        }
        for source in sources { problems += try preview(source, into: target, in: notebook) }
        try report(problems)
    }

    /// Imports all that was read, and returns the files that were left out.
    private func importAll(
        _ contents: [NotebookArchive], _ sources: [ImportSource], into target: ContainerID?, of notebook: Notebook,
        problems: inout [ImportProblem]
    ) throws -> [LeftOutFiles] {
        let stop = StopSignal()
        var leftOut: [LeftOutFiles] = []
        var total = Total(
            all: contents.map(\.notes.count).reduce(0, +) + sources.map(\.plan.files.count).reduce(0, +))
        do {
            for archive in contents {
                try total.checkNotStopped(by: stop)
                try total.add(try importArchive(archive, of: notebook, until: stop))
            }
            for source in sources {
                try total.checkNotStopped(by: stop)
                let result = try importSource(source, into: target, of: notebook, until: stop)
                problems += result.problems
                leftOut += result.leftOut
                try total.add(result)
            }
        } catch StoreError.interrupted {
            try total.checkNotStopped(by: stop)
            throw StoreError.interrupted
        }
        return leftOut
    }

    /// Reads all that is given; one file that cannot be read does not keep the others from being imported.
    ///
    /// - Parameter archives: those of the paths that `tn` has exported itself.
    private func read(
        _ archives: [String], problems: inout [ImportProblem]
    ) throws -> (contents: [NotebookArchive], sources: [ImportSource]) {
        func leaveOut(_ error: any Error) throws {
            guard let error = error as? StoreError, paths.count > 1 else { throw error }
            problems.append(ImportProblem(unread: error))
        }
        let contents = try archives.compactMap { path -> NotebookArchive? in
            do {
                return try NotebookArchive(contentsOf: path)
            } catch {
                try leaveOut(error)
                return nil
            }
        }
        return (contents, try ImportSource.sources(paths.filter { !archives.contains($0) }, unread: leaveOut))
    }

    /// What the whole import has done so far.
    private struct Total {
        let all: Int
        /// The numbers of notes imported so far, and of files skipped because they are unchanged since an earlier
        /// import.
        var imported = 0
        var unchanged = 0
        /// Whether it was stopped while links were made.
        var isUnlinked = false

        /// - Throws: a failure that reports the progress, if the import was stopped.
        mutating func add(_ result: ImportResult) throws {
            imported += result.noteImportCount
            unchanged += result.unchangedCount
            isUnlinked = result.isUnlinked
            if result.wasCancelled { throw failure }
        }

        /// - Throws: a failure that reports the progress, if the import must stop here.
        func checkNotStopped(by stop: StopSignal) throws { if stop.isRaised { throw failure } }

        private var failure: Failure {
            isUnlinked
                ? Failure.linkingStopped(imported) : Failure.importStopped(imported, of: all, unchanged: unchanged)
        }
    }

    private func preview(
        _ source: ImportSource, into target: ContainerID?, in notebook: Notebook
    ) throws -> [ImportProblem] {
        let preview = try notebook.transfer.preview(source, ImportOptions(folder: target, skipsUnchanged: !again))
        var table = Table(.plain, .dim)
        for item in preview.items {
            let path = ([folder].compactMap { $0 } + [Notebook.Containers.path(ofNames: item.folders)]).filter {
                !$0.isEmpty
            }
            table.add(item.path, path.isEmpty ? "Inbox" : path.joined(separator: "/"))
        }
        try table.write()
        try announce(preview.items.count - preview.unchangedCount, unchanged: preview.unchangedCount)
        return preview.problems
    }

    /// Prints what an import would do.
    private func announce(_ count: Int, unchanged: Int) throws {
        try StandardOutput.write(line: Texts.wouldImport(count, unchanged: unchanged))
    }

    /// Prints what an import has done.
    private func tell(_ result: ImportResult) throws {
        try StandardOutput.write(line: Texts.imported(result), after: Texts.done)
    }

    /// Returns the user's decision about changed files; without a terminal they are merged, which loses nothing.
    ///
    /// An import that is stopped at the question skips them, before it ends.
    private static func decision(on count: Int, until stop: StopSignal) -> ChangedFiles {
        if stop.isRaised { return .skip }
        Progress.clear()
        return switch Question.choice(Texts.changedFiles(count), of: ["m", "b", "s"], until: stop) {
        case "b": .both
        case "s": .skip
        default: stop.isRaised ? .skip : .merge
        }
    }

    private func importArchive(
        _ archive: NotebookArchive, of notebook: Notebook, until stop: StopSignal
    ) throws -> ImportResult {
        var result = ImportResult()
        try notebook.actions.recordingImport { made in
            result = try notebook.transfer.importArchive(archive, made: made) { done, all in
                Progress.show(done, of: all)
                return !stop.isRaised
            }
        }
        Progress.clear()
        if !result.wasCancelled { try tell(result) }
        return result
    }

    private func importSource(
        _ source: ImportSource, into target: ContainerID?, of notebook: Notebook, until stop: StopSignal
    ) throws -> ImportResult {
        let limit = Configuration.readFromUser().configuration.files.limit
        var options = ImportOptions(folder: target, skipsUnchanged: !again, maximumFileSize: limit) { done, all in
            Progress.show(done, of: all)
            return !stop.isRaised
        }
        options.linking = { done, all in
            Progress.show(done, of: all, Texts.linkingNotes)
            return !stop.isRaised
        }
        options.onChange = { [onChange] count in onChange ?? Self.decision(on: count, until: stop) }
        var result = ImportResult()
        try notebook.actions.recordingImport { made in
            result = try notebook.transfer.importFiles(source, options, made: made)
        }
        // Ctrl-C at the question skips the files that have changed, and there may be no step after it.
        if stop.isRaised, result.skippedCount > 0 { result.wasCancelled = true }
        Progress.clear()
        if !result.wasCancelled { try tell(result) }
        return result
    }
}

extension ChangedFiles: ExpressibleByArgument {}
