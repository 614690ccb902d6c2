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
            impossible, the file's text becomes a note beside. A note whose file was deleted goes to Trash, and the file of \
            a note in Trash is removed, only if the other side is unchanged. Hidden files, links, files that no note \
            shows and what is no UTF-8 are left alone and named. Ends with 65 if a file should have been mirrored and was \
            not. A round that was stopped is resumed by the next. Examples:

              tn mirror ~/notes
              tn mirror ~/notes --dry-run
              tn mirror ~/notes --anew
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: ArgumentHelp("The folder, created if needed.", valueName: "dir"), completion: .directory)
    var folder: String
    @Flag(help: "Only print what would be done.")
    var dryRun = false
    @Flag(help: "Join both anew and delete nothing, as a first round does.")
    var anew = false
    @Flag(help: "Delete on the other side what is gone here, also if it is most or all.")
    var delete = false

    func validate() throws {
        if anew, delete { throw ValidationError(Texts.anewOrDelete) }
    }

    func run() throws {
        let notebook = try options.open()
        StartupInterrupt.say(Texts.nothingMirrored)
        let stop = StopSignal()
        var options = MirrorOptions()
        options.isDry = dryRun
        options.isAnew = anew
        options.meansIt = delete
        options.goesOn = { !stop.isRaised }
        let report: MirrorReport
        do {
            report = try notebook.transfer.mirror(at: folder, options)
        } catch {
            if case .store(.cannotCreate) = error { throw Failure.exportFolder(folder) }
            throw Failure(error)
        }
        if dryRun { try list(report) }
        for path in report.conflicts { StandardError.notice(Texts.mirrorConflict(path)) }
        for left in report.leftAlone { StandardError.notice(Texts.leftAlone(left)) }
        if report.wasStopped { throw Failure.mirrorStopped }
        try StandardOutput.write(line: Texts.mirrored(report, isDry: dryRun))
        if report.leftAlone.contains(where: \.reason.isFailure) { throw ExitCode(Failure.Status.badData.rawValue) }
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
        case .overlaps(let path, let other): self.init(Texts.mirrorOverlaps(path, other), status: .usage)
        case .gone(let path): self.init(Texts.mirrorGone(path), status: .noInput)
        case .emptied(let path, let count): self.init(Texts.mirrorEmptied(path, count), status: .badData)
        case .removesMany(let path, let count, let all):
            self.init(Texts.mirrorRemovesMany(path, count, of: all), status: .badData)
        case .busy(let path): self.init(Texts.mirrorBusy(path), status: .busy)
        case .store(let error): self.init(error as any Error)
        }
    }

    static let mirrorStopped = Failure("stopped; the next tn mirror goes on from here", status: .stopped)
}
