import NoteStore
import ViewModel

/// One setting: its name in the file, its meaning, and how it is read and written.
struct Setting: Sendable {
    /// `editor.wrap`: the table and the key.
    let name: String
    /// An explanation in sentences.
    let help: String
    /// The valid values, for a message about an invalid one: `true or false`.
    let domain: String
    /// Stores a value in the configuration; returns false if the value is invalid.
    let read: @Sendable (ConfigurationValue, inout Configuration) -> Bool
    let value: @Sendable (Configuration) -> ConfigurationValue

    /// The setting's table, empty for the top level, and its key.
    var entry: (table: String, key: String) {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : ("", name)
    }
}

extension Setting {
    typealias Path<Value> = Sendable & WritableKeyPath<Configuration, Value>

    static func flag(_ name: String, _ path: Path<Bool>, _ help: String) -> Setting {
        Setting(name: name, help: help, domain: Texts.Domain.flag) { value, configuration in
            guard case .flag(let flag) = value else { return false }
            configuration[keyPath: path] = flag
            return true
        } value: {
            .flag($0[keyPath: path])
        }
    }

    static func number(_ name: String, _ path: Path<Int>, in range: ClosedRange<Int>, _ help: String) -> Setting {
        Setting(name: name, help: help, domain: Texts.Domain.number(range)) { value, configuration in
            guard case .number(let number) = value, range.contains(number) else { return false }
            configuration[keyPath: path] = number
            return true
        } value: {
            .number($0[keyPath: path])
        }
    }

    /// A number that may be absent, which the file writes as 0.
    static func number(
        _ name: String, orNone path: Path<Int?>, in range: ClosedRange<Int>, _ help: String
    ) -> Setting {
        Setting(name: name, help: help, domain: Texts.Domain.numberOrNone(range)) { value, configuration in
            guard case .number(let number) = value, number == 0 || range.contains(number) else { return false }
            configuration[keyPath: path] = number == 0 ? nil : number
            return true
        } value: {
            .number($0[keyPath: path] ?? 0)
        }
    }

    static func text(_ name: String, _ path: Path<String>, _ help: String) -> Setting {
        Setting(name: name, help: help, domain: Texts.Domain.text) { value, configuration in
            guard case .text(let text) = value, !text.contains(where: \.isNewline) else { return false }
            configuration[keyPath: path] = text
            return true
        } value: {
            .text($0[keyPath: path])
        }
    }

    static func texts(_ name: String, _ path: Path<[String]>, _ help: String) -> Setting {
        Setting(name: name, help: help, domain: Texts.Domain.texts) { value, configuration in
            guard case .list(let values) = value else { return false }
            let texts = values.compactMap { value -> String? in
                if case .text(let text) = value { return text }
                return nil
            }
            guard texts.count == values.count else { return false }
            configuration[keyPath: path] = texts
            return true
        } value: {
            .list($0[keyPath: path].map { .text($0) })
        }
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: Path<Choice>, _ help: String
    ) -> Setting {
        let domain = Texts.Domain.choice(Choice.allCases.map(\.rawValue))
        return Setting(name: name, help: help, domain: domain) { value, configuration in
            guard case .text(let text) = value, let choice = Choice(rawValue: text) else { return false }
            configuration[keyPath: path] = choice
            return true
        } value: {
            .text($0[keyPath: path].rawValue)
        }
    }
}

extension Setting {
    /// All settings except the keys, in the order of the documented default.
    static let all: [Setting] = [
        text(
            "theme", \.theme,
            """
            "auto" follows the terminal's background; else "dark", "light", "high-contrast", "high-contrast-light",
            "terminal" (its own sixteen colours), "monochrome", or the name of a file in themes/ beside this one, without
            .toml.
            """),
        text(
            "notebook", \.notebook,
            """
            The notebook that is used when none is named: "" for the default one, else a name that tn notebooks lists.
            """),
        flag(
            "editor.wrap", \.editor.wrap,
            "Wrap long lines; otherwise each line is one row and the text scrolls sideways."),
        text(
            "editor.spelling", \.spelling,
            """
            The language in which words are checked by hunspell or aspell: "en_US", "de", … A note that names another one in
            its front matter (lang: fr) is checked in that. Empty checks nothing, and starts no program.
            """),
        flag("editor.line-numbers", \.editor.lineNumbers, "Show the number of each line in front of it."),
        number(
            "editor.readable-width", orNone: \.editor.readableWidth, in: 20...1_000,
            "The widest line of prose, in cells, however wide the terminal is; 0 for the width of the pane."),
        number("editor.tab-width", \.editor.tabWidth, in: 1...16, "The distance between tab stops, in cells."),
        flag("editor.soft-tabs", \.editor.softTabs, "Tab types spaces up to the next tab stop."),
        flag("editor.auto-pairs", \.editor.autoPairs, "Typing an opening bracket or quote adds the closing one."),
        number(
            "editor.scroll-margin", \.editor.scrollMargin, in: 0...50,
            "Rows kept visible above and below the caret."),
        choice(
            "editor.quotes", \.editor.quotes,
            """
            The quotation marks that " and ' type in prose: "straight", or those of "english", "german", "french", "swiss"
            or "swedish". Code, links and tags keep the straight ones.
            """),
        flag(
            "editor.writing-mode", \.editor.isWritingMode,
            "The caret's row stays in the middle of the screen, and all but its paragraph is dim."),
        number(
            "editor.word-goal", orNone: \.editor.wordGoal, in: 1...1_000_000,
            "The number of words that a note is to have; the status line counts up to it. 0 for no goal."),
        choice(
            "editor.link-style", \.editor.linkStyle,
            """
            How a note that is chosen after `[[` is linked: "title" for [[Title]], "address" for
            [Title](takenote://note/UUID), which stays right whatever the note is called.
            """),
        choice(
            "editor.keys", \.editor.keys,
            """
            Whose keys the editor has: "plain", or "vim": modes, operators, registers, macros, and commands after a
            colon. Resources/VIM.md lists them.
            """),
        flag(
            "editor.vim-rows", \.editor.vimMovesByRows,
            "Vim's j and k without a count go by rows of the screen; otherwise by lines."),
        choice(
            "screen.glyphs", \.screen.glyphs,
            """
            Frames, marks and symbols: "unicode", "ascii", "nerd-font" (which needs such a font), or "auto": Unicode
            where the terminal can show it.
            """),
        flag(
            "screen.reduced-motion", \.screen.reducesMotion,
            """
            Nothing moves by itself: what is said stays until the next key, no bar grows, and no theme blinks. The
            caret never blinks, and the text scrolls in one step either way.
            """),
        flag(
            "screen.reader", \.screen.isReader,
            """
            For a screen reader, as tn --reader does: one pane at a time, a line for each note with its state in words,
            no frames, hints and counts, and a cursor that is seen and stands on what the next key acts on.
            """),
        choice(
            "screen.ambiguous-width", \.screen.ambiguousWidth,
            """
            The width of characters that East Asian fonts draw wide and others narrow: "narrow", "wide", or "auto":
            as the terminal measures it.
            """),
        number(
            "screen.escape-timeout", \.screen.escapeTimeout, in: 0...2_000,
            "Milliseconds after Esc in which the rest of a key may come; 0 for 25, or 50 over SSH."),
        flag(
            "screen.low-bandwidth", \.screen.isLowBandwidth,
            "Omit decoration on a slow line: hyperlinks, underline shapes, 24-bit colours."),
        text(
            "new.editor", \.editorProgram,
            """
            The program for `tn --new` without a text, `tn edit` and the command "Edit in $EDITOR"; empty for $VISUAL,
            then $EDITOR, then the small composer of `tn --new`.
            """),
        text(
            "daily.folder", \.daily.folder,
            "The folder of the day's note (`tn today`), as a path: \"Journal/Days\"; empty for the Inbox."),
        text(
            "daily.title", \.daily.title,
            "The title of the day's note; strftime fills in the date: %Y year, %m month, %d day, %A weekday."),
        number(
            "files.largest", \.files.largest, in: 1...NoteFile.maximumLimit / 1_000_000,
            """
            The largest PDF, film or other file that an import and `tn file add` take into the notebook, in megabytes.
            """),
        flag(
            "files.mirror", \.files.mirror,
            """
            While the window is open, keep the folders of `tn mirror` and the notebook the same. Otherwise "Mirror folders
            now" in the palette or `tn mirror` does.
            """),
        flag(
            "sync.auto", \.sync.isAutomatic,
            """
            Once `tn sync init URL` has named the repository, the window sends and fetches by itself: at the start, after
            changes, and now and then. Otherwise "Sync now" in the palette or `tn sync` does.
            """),
        number(
            "sync.pause", \.sync.pause, in: 1...3_600,
            "Seconds without a change after which what changed is sent; five minutes at most."),
        number(
            "sync.every", \.sync.every, in: 0...1_440,
            "Minutes after which the other side is asked for news; 0 asks only when something has changed here."),
        flag(
            "sync.at-leave", \.sync.atLeave,
            "Send what is left when the window is closed, by a program that goes on for a moment without it."),
        text(
            "sync.name", \.sync.name,
            "What this machine is called in the history of the repository; empty for its host name."),
        text(
            "sync.key-command", \.sync.keyCommand,
            """
            A command that prints the passphrase of an encrypted repository, such as "pass show notes". Then the key does
            not lie beside the notebook. If this is empty, it lies there, readable to you alone.
            """),
        text(
            "ai.chat", \.intelligence.chat,
            """
            The provider that answers questions, summarises, formats and assists: the name of a table [ai.provider.NAME]
            below. Empty is off: they send nothing. Resources/PRIVACY.md tells what a provider gets to see.
              [ai.provider.local]
              url = "http://127.0.0.1:8080/v1"     any server with OpenAI's protocol: llama-server, ollama, vLLM ...
              model = ""                           its own choice
              context = 4096                       tokens that it takes in
              reasoning = 0                        tokens for what it reasons before each answer, at most half of context;
                                                   a reasoning model needs some thousands
              timeout = 120                        seconds of silence after which it is given up
              tools = true                         whether it may search the notes for more
              [ai.provider.paid]
              url = "https://api.example.com/v1"
              model = "x"
              key-command = "pass show example"    or key-env = "NAME"; a key itself has no place here
              [ai.provider.program]
              command = ["llm"]                    reads the prompt from standard input
              environment = ["NAME"]               the variables that it sees besides PATH, HOME and LANG
            """),
        text(
            "ai.embed", \.intelligence.embed,
            """
            The provider that turns questions and passages into vectors, so that what is meant alike is found too: a server
            with /embeddings, or a program that reads a list of texts as JSON and writes a list of lists of numbers. Empty
            is words only. `tn ai index` sends the notes to it, and nothing is sent before that.
            """),
        choice(
            "ai.summaries", \.intelligence.summaries,
            """
            The summaries that are made by themselves, when a note is left whose text has changed: off, extract (of the
            note's own sentences; nothing is sent), or model (by ai.chat, if it is on this machine or its table has
            automatic = true).
            """),
        texts(
            "ai.never-send", \.intelligence.neverSend,
            """
            What no model ever sees, on this machine or elsewhere: folders by name or path, with all below them, and tags:
            ["Journal", "#private"]. Trash and Archive are never sent.
            """),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    static subscript(name: String) -> Setting? { byName[name] }

    /// Returns the first setting with the same last part as an unknown name, as a guess at what was meant.
    static func nearest(to name: String) -> String? {
        let key = name.split(separator: ".").last.map(String.init) ?? name
        return all.first { $0.entry.key == key }?.name
    }
}
