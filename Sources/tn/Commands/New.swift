import ArgumentParser
import Foundation
import NoteStore

/// Capture: the fastest way from a thought to a note.
struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add a note and print its address.",
        usage: "tn --new [<options>] [<text> ...]",
        discussion: """
            The text is taken from the arguments, else from standard input; on a terminal a small composer opens, or \
            $VISUAL or $EDITOR if one is set. Examples:

              tn --new Call Ana about the stand-up
              pbpaste | tn --new --folder Clippings --tag web
              tn --new --title Plan --open -- "- [ ] first step"
              tmux popup -E tn --new
            """)

    @OptionGroup var options: NotebookOptions
    @Option(help: "The title; else it is taken from the text.")
    var title: String?
    @Option(help: ArgumentHelp("The folder to put it in; else the Inbox.", valueName: "path"), completion: .folders)
    var folder: String?
    @Option(
        name: .customLong("tag"), help: ArgumentHelp("A tag; made if it is missing. Repeatable.", valueName: "name"),
        completion: .tags)
    var tags: [String] = []
    @Flag(help: "Star the note.")
    var star = false
    @Flag(help: "Open the notebook at the new note.")
    var open = false
    @Argument(help: "The text; its words are joined by spaces.")
    var text: [String] = []

    func run() throws {
        if text.isEmpty, isatty(STDIN_FILENO) == 1 { return try compose() }
        try add(text.isEmpty ? InputText.piped() : text.joined(separator: " "))
    }

    /// Has the text written in an editor or in the composer; what was written is kept until it is a note.
    private func compose() throws {
        let draft = try Draft(database: options.path)
        var text: String?
        var status: Int32 = 0
        if let editor = EditorProgram.configured {
            try editor.edit(draft.path)
            text = try draft.text()
        } else {
            (text, status) = try MainActor.assumeIsolated { try Composer.text(draft) }
        }
        if let text { try add(text) }
        draft.remove()
        if status != 0 { throw ExitCode(status) }
    }

    private func add(_ text: String) throws {
        guard title?.isBlank == false || !text.isBlank else {
            throw Failure("the note would be empty; give its text as arguments or on standard input", status: .usage)
        }
        let notebook = try options.open()
        let row = try notebook.create(
            NewNote(
                text: text, title: title?.isBlank == false ? title : nil,
                folder: try folder.map { try notebook.placeForNotes(path: $0) } ?? .inbox,
                tags: try notebook.tags(named: tags), starred: star))
        try notebook.close()
        if open { return try FullScreen.run(options, opening: row.getURL()) }
        try StandardOutput.write(line: row.getURL())
    }
}

extension Notebook {
    /// The folder of a path, or the Inbox: where new notes can be.
    func placeForNotes(path: String) throws -> ContainerID {
        let container = try container(path: path)
        guard container.holdsNotes, container.isFolder && container.place == .live || container.isInbox else {
            throw StoreError.cannotHoldNotes(container: container.name)
        }
        return container.id
    }

    /// The tags of these names, made where they are missing.
    func tags(named names: [String]) throws -> [ContainerID] {
        try names.map { try (tag(named: $0) ?? addTag($0.hasPrefix("#") ? String($0.dropFirst()) : $0)).id }
    }
}

extension String {
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
