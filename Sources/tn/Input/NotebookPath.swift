import Foundation
import Interface
import NoteStore

/// The file of the notebook that a command works on.
enum NotebookPath {
    /// The file that the command line names, else that of the environment, else the place of the XDG rules.
    ///
    /// A shell leaves the `~` of `--database=~/notes.sqlite` alone: it would name a folder `~` here.
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
