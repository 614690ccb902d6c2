import Foundation
import Interface
import NoteStore
import SystemPackage

/// Determines the notebook's file for a command.
enum NotebookPath {
    /// Returns the path of the notebook's file.
    ///
    /// The command line names the file or the notebook, else the environment, else the configuration; otherwise it is
    /// at the default location by the XDG rules.
    ///
    /// The function expands `~` itself, because a shell does not expand the one in `--database=~/notes.sqlite`, which
    /// would then name a folder `~`.
    static func chosen(_ database: String?, named name: String?) -> String {
        let environment = Configuration.processEnvironment["TAKENOTE_DATABASE"]
        if database == nil, let name = name ?? (environment?.isEmpty == false ? nil : configuredName()) {
            return NamedNotebooks.path(of: name)
        }
        let path = database ?? Notebook.defaultPath()
        guard path == "~" || path.hasPrefix("~/") else { return path }
        return HomeFolder.path() + path.dropFirst()
    }

    /// The reason why there is no notebook where the configuration says; nil if there is one, or if it says nothing.
    static var problemOfSetting: Failure? {
        guard let name = configuredName() else { return nil }
        do {
            try NamedNotebooks.check(Notebook.resolved(NamedNotebooks.path(of: name)))
            return nil
        } catch {
            return Failure(error)
        }
    }

    /// Returns the name of the notebook in the configuration; nil for the default one.
    ///
    /// The file is parsed as TOML only if one of its first lines sets a name, since every command does this.
    static func configuredName() -> String? {
        guard let bytes = Configuration.bytesOfUserFile() else { return nil }
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
