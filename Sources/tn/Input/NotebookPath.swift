import Foundation
import Interface
import NoteStore
import SystemPackage

/// Determines the notebook's file for a command.
enum NotebookPath {
    /// The file or notebook named by the command line, else by the environment, else by the configuration, else the
    /// default location by the XDG rules.
    ///
    /// It expands `~` itself, because a shell does not expand the one in `--database=~/notes.sqlite`, which would then
    /// name a folder `~`.
    static func chosen(_ database: String?, named name: String?) -> String {
        let environment = Configuration.processEnvironment["TAKENOTE_DATABASE"]
        if database == nil, let name = name ?? (environment?.isEmpty == false ? nil : configuredName()) {
            return NamedNotebooks.path(of: name)
        }
        let path = database ?? Notebook.defaultPath()
        guard path == "~" || path.hasPrefix("~/"), let home = Configuration.processEnvironment["HOME"], !home.isEmpty
        else { return path }
        return home + path.dropFirst()
    }

    /// The notebook that the configuration names; nil for the default one.
    ///
    /// The file is read as TOML only if one of its first lines sets a name, since this is on the way of every command.
    private static func configuredName() -> String? {
        // Without the file, or with one that cannot be read, the default holds; `tn config` tells.
        guard let bytes = try? PrivateFile.read(FilePath(Configuration.file())) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let isNamed = text.split(whereSeparator: \.isNewline).lazy.map { $0.drop(while: \.isWhitespace) }
            .prefix { $0.first != "[" }
            .contains { line in ["notebook", "\"notebook", "'notebook"].contains { line.hasPrefix($0) } }
        guard isNamed else { return nil }
        let name = Configuration.read(text).configuration.notebook
        return name.isEmpty ? nil : name
    }
}

extension String {
    /// Whether there is a folder at this path.
    var isFolder: Bool {
        var facts = stat()
        return stat(self, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }
}
