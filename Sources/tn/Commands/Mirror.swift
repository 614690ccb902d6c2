import ArgumentParser
import Foundation
import NoteStore

/// The command `tn mirror`: makes a folder of Markdown and the notebook the same.
struct Mirror: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mirror",
        abstract: "Keep a folder of Markdown and the notebook the same, both ways.",
        usage: "tn mirror <dir> [<options>]",
        discussion: """
            Each call is one round: what changed in the folder since the last one comes into the notebook, what changed \
            in the notebook goes into the folder. So Obsidian, vim, grep and git work on the same notes. Folders are \
            folders, titles are names of files, links and pictures work in Obsidian; tags, stars and dates stay in the \
            notebook. The first round joins both and deletes nothing. What both sides changed is merged; where that is \
            impossible, the file's text becomes a note beside the other. A note whose file was deleted goes to the \
            Trash, and the file of a note in the Trash is removed, but only if the other side is unchanged. Hidden \
            files, links, files that no note shows and files that are not UTF-8 are left alone and named. Ends with 65 \
            if a file should have been mirrored and was not. A round that was stopped is resumed by the next. A folder \
            that was mirrored once is mirrored by the window too, until --end; mirror = false below [files] of the \
            configuration turns that off. Examples:

              tn mirror ~/notes
              tn mirror ~/notes --dry-run
              tn mirror ~/notes --anew
              tn mirror ~/notes --end
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: ArgumentHelp("The folder, created if needed.", valueName: "dir"), completion: .directory)
    var folder: String
    @Flag(help: "Only print what would be done.")
    var dryRun = false
    @Flag(help: "Join both anew and delete nothing, as a first round does.")
    var anew = false
    @Flag(help: "Delete on the other side what is gone here, even if that is most or all of it.")
    var delete = false

    @Flag(help: "Stop mirroring the folder; its files and the notes stay.")
    var end = false
    @Option(help: .hidden)
    var wait = 0

    func validate() throws {
        if anew, delete { throw ValidationError.anewOrDelete }
        if end, anew || delete || dryRun { throw ValidationError.onlyEnd }
        if wait < 0 { throw ValidationError.waitTakesSeconds }
    }

    func run() throws {
        let notebook = try options.open()
        if end { return try end(in: notebook) }
        StartupInterrupt.say(Texts.nothingMirrored)
        let stop = StopSignal()
        var options = MirrorOptions()
        options.isDry = dryRun
        options.isAnew = anew
        options.meansIt = delete
        // A window that was left asks for the last round, and its folder must be there still.
        if wait > 0 { options.occasion = .continued }
        options.goesOn = { !stop.isRaised }
        let report: MirrorReport
        do {
            report = try round(of: notebook, options)
        } catch {
            if case .store(.interrupted) = error, stop.isRaised { throw Failure.mirrorStopped }
            if case .store(.cannotCreate) = error { throw Failure.exportFolder(folder) }
            throw Failure(error)
        }
        if dryRun { try list(report) }
        for path in report.conflicts { StandardError.notice(MirrorReport.conflictSentence(path)) }
        for left in report.leftAlone { StandardError.notice(left.sentence) }
        if report.wasStopped { throw Failure.mirrorStopped }
        let sum = Texts.mirrored(report, isDry: dryRun)
        try dryRun ? StandardOutput.write(line: sum) : StandardOutput.write(line: sum, after: Texts.done)
        if report.leftAlone.contains(where: \.reason.isFailure) { throw ExitCode(Failure.Status.badData.rawValue) }
    }

    /// Runs a round, after that of another program if it ends within the seconds of `--wait`.
    private func round(of notebook: Notebook, _ options: MirrorOptions) throws(MirrorError) -> MirrorReport {
        let end = ContinuousClock.now + .seconds(wait)
        while true {
            do throws(MirrorError) {
                return try notebook.transfer.mirror(at: folder, options)
            } catch {
                guard case .busy = error, ContinuousClock.now < end else { throw error }
                usleep(100_000)
            }
        }
    }

    private func end(in notebook: Notebook) throws {
        do {
            guard try notebook.transfer.endMirror(at: folder) else {
                throw Failure(Texts.notMirrored(folder), status: .noInput)
            }
        } catch let error as MirrorError {
            throw Failure(error)
        }
        try StandardOutput.write(name: Texts.mirrorEnded(folder))
    }

    private func list(_ report: MirrorReport) throws {
        var table = Table(.plain, .dim)
        for (word, paths) in Texts.mirrorActions(report) {
            for path in paths { table.add(path, word) }
        }
        try table.write()
    }
}

extension Failure {
    init(_ error: MirrorError) {
        switch error {
        case .store(let error): self.init(error as any Error)
        case .overlaps, .system: self.init(error.sentence, status: .usage)
        case .gone, .exchanged: self.init(error.sentence, status: .noInput)
        case .emptied, .removesMany: self.init(error.sentence, status: .badData)
        case .busy, .gitIsAtWork: self.init(error.sentence, status: .busy)
        }
    }
}
