import Foundation
import Interface
import NoteStore

/// Determines the notebook's file for a command.
enum NotebookPath {
    /// The file named by the command line, else by the environment, else the default location by the XDG rules.
    ///
    /// It expands `~` itself, because a shell does not expand the one in `--database=~/notes.sqlite`, which would then
    /// name a folder `~`.
    static func chosen(_ database: String?) -> String {
        let path = database ?? Notebook.defaultPath()
        guard path == "~" || path.hasPrefix("~/"), let home = Configuration.processEnvironment["HOME"], !home.isEmpty
        else { return path }
        return home + path.dropFirst()
    }
}

extension String {
    /// Whether there is a folder at this path.
    var isFolder: Bool {
        var facts = stat()
        return stat(self, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }
}
