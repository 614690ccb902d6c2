import Foundation
import Interface
import NoteStore

/// The manual page tn(1), generated from the program's own tables: commands with their options, and keys.
@MainActor
struct ManualPage {
    let text: String

    init() {
        guard let root = ParserDescription.commands else {
            preconditionFailure("The parser's description of the commands has another shape than this version knows.")
        }
        var page = MdocText()
        page.add(
            ".Dd \(Self.today)\n.Dt TN 1\n.Os\n.Sh NAME\n.Nm tn\n.Nd a Markdown notebook that lives in the terminal")
        page.add(".Sh SYNOPSIS\n.Nm\n.Op Ar command\n.Nm\n.Fl -new\n.Op Ar text ...\n.Nm\n.Ar takenote://note/UUID")
        page.add(".Sh DESCRIPTION")
        page.add(prose: root.discussion ?? "")
        page.add(".Sh COMMANDS")
        for command in root.subcommands ?? [] where command.shouldDisplay != false && command.commandName != "help" {
            Self.add(command, [], to: &page)
        }
        Self.addKeys(to: &page)
        page.add(Self.ending)
        text = page.text
    }

    private static func add(_ command: ParserDescription.Command, _ above: [String], to page: inout MdocText) {
        let names = above + [command.commandName]
        page.add(".Ss " + MdocText.escaped((["tn"] + names).joined(separator: " ")))
        page.add(prose: (command.abstract ?? "") + "\n\n" + (command.discussion ?? ""))
        let arguments = (command.arguments ?? []).filter { $0.shouldDisplay && !isCommon($0) }
        if !arguments.isEmpty {
            page.add(".Bl -tag -width Ds")
            for argument in arguments {
                page.add(item(argument))
                page.add(prose: argument.abstract ?? "")
            }
            page.add(".El")
        }
        for part in command.subcommands ?? [] where part.commandName != "help" { add(part, names, to: &page) }
    }

    private static func isCommon(_ argument: ParserDescription.Argument) -> Bool {
        ["help", "version", "database", "n"].contains(argument.preferredName?.name ?? "")
    }

    private static func item(_ argument: ParserDescription.Argument) -> String {
        let value = MdocText.escaped(argument.valueName ?? "")
        guard argument.kind != "positional", let name = argument.preferredName else {
            return ".It Ar \(value)\(argument.isRepeating ? " ..." : "")"
        }
        let flag = name.kind == "short" ? name.name : "-" + name.name
        return ".It Fl \(MdocText.escaped(flag))" + (argument.kind == "flag" ? "" : " Ar \(value)")
    }

    private static func addKeys(to page: inout MdocText) {
        page.add(".Sh KEYS")
        page.add(prose: "The keys in the notebook, unless config.toml changes them:")
        for section in CommandRegistry.standard.sections({ $0.defaultKeys }) {
            let bound = section.entries.filter { !$0.keys.isEmpty }
            guard !bound.isEmpty else { continue }
            page.add(".Ss " + MdocText.escaped(section.topic.heading))
            page.add(".Bl -tag -width Ds")
            for entry in bound {
                page.add(".It " + entry.keys.map { "Ic " + MdocText.quoted($0.description) }.joined(separator: " , "))
                page.add(prose: entry.title)
            }
            page.add(".El")
        }
    }

    private static var today: String {
        let today = Day(Date())
        return "\(Day.months[today.month - 1]) \(today.day), \(today.year)"
    }

    private static let ending = """
        .Sh ENVIRONMENT
        .Bl -tag -width Ds
        .It Ev TAKENOTE_DATABASE
        The notebook's file.
        .It Ev TAKENOTE_THEME
        The theme, whatever the configuration says.
        .It Ev TAKENOTE_PASSPHRASE
        The passphrase of an encrypted repository.
        .It Ev VISUAL , Ev EDITOR
        The editor for
        .Ic tn edit
        and
        .Ic tn --new .
        .It Ev NO_COLOR
        If not empty, nothing is coloured.
        .It Ev TN_LOW_BANDWIDTH
        If not empty and not 0, mere decoration is left out, for a slow line.
        .It Ev TN_ESCAPE_MS
        Milliseconds that a key beginning with Escape may take: 25, and 50 over
        .Xr ssh 1 .
        .It Ev TN_READER
        If not empty and not 0, the notebook is shown for a screen reader, as
        .Fl -reader
        does.
        .It Ev TN_MOUSE
        If 0, the mouse is left to the terminal.
        .It Ev XDG_DATA_HOME , Ev XDG_CONFIG_HOME , Ev XDG_STATE_HOME
        Where the files are.
        .El
        .Sh FILES
        .Bl -tag -width Ds
        .It Pa ~/.local/share/takenote/notes.sqlite
        The notebook, one SQLite file; backups are beside it.
        .It Pa ~/.config/takenote/config.toml
        The configuration;
        .Ic tn config --default
        prints it with every setting.
        .It Pa ~/.local/state/takenote/
        Window, log, drafts and
        .Pa snapshot.json .
        .El
        .Sh EXIT STATUS
        .Bl -tag -width Ds
        .It 0
        Done.
        .It 1
        Nothing was found.
        .It 64
        Wrong usage.
        .It 65
        Bad data; also an import that had to skip something.
        .It 66
        There is no such note or file.
        .It 69
        The repository of a synchronisation cannot be reached, or no model answers.
        .It 70
        An error in the program.
        .It 73
        A file cannot be created.
        .It 74
        Reading or writing failed.
        .It 75
        The notebook is busy.
        .It 77
        The repository refuses access, or a note may not be sent to a model.
        .It 128+n
        Ended by signal n.
        .El
        """
}
