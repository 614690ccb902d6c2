import Foundation
import TerminalDriver
import Testing

/// Tests Tab completion in real shells.
@Suite(.serialized)
struct CommandLineCompletionTests {
    let workplace: Workplace
    let terminal: TmuxTerminal

    init() throws {
        workplace = try Workplace()
        terminal = try TmuxTerminal(workplace, columns: 100, rows: 20)
        let tn = Workplace.program
        let script = """
            set -e; cd '\(workplace.folder.path)'; mkdir bin; ln -s '\(tn)' bin/tn; PATH=$PWD/bin:$PATH
            tn folder add 'My Work'; tn folder add 'My Work/Talks: 2026'; tn project add 'Sea Poems' --type poetry
            tn --new --tag 'to read' --tag books Reading list
            tn --new --title 'It'\\''s $HOME: "a" (test) a=b@c'
            tn --new --title '$(touch run) `touch run`' x
            tn --new Recipe; tn trash Recipe; tn folder add Old; tn folder delete Old
            tn --database other.sqlite --new Elsewhere
            printf '%%PDF' > 'my paper.pdf'; tn file add 'my paper.pdf'
            tn --generate-completion-script bash >tn.bash
            tn --generate-completion-script zsh >_tn
            tn --generate-completion-script fish >tn.fish
            """
        let result = try workplace.run("/bin/sh", ["-c", script])
        try #require(result.status == 0, "\(result.error)")
    }

    /// Typed lines, and the result of a Tab after them in bash and zsh.
    private static let lines: [(typed: String, bash: String, zsh: String)] = [
        ("tn sea", "tn search", "tn search"),
        ("tn --n", "tn --new", "tn --new"),
        ("tn folder ren", "tn folder rename", "tn folder rename"),
        ("tn status in", "tn status inbox", "tn status inbox"),
        ("tn help sea", "tn help search", "tn help search"),
        ("tn help folder ren", "tn help folder rename", "tn help folder rename"),
        ("tn show Read", #"tn show Reading\ list"#, #"tn show Reading\ list"#),
        (#"tn show Reading\ l"#, #"tn show Reading\ list"#, #"tn show Reading\ list"#),
        (#"tn show "Read"#, #"tn show "Reading list""#, #"tn show "Reading list""#),
        ("tn move x --to My", #"tn move x --to My\ Work"#, #"tn move x --to My\ Work"#),
        (
            #"tn --new --folder My\ Work/"#, #"tn --new --folder My\ Work/Talks\:\ 2026"#,
            #"tn --new --folder My\ Work/Talks:\ 2026"#
        ),
        ("tn list --tag to", #"tn list --tag to\ read"#, #"tn list --tag to\ read"#),
        ("tn --new --tag bo", "tn --new --tag books", "tn --new --tag books"),
        ("tn tags delete bo", "tn tags delete books", "tn tags delete books"),
        ("tn project rename S", #"tn project rename Sea\ Poems"#, #"tn project rename Sea\ Poems"#),
        ("tn restore Re", "tn restore Recipe", "tn restore Recipe"),
        ("tn restore O", "tn restore Old", "tn restore Old"),
        ("tn --database other.sqlite show E", "tn --database other.sqlite show Elsewhere", ""),
        ("tn show --database other.sqlite E", "", "tn show --database other.sqlite Elsewhere"),
        ("tn show --database ~/other.sqlite E", "tn show --database ~/other.sqlite Elsewhere", ""),
        ("tn file show my", #"tn file show my\ paper.pdf"#, #"tn file show my\ paper.pdf"#),
        (
            "tn show It", #"tn show It\'s\ \$HOME\:\ \"a\"\ \(test\)\ a\=b\@c"#,
            #"tn show It\'s\ \$HOME:\ \"a\"\ \(test\)\ a=b@c"#
        ),
        (
            #"tn show \$"#, #"tn show \$\(touch\ run\)\ \`touch\ run\`"#,
            #"tn show \$\(touch\ run\)\ \`touch\ run\`"#
        ),
    ]

    @Test func `bash completes commands, notes, folders and tags`() throws {
        try terminal.enter("cd '\(workplace.folder.path)'; PATH=$PWD/bin:$PATH; source tn.bash; clear; echo ready")
        try terminal.waitFor("ready") { $0.contains("ready") }
        for line in Self.lines where !line.bash.isEmpty { try check(line.typed, line.bash) }
        try expectThatNothingRan()
    }

    @Test func `zsh completes commands, notes, folders and tags`() throws {
        try terminal.enter("cd '\(workplace.folder.path)'; PATH=$PWD/bin:$PATH PS1='shell> ' zsh -f")
        try terminal.enter("fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; clear; echo ready")
        try terminal.waitFor("ready") { $0.contains("ready") }
        for line in Self.lines where !line.zsh.isEmpty { try check(line.typed, line.zsh) }
        try expectThatNothingRan()
    }

    @Test func `fish completes commands, notes, folders and tags`() throws {
        try terminal.enter("cd '\(workplace.folder.path)'; PATH=$PWD/bin:$PATH fish --no-config")
        try terminal.enter("function fish_prompt; echo -n 'shell> '; end; source tn.fish; clear; echo ready")
        try terminal.waitFor("ready") { $0.contains("ready") }
        // If there are several matches, fish inserts their common prefix and lists them.
        let lines = Self.lines.filter { !$0.zsh.isEmpty && !$0.typed.contains("folder My") }
        // A backtick has no special meaning in fish.
        for line in lines { try check(line.typed, line.zsh.replacing(#"\`"#, with: "`")) }
        try expectThatNothingRan()
    }

    /// Types a line, presses Tab, and waits for the expected line.
    private func check(_ typed: String, _ expected: String) throws {
        try terminal.press("C-l")
        try terminal.type(typed)
        try terminal.press("Tab")
        try terminal.waitFor("“\(expected)” behind “\(typed)”") { $0.contains("shell> " + expected) }
        try terminal.press("C-u")
    }

    /// Checks that no title was run as a command.
    private func expectThatNothingRan() throws {
        #expect(!FileManager.default.fileExists(atPath: workplace.folder.appending(path: "run").path))
    }
}
