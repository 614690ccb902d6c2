import ArgumentParser
import Foundation
import Intelligence
import Interface
import NoteStore
import Synchronization

/// The command `tn ai index`: makes vectors of the notes, for a search by meaning.
struct ModelIndex: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Turn the notes into vectors, so that tn ask and tn related search by meaning.",
        discussion: """
            Sends the passages that have no vector yet to the provider of ai.embed. It says first how many they are, \
            and asks if the provider is not on this machine. Ctrl-C keeps the vectors so far, and the next run \
            continues. Vectors of texts that are gone, or may not be sent any more, are removed. The vectors are in a \
            file beside the notebook that only you can read, and backups leave it out. Examples:

              tn ai index
              tn ai index --remove
            """)

    @OptionGroup var options: NotebookOptions
    @Flag(help: "Remove all vectors; sends nothing.")
    var remove = false
    @OptionGroup var consent: ConsentOptions

    func run() throws {
        let notebook = try options.open()
        if remove { return try VectorFile(of: notebook, model: "").remove() }
        let access = try ModelAccess.embedding(notebook, consent)
        let index = MeaningIndex(access.notes, provider: access.provider)
        let plan = try index.plan()
        var run = EmbeddingRun(access.provider, environment: Configuration.processEnvironment, stop: access.stop)
        let hasSaid = Atomic<Bool>(false)
        // Each request of a large notebook may have to wait, and the reason is the same.
        run.willPause = { reason in if !hasSaid.exchange(true, ordering: .relaxed) { Progress.say(reason) } }
        if consent.showPrompt {
            for text in index.requests(for: plan, run) { try StandardOutput.write(text: text + "\n") }
            return
        }
        let missing = plan.missing.count
        if missing > 0 {
            let what = Texts.toEmbed(missing, ofNotes: plan.notes)
            StandardError.notice(Texts.embedding(what, tokens: plan.tokens, kept: plan.kept))
            try access.require(what, index.requests(for: plan, run))
        }
        defer { Progress.clear() }
        let count = try index.build(plan, run) { Progress.show($0, of: missing) }
        Progress.clear()
        try StandardOutput.write(line: Texts.foundByMeaning(count))
    }
}
