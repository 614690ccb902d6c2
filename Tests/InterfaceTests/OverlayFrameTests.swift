import NoteStore
import ScriptedServer
import Terminal
import TestSupport
import Testing
import TextEditing

@testable import Interface
@testable import ViewModel

/// Tests overlays that depend on a disk, a clock or a moment, at the four sizes of the layout.
@MainActor
@Suite(.serialized)
struct OverlayFrameTests {
    /// An overlay, and the steps that show it in a window.
    struct Scene: Sendable, CustomStringConvertible {
        let name: String
        let show: @MainActor @Sendable (Window) throws -> Void
        var description: String { name }

        init(_ name: String, _ show: @escaping @MainActor @Sendable (Window) throws -> Void) {
            self.name = name
            self.show = show
        }
    }

    nonisolated static let scenes = [
        Scene("export-path") { window in
            window.interface.show(
                PathPrompt(
                    title: "Export “Reading list” to folder", text: "~/", kind: .folders, disk: home(window)
                ) { _, _ in })
            window.press("Down", "Down")
        },
        Scene("export-refused") { window in
            window.interface.show(
                PathPrompt(
                    title: "Export everything to folder", text: "~/todo.txt", kind: .folders, disk: home(window)
                ) { $1(.refused("A file with this name already exists")) })
            window.press("Enter")
        },
        Scene("import-path") { window in
            window.interface.show(
                PathPrompt(
                    title: "Import into Home", text: "~/n", kind: .files(extensions: ["md", "txt"]), disk: home(window)
                ) { _, _ in })
        },
        Scene("replace") { window in
            window.press("Ctrl-P", "\"replace in\"", "Enter", "\"colour\"", "Enter", "\"color\"", "Enter")
            #expect(
                window.fixture.scheduler.run {
                    window.draw()
                    return window.lines.contains { $0.contains("in 3 notes") || $0.contains("7/7") }
                })
            window.press("Down", "Space", "Down")
        },
        Scene("replace-nothing") { window in
            window.press("Ctrl-P", "\"replace in\"", "Enter", "\"(\"", "Alt-R")
        },
        Scene("history") { window in
            window.interface.show(try history(of: window))
        },
        Scene("history-older") { window in
            window.interface.show(try history(of: window))
            window.press("j", "j")
        },
        Scene("report") { window in
            window.interface.taskEnded(
                TaskReport(
                    "128 notes imported into the notebook; 3 problems",
                    problems: [
                        "~/notes/old/letter.txt: not UTF-8 text: byte 1042 begins no character",
                        "~/notes/trips/lisbon.md: image map.webp is neither a JPEG nor a PNG image",
                        "~/notes/very/deep/down/in/folders/of/folders/scan of the contract.md: cannot be read",
                    ]))
        },
        Scene("progress") { window in
            let model = window.fixture.model
            model.tasks.show(TaskProgress(title: "Importing", done: 120, all: 400, isExclusive: false))
        },
        Scene("progress-alone") { window in
            let model = window.fixture.model
            model.tasks.show(
                TaskProgress(title: "Rebuilding the search index", done: 3_200, all: 4_000, isExclusive: true))
            window.interface.show(ProgressOverlay(model))
        },
        Scene("symbol") { window in
            let model = window.fixture.model
            model.selectContainer(try #require(model.containers.first { $0.name == "Home" }).id)
            window.press("Alt-1", "Ctrl-P", "\"symbol of\"", "Enter", "Down")
        },
        Scene("save-search") { window in
            window.press("/", "\"colour tag:books\"")
            let model = window.fixture.model
            #expect(window.fixture.scheduler.run { !model.isSearchPending && model.isSearchRanked })
            window.press("Ctrl-S")
        },
        Scene("templates") { window in
            let folder = try window.fixture.notebook.folders.create("Templates")
            try window.fixture.add("# {{title}}\n\n{{date}}: {{cursor}}", folder: folder.id)
            window.fixture.model.readOutsideChanges()
            window.press("Ctrl-P", "\"from template\"", "Enter", "Enter", "\"Stand-up\"")
        },
        Scene("not-saved") { window in
            let items = [
                PickerOverlay.Item(title: "Stay: keep trying to save", detail: "the disk is full") {},
                PickerOverlay.Item(title: "Write the open text to the home folder, and quit") {},
                PickerOverlay.Item(title: "Quit: the text is recovered at the next start") {},
            ]
            window.interface.show(PickerOverlay(title: "Not everything is saved", from: items))
        },
        Scene("conflicts") { window in
            let model = window.fixture.model
            let note = try #require(model.openNote)
            let copy = try window.fixture.add("# Colours\n\nThe colour of the sea, the colour of blood.\n\n世界", age: 9)
            let texts = [
                "# Colours\n\nThe colour of the sea, the colour of wine.",
                "# Colours\n\nThe colour of the sea, the colour of blood.\n\n世界",
            ]
            let actions = ConflictsOverlay.Actions(
                compare: { _, deliver in deliver(TextDiff(from: texts[0], to: texts[1])) },
                settle: { _, _ in false }, edit: { _ in }, sides: { window.interface.sides(of: $0) })
            let conflicts = [note, nil].map { SyncConflict(copy: copy, original: $0) }
            window.interface.show(ConflictsOverlay(conflicts, actions))
        },
        Scene("address") { window in
            window.interface.askToOpen("https://example.org/a/long/way/to/the/translation?of=Ficciones")
        },
        Scene("backlinks-list") { window in
            window.press("b")
        },
        Scene("outline") { window in
            window.press("Enter", "Ctrl-G")
        },
        Scene("calendar") { window in
            window.press("D", "Esc", "C", "Right")
        },
        Scene("calendar-date") { window in
            window.press("C", "\"2027-03-0\"")
        },
        Scene("tasks") { window in
            try window.fixture.add(
                "# Chores\n\n- [ ] Sweep @2020-05-05\n- [ ] Call everybody who is to come @2999-01-01")
            try window.fixture.add("# Trip\n\n- [ ] Pack the 世界 map\n- [x] Book")
            #expect(window.fixture.scheduler.run { window.fixture.model.inboxFolder?.noteCount == 5 })
            window.press("Alt-T")
            #expect(
                window.fixture.scheduler.run {
                    window.draw()
                    // The list behind the box shows the beginning of the note, too.
                    return window.lines.contains { $0.contains("│  [ ] Sweep") || $0.contains("│  [ ] ! Sweep") }
                })
            window.press("Ctrl-T", "Down")
        },
        Scene("tasks-late") { window in
            try window.fixture.add("# Chores\n\n- [ ] Sweep the whole house @2020-05-05\n- [ ] Rest")
            #expect(window.fixture.scheduler.run { window.fixture.model.inboxFolder?.noteCount == 4 })
            window.press("Alt-T")
            #expect(
                window.fixture.scheduler.run {
                    window.draw()
                    // The list behind the box shows the beginning of the note, too.
                    return window.lines.contains { $0.contains("│  [ ] Sweep") || $0.contains("│  [ ] ! Sweep") }
                })
        },
        Scene("magic-menu") { window in
            configureModel(of: window)
            window.press("Enter", "Alt-M", "Down")
        },
        Scene("format") { window in
            let beginning = "# Colours\n\nThe *colour* of the sea, the colour of wine.\n\n"
            let server = try #require(
                ScriptedServer([.answer([beginning, "## Paint\n\n- Off-colour.\n\n### 世界"])]))
            configureModel(of: window, port: server.port)
            window.press("Enter")
            window.interface.perform("magic.format")
            #expect(
                window.fixture.scheduler.run {
                    window.fixture.scheduler.advance(by: .milliseconds(40))
                    window.draw()
                    return !window.fixture.model.isModelRunning
                })
            server.stop()
            window.press("Down", "Space")
        },
        Scene("chat") { window in
            configureModel(of: window)
            window.press("Enter", "Alt-I", "\"Which colour has the sea?\"")
        },
        Scene("chat-answer") { window in
            let server = try #require(ScriptedServer([.answer(["The colour of ", "wine, says *Colours* [1]."])]))
            configureModel(of: window, port: server.port)
            window.press("Enter", "Alt-I", "\"Which colour has the sea?\"", "Enter")
            let chat = window.fixture.model.magicChat
            #expect(
                window.fixture.scheduler.run {
                    window.fixture.scheduler.advance(by: .milliseconds(40))
                    window.draw()
                    return !chat.isAnswering && chat.entries.last?.answer.isEmpty == false
                })
            server.stop()
        },
        Scene("notebooks") { window in
            window.host.notebooks = NotebookNames(all: ["default", "book club", "work"], current: "work")
            window.interface.chooseNotebook()
            window.press("Down")
        },
        Scene("command-question") { window in
            window.interface.apply(
                Configuration.read(
                    "[command.count]\ntitle = \"Count the words\"\nrun = \"wc -w < {file} | tr -d ' '\"\n"))
            window.interface.perform("command.count")
        },
    ]

    private static func configureModel(of window: Window, port: UInt16 = 9) {
        window.interface.apply(
            Configuration.read(
                "[ai]\nchat = \"t\"\n[ai.provider.t]\nurl = \"http://127.0.0.1:\(port)/v1\"\nmodel = \"m\"\n"))
    }

    /// A home folder that is the same on every machine, and answers at once.
    private static func home(_ window: Window) -> PathDisk {
        let folders = [
            "Documents", "Music", "Notes from the old machine, as they were exported in the spring", "novel", "notes",
            ".config",
        ]
        let entries =
            folders.map { PathCompletion.Entry($0, isFolder: true) }
            + ["nuts.md", "todo.txt"].map { PathCompletion.Entry($0, isFolder: false) }
        return PathDisk(read: { $1(entries) }, find: { $1(nil) }, later: { _ in }, window: window.interface)
    }

    /// Three versions with fixed ages, since the notebook uses the machine's clock.
    private static func history(of window: Window) throws -> HistoryOverlay {
        let model = window.fixture.model
        let notebook = window.fixture.notebook
        let id = try #require(model.openNote?.id)
        let texts = [
            "# Colours\n\nThe colour of the door.\n\n- red\n- green",
            "# Colours\n\nThe colour of the door is to be settled by Friday, says Ana, who knows.\n\n- red\n- green",
            "# Colours\n\nThe colour of the door is blue.\n\n- red\n- blue\n- 世界",
        ]
        for text in texts {
            let revision = try #require(try notebook.notes.row(id)).revision
            _ = try notebook.notes.save(id, text: text, baseRevision: revision)
            try notebook.versions.keep(of: id)
        }
        model.readOutsideChanges()
        let versions = model.versions()
        let ages = ["now", "2 h", "yesterday", "3 d"]
        return HistoryOverlay(versions, ages: Array(ages.prefix(versions.count))) {
            model.changes(since: $0, deliver: $1)
        } restore: { _ in
        }
    }

    private func window(_ size: Size) throws -> Window {
        let window = try Window(
            columns: size.columns, rows: size.rows,
            notes: [
                "# Colours\n\nThe colour of the sea, the colour of wine.\n\n## Paint\n\nOff-colour.\n\n### 世界",
                "# Letter to Ana\n\nWhat colour? See [[Colours]].", "# Spelling\n\ncolour, favour, honour",
            ])
        let model = window.fixture.model
        model.addFolder("Home")
        model.addTag("books")
        model.selectContainer(.inbox)
        model.dismissNotice()
        window.draw()
        return window
    }

    @Test(arguments: scenes, DialogTests.sizes)
    func `every overlay is drawn at every size`(scene: Scene, size: Size) throws {
        let window = try window(size)
        defer { window.close() }
        try scene.show(window)
        window.fixture.model.dismissNotice()
        window.draw()
        try expectFrame(window, scene.name, withStatus: true)
    }
}
