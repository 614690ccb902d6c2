import ArgumentParser
import NoteStore

/// Names from the notebook for the shell's completion.
extension CompletionKind {
    /// Titles of notes, at most `completionLimit`.
    static var notes: CompletionKind {
        .custom { words, _, prefix in
            names(words) { try $0.links.notes(titleBeginning: prefix, limit: completionLimit).map(\.title) }
        }
    }

    /// Paths of folders and projects.
    static var folders: CompletionKind {
        .custom { words, _, _ in
            names(words) { notebook in
                let containers = try notebook.containers.all()
                let path = NoteOutput.paths(containers)
                return containers.filter { $0.place == .live && ($0.isFolder || $0.isProject || $0.isInbox) }
                    .map { path($0.id) }
            }
        }
    }

    /// Names of notebooks.
    static var notebooks: CompletionKind { .custom { _, _, _ in NamedNotebooks.names() } }

    static var tags: CompletionKind {
        .custom { words, _, _ in names(words) { try $0.containers.all().filter(\.isTag).map(\.name) } }
    }

    /// Names of the files that notes refer to.
    static var attachments: CompletionKind {
        .custom { words, _, _ in names(words) { try $0.attachments.all().map(\.name) } }
    }

    static var projects: CompletionKind {
        .custom { words, _, _ in
            names(words) { try $0.containers.all().filter { $0.isProject && $0.place == .live }.map(\.name) }
        }
    }

    /// The contents of the Trash: titles of notes, then paths of folders and projects below it.
    static var trashed: CompletionKind {
        .custom { words, _, _ in
            names(words) { notebook in
                let query = ListQuery(container: .trash)
                let titles = try notebook.lists.rows(query, from: .start, limit: completionLimit).map(\.title)
                let containers = try notebook.containers.all()
                let path = NoteOutput.paths(containers)
                let trash = path(.trash) + "/"
                return titles
                    + containers.map { path($0.id) }.filter { $0.hasPrefix(trash) }.map { $0.dropFirst(trash.count) }
                    .map(String.init)
            }
        }
    }

    /// The maximum number of suggested titles, about as many as a person reads.
    private static var completionLimit: Int { 50 }

    /// Reads names from the notebook that the command line selects; none if it cannot be read.
    ///
    /// The notebook is neither created nor changed.
    private static func names(_ words: [String], _ read: (Notebook) throws -> [String]) -> [String] {
        do {
            let options = Notebook.Options(recoversSessions: false, readOnly: true)
            let notebook = try Notebook.open(database(in: words), mode: .command, options: options)
            let names = try read(notebook).map(\.visible)
            // zsh reads the text after a colon as a description.
            guard CompletionShell.requesting == .zsh else { return names }
            return names.map { $0.replacing("\\", with: "\\\\").replacing(":", with: "\\:") }
        } catch {
            // An error message would disturb the command line that the user is typing.
            return []
        }
    }

    private static func database(in words: [String]) -> String {
        for (word, next) in zip(words, words.dropFirst() + [""]) {
            if word == "--database", !next.isEmpty { return NotebookPath.chosen(next, named: nil) }
            if word == "-n", !next.isEmpty { return NotebookPath.chosen(nil, named: next) }
            if word.hasPrefix("--database=") {
                return NotebookPath.chosen(String(word.dropFirst("--database=".count)), named: nil)
            }
        }
        return NotebookPath.chosen(nil, named: nil)
    }
}
