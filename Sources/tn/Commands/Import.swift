import ArgumentParser
import Foundation
import NoteStore
import ViewModel

/// Files, folders and other programs' exports into the notebook.
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take Markdown files, folders and other programs' exports into the notebook.",
        usage: "tn import <path> ... [<options>]",
        discussion: """
            Files end in .md, .markdown or .txt; sub-folders become folders; title, tags and dates come from front \
            matter, else from the file; links between the files and local images are kept. Also taken in: an Obsidian \
            vault, an export of Joplin (RAW, or Markdown with front matter), the JSON export of Simplenote or Standard \
            Notes, a Markdown folder of Bear or Apple Notes, and what tn export --json writes. What is unchanged since \
            the last import is left out. Ends with 65 if something had to be skipped. Examples:

              tn import ~/notes --dry-run
              tn import ~/vault --folder Obsidian
              tn import simplenote/source/notes.json
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: "Files and folders.", completion: .file())
    var paths: [String]
    @Option(help: ArgumentHelp("The folder to put them in.", valueName: "path"), completion: .folders)
    var folder: String?
    @Flag(help: "Only say what would happen.")
    var dryRun = false
    @Flag(help: "Also take in again what is unchanged since the last import.")
    var again = false

    func run() throws {
        let missing = paths.filter { !FileManager.default.fileExists(atPath: $0) }
        if let first = missing.first, missing.count == paths.count {
            throw Failure("there is no file \(first)", status: .noInput)
        }
        let notebook = try options.open()
        let target = try folder.map { try notebook.folders.forNotes(path: $0) }
        var problems: [String] = []
        let archives = paths.filter(NotebookArchive.isArchive)
        if let first = archives.first, folder != nil {
            throw Failure("\(first) is a whole notebook, which has its own folders; leave out --folder", status: .usage)
        }
        for archive in archives { try take(try NotebookArchive(contentsOf: archive), of: notebook) }
        for source in try ImportSource.sources(paths.filter { !archives.contains($0) }) {
            problems +=
                try dryRun ? preview(source, into: target, in: notebook) : take(source, into: target, of: notebook)
        }
        try report(problems)
    }

    private func preview(
        _ source: ImportSource, into target: ContainerID?, in notebook: Notebook
    ) throws -> [String] {
        let preview = try notebook.transfer.preview(source, ImportOptions(folder: target, skipsUnchanged: !again))
        var table = Table(.plain, .dim)
        for item in preview.items {
            let place = ([folder].compactMap { $0 } + [Notebook.Containers.path(ofNames: item.folders)]).filter {
                !$0.isEmpty
            }
            table.add(item.path, place.isEmpty ? "Inbox" : place.joined(separator: "/"))
        }
        try table.write()
        try announce(preview.items.count - preview.unchangedCount, unchanged: preview.unchangedCount)
        return preview.problems.map(\.sentence)
    }

    /// Says what would happen.
    private func announce(_ count: Int, unchanged: Int) throws {
        try StandardOutput.write(
            line: "\(count) \(count == 1 ? "note" : "notes") would be imported"
                + (unchanged > 0 ? ", \(unchanged) unchanged would be left out." : "."))
    }

    /// Says what has happened.
    private func tell(_ result: ImportResult) throws {
        let unchanged = result.unchangedCount
        var parts = ["\(result.noteImportCount) \(result.noteImportCount == 1 ? "note" : "notes") imported"]
        if unchanged > 0 { parts.append("\(unchanged) unchanged") }
        if result.imageCount > 0 { parts.append("\(result.imageCount) \(result.imageCount == 1 ? "image" : "images")") }
        let end = result.wasCancelled ? "; stopped before the rest, which the same command takes in." : "."
        try StandardOutput.write(line: parts.joined(separator: ", ") + end)
    }

    private func take(_ archive: NotebookArchive, of notebook: Notebook) throws {
        if dryRun {
            let known = try notebook.transfer.knownCount(of: archive)
            return try announce(archive.notes.count - known, unchanged: known)
        }
        let stop = StopSignal()
        var result = ImportResult()
        try notebook.actions.asOneImport {
            result = try notebook.transfer.importArchive(archive) { done, all in
                Progress.show(done, of: all)
                return !stop.isRaised
            }
            return result.notes
        }
        Progress.clear()
        try tell(result)
    }

    private func take(
        _ source: ImportSource, into target: ContainerID?, of notebook: Notebook
    ) throws -> [String] {
        let stop = StopSignal()
        let options = ImportOptions(folder: target, skipsUnchanged: !again) { done, all in
            Progress.show(done, of: all)
            return !stop.isRaised
        }
        var result = ImportResult()
        try notebook.actions.asOneImport {
            result = try notebook.transfer.importFiles(source, options)
            return result.notes
        }
        Progress.clear()
        try tell(result)
        // The signal comes through when it is held back no longer.
        if result.wasCancelled { return [] }
        return result.problems.map(\.sentence)
    }
}

/// Names what was skipped, a line each.
///
/// - Throws: the status of an import that had to skip something.
func report(_ problems: [String]) throws {
    guard !problems.isEmpty else { return }
    var seen: Set<String> = []
    for problem in problems where seen.insert(problem).inserted { StandardError.write("tn: " + problem.visible) }
    throw ExitCode(Failure.Status.badData.rawValue)
}

extension ImportProblem {
    /// What and where, in words.
    var sentence: String { Sentence.of(self) }
}

/// Ctrl-C while something long is done in steps: held back, and looked for between two steps.
final class StopSignal: Sendable {
    private let before: sigset_t

    init() {
        var interrupt = sigset_t()
        sigemptyset(&interrupt)
        sigaddset(&interrupt, SIGINT)
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &interrupt, &before)
        self.before = before
    }

    deinit {
        var before = before
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    var isRaised: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return sigismember(&pending, SIGINT) == 1
    }
}

/// How far something is, on standard error if that is a terminal.
enum Progress {
    static func show(_ done: Int, of all: Int) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data("\r\(done) of \(all)".utf8))
    }

    static func clear() {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }
}
