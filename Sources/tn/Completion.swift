import ArgumentParser
import NoteStore

/// Names out of the notebook for the shell's completion.
extension CompletionKind {
    /// Titles, at most `completionLimit`.
    static var notes: CompletionKind {
        .custom { _, _, prefix in
            names { try $0.notes(titleBeginning: prefix, limit: completionLimit).map(\.title) }
        }
    }

    /// Paths of folders and projects.
    static var folders: CompletionKind {
        .custom { _, _, _ in
            names { notebook in
                let containers = try notebook.containers()
                let path = NoteOutput.paths(containers)
                return containers.filter { $0.place == .live && ($0.isFolder || $0.isProject || $0.isInbox) }
                    .map { path($0.id) }
            }
        }
    }

    static var tags: CompletionKind {
        .custom { _, _, _ in names { try $0.containers().filter(\.isTag).map(\.name) } }
    }

    static var projects: CompletionKind {
        .custom { _, _, _ in
            names { try $0.containers().filter { $0.isProject && $0.place == .live }.map(\.name) }
        }
    }

    /// As many as a person looks through.
    private static var completionLimit: Int { 50 }

    /// Reads names out of the notebook, which is neither made nor changed; none if it cannot be read.
    private static func names(_ read: (Notebook) throws -> [String]) -> [String] {
        do {
            let options = Notebook.Options(recoversSessions: false, readOnly: true)
            let notebook = try Notebook.open(Notebook.defaultPath(), mode: .command, options: options)
            return try read(notebook).map(\.visible)
        } catch {
            // An error message has no place in a line that is being typed.
            return []
        }
    }
}
