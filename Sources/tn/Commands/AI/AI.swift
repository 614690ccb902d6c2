import ArgumentParser
import Foundation
import Intelligence
import Interface
import NoteStore
import Processes
import Synchronization

/// The command `tn ai`: shows, tests and restricts the configured models.
struct AI: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ai",
        abstract: "Show the configured model and what it may see, or test it.",
        discussion: """
            Examples:

              tn ai status
              tn ai test
              tn ai index
              tn ai privacy Journal never
            """,
        subcommands: [ModelStatus.self, ModelTest.self, ModelIndex.self, ModelPrivacy.self],
        defaultSubcommand: ModelStatus.self)
}

/// The command `tn ai status`: shows the configured models; it sends nothing.
struct ModelStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the providers and the number of notes they may see; sends nothing.",
        discussion: """
            Example:

              tn ai status
            """)

    @OptionGroup var options: NotebookOptions

    func run() throws {
        let notebook = try options.open()
        let reading = Configuration.readFromUser()
        let settings = reading.configuration.intelligence
        if let problem = settings.problem ?? (reading.isReadable ? nil : reading.problems.notice) {
            StandardError.notice(problem)
        } else {
            for provider in [settings.chatProvider, settings.embedProvider] {
                do throws(ModelFailure) {
                    _ = try provider()
                } catch {
                    StandardError.notice(error.sentence)
                }
            }
        }
        var table = Table(.bold, .plain, wraps: true)
        table.add("chat", settings.chat.isEmpty ? Texts.noChat(isAllOff: settings.embed.isEmpty) : settings.chat)
        if !settings.embed.isEmpty { table.add("vectors", Texts.embeddingProvider(settings.embed)) }
        if settings.summaries != .off { table.add("summaries", settings.summaries.rawValue) }
        for provider in settings.providers {
            let rule = settings.rule(for: provider)
            let count = try notebook.retrieval.sendable(for: rule).count()
            table.add(provider.name, Texts.provider(provider, seeing: count))
        }
        for name in settings.neverSend {
            let isThere =
                try name.hasPrefix("#")
                ? notebook.tags.find(named: name) != nil : notebook.retrieval.hasContainer(named: name)
            table.add("never sent", isThere ? name : Texts.neverSentButMissing(name))
        }
        try table.write()
    }
}

/// The command `tn ai test`: asks the model one short question.
struct ModelTest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Ask the model for one word, and say how long it took; no note is sent.",
        discussion: """
            Example:

              tn ai test
            """)

    @OptionGroup var options: NotebookOptions
    @OptionGroup var consent: ConsentOptions

    func run() throws {
        let access = try ModelAccess.required(try options.open(), consent)
        if consent.showPrompt { return try access.show([Prompts.test]) }
        try access.require(Texts.testSentence, [Prompts.test])
        let start = ContinuousClock.now
        let first = Mutex(ContinuousClock.Instant?.none)
        let answer = try access.run.answer(to: Prompts.test) { _ in first.withLock { $0 = $0 ?? .now } }
        let (began, ended) = (first.withLock { $0 } ?? .now, ContinuousClock.now)
        let said = answer.text.prefix(60).visibleLine
        try StandardOutput.write(
            line: Texts.tested(access.provider, said: said, firstWord: began - start, all: ended - start))
    }
}

/// The command `tn ai privacy`: shows or sets which models may see a note or a folder.
struct ModelPrivacy: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "privacy",
        abstract: "Show or set which models may see a note, a folder or a tag.",
        discussion: """
            The strictest level of a note, its tags and all its parent folders applies. Levels are not synchronised: set \
            them on each machine. Examples:

              tn ai privacy "Letter to Ana" never
              tn ai privacy --folder Work/Clients this-machine
              tn ai privacy --tag private never
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: "The note, or with --folder a path and with --tag a tag.", completion: .notes)
    var name: String
    @Argument(help: "inherit, this-machine or never; without it the level is shown.")
    var level: String?
    @Flag(help: "The name is the path of a folder.")
    var folder = false
    @Flag(help: "The name is a tag.")
    var tag = false

    func validate() throws {
        if folder, tag { throw ValidationError.folderOrTag }
        if let level, PrivacyLevel(rawValue: level) == nil { throw ValidationError.privacyLevel }
    }

    func run() throws {
        let notebook = try options.open()
        let retrieval = notebook.retrieval
        let level = level.flatMap(PrivacyLevel.init(rawValue:))
        if folder || tag {
            let id = try folder ? notebook.containers.resolve(path: name).id : notebook.tags.existing(name).id
            if let level { return try set(level, notebook) { try retrieval.setPrivacy(level, of: id) } }
            try StandardOutput.write(line: try retrieval.privacy(of: id).rawValue)
        } else {
            let id = try notebook.notes.resolve(reference: name).id
            if let level { return try set(level, notebook) { try retrieval.setPrivacy(level, of: id) } }
            try StandardOutput.write(line: try retrieval.privacy(of: id).rawValue)
        }
    }

    /// Sets a level, and says where it does not hold.
    private func set(_ level: PrivacyLevel, _ notebook: Notebook, _ write: () throws -> Void) throws {
        try write()
        if level != .inherit, try notebook.settings.value(Notebook.Sync.Key.url) != nil {
            StandardError.notice(Texts.privacyIsLocal)
        }
    }
}

extension Substring {
    /// The text on one line, with visible control characters.
    fileprivate var visibleLine: String { split(whereSeparator: \.isNewline).joined(separator: " ").visible }
}
