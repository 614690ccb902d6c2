import Load
import NoteStore
import SeededRandom
import Terminal
import TestSupport
import Testing

@testable import Interface
@testable import ViewModel

/// Tests that a typed character goes to the note whose text is on screen, or nowhere.
///
/// Random events are sent to a window while another program works on the same notebook, and hits and changes arrive at
/// random times. After each typed character, only the note whose text was drawn may have changed.
@MainActor
@Suite(.underLoad) struct TypedCharacterTests {
    @Test func `the walks come to two notes side by side, and to one above the other`() throws {
        // Otherwise the property says nothing about them.
        for (columns, isUpright) in [(120, true), (80, false)] {
            let window = try Window(columns: columns, rows: 24, notes: ["one", "two"])
            defer { window.close() }
            window.press("Alt-5", "Alt-4")
            #expect(window.interface.layout.split.map { $0.columns == 1 } == isUpright)
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `a typed character goes to the note whose text is on screen, or nowhere`(seed: UInt64) throws {
        var walk = try RandomWalk(seed: seed)
        for _ in 0..<250 { try walk.step() }
        walk.end()
    }
}

/// Random acts of a user and of another program.
@MainActor
private struct RandomWalk {
    private let window: Window
    private let other: Notebook
    private let folders: [ContainerID]
    private var random: SeededGenerator
    /// The latest acts, to explain a failure.
    private var log: [String] = []
    private var madeCount = 0

    private var model: TakeNoteVM { window.interface.model }

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        window = try Window(columns: 120, rows: 24, notes: [])
        let notebook = window.fixture.notebook
        folders = try ["Home", "Work"].map { try notebook.folders.create($0, in: nil).id }
        for index in 0..<8 {
            try window.fixture.add(Self.text(index), age: Double(index), folder: index < 6 ? .inbox : folders[0])
        }
        // All waits of a command share one time budget, and on a busy machine these add up.
        other = try Notebook.open(notebook.path, mode: .command, options: Notebook.Options(busyTimeout: 3600))
        madeCount = 8
        model.readOutsideChanges()
        window.press("g")
    }

    /// A text whose every line contains the note's number; later notes have fewer words.
    private static func text(_ number: Int) -> String {
        let line = "<\(number)> apple " + String(repeating: "apple ", count: max(0, 5 - number))
        return Array(repeating: line, count: 40).joined(separator: "\n")
    }

    func end() {
        // A second connection that cannot be closed is ignored.
        try? other.close()
        window.close()
    }

    // MARK: Events

    private static let keys = [
        "Down", "Down", "Up", "Enter", "Enter", "Enter", "Esc", "Tab", "Shift-Tab", "Alt-1", "Alt-2", "Alt-3", "Alt-3",
        "F6",
        "F7", "F8", "F10", "Alt-Z", "F5", "/", "Space", "*", "Ctrl-E", "Ctrl-F", "Ctrl-Z", "Ctrl-Y", "s", "d", "u", "U",
        "a",
        "R", "x", "v", "g", "G", "o", "p", "Ctrl-G", "Ctrl-P", "F9", "Left", "Right", "Home", "PgDn", "Backspace", "b",
        "H", "Alt-4", "Alt-4", "Alt-4", "Alt-5", "Alt-5", "Alt-PgDn",
    ]

    mutating func step() throws {
        switch random.below(100) {
        case ..<38: try type()
        case ..<66: press(random.pick(Self.keys))
        case ..<72: search()
        case ..<80: mouse()
        case ..<90: try actElsewhere()
        case ..<93: resize()
        case ..<97:
            note("time passes")
            window.fixture.scheduler.advance(by: .milliseconds(random.number(in: 1...600)))
        default:
            note("saved")
            model.saveNow()
        }
        // The results of other threads arrive now or later.
        if random.chance(60) { window.fixture.scheduler.runPosted() }
        if random.chance(85) { window.draw() }
    }

    private mutating func note(_ what: String) {
        log.append(what)
        log.removeFirst(max(0, log.count - 25))
    }

    private mutating func press(_ key: String) {
        note(key)
        if let chord = KeyChord(key) {
            let press: KeyPress
            if case .character(let character) = chord.key, chord.modifiers.isEmpty {
                press = KeyPress(typed: character)
            } else {
                press = KeyPress(chord.key, chord.modifiers)
            }
            window.send(.key(press))
        }
    }

    private mutating func search() {
        note("/apple")
        if random.chance(50) { window.press("Esc", "Alt-2") }
        window.press("/")
        for character in random.pick(["apple", "app", "\"3 apple\"", "nothing at all"]) {
            window.send(.key(KeyPress(typed: character)))
        }
        if random.chance(50) { window.fixture.scheduler.advance(by: .milliseconds(300)) }
        for _ in 0..<random.below(3) { press("Down") }
        if random.chance(70) { press("Enter") }
    }

    private mutating func mouse() {
        let cell = Position(column: random.below(window.size.columns), row: random.below(window.size.rows))
        let kind: MouseEvent.Kind = random.chance(70) ? .press : .wheel(columns: 0, rows: random.pick([-1, 1]))
        note("mouse \(kind) at \(cell)")
        window.send(.mouse(MouseEvent(kind, kind == .press ? .left : .none, at: cell)))
        if kind == .press { window.send(.mouse(MouseEvent(.release, .left, at: cell))) }
    }

    private mutating func resize() {
        window.size = Size(columns: random.pick([50, 80, 120]), rows: random.number(in: 8...40))
        note("resized to \(window.size)")
        window.send(.resized(window.size))
        window.draw()
    }

    private mutating func actElsewhere() throws {
        let rows = try other.lists.rows(ListQuery(container: .allNotes), limit: 50)
        guard !rows.isEmpty else { return }
        // The open note is chosen more often than others.
        let note = rows.first { $0.id == model.openNote?.id && random.chance(60) } ?? random.pick(rows)
        switch random.below(7) {
        case 0:
            self.note("elsewhere moved")
            // The window's user may have undone the making of the folder.
            let folder = random.pick(folders)
            if try other.containers.load(folder)?.isInTrash == false { try other.notes.move([note.id], to: folder) }
        case 1:
            self.note("elsewhere trashed")
            try other.trash.add([note.id])
        case 2:
            self.note("elsewhere deleted")
            try other.trash.add([note.id])
            do {
                try other.trash.deleteForever([note.id])
            } catch {
                switch error {
                // A save in progress in this program has just restored the note.
                case .notInTrash: break
                default: throw error
                }
            }
        case 3, 4:
            self.note("elsewhere appended")
            _ = try other.notes.save(
                note.id, text: (other.notes.text(note.id) ?? "") + "\nappended apple", baseRevision: note.revision)
        case 5:
            self.note("elsewhere renamed")
            try other.notes.setTitle(note.id, "Renamed \(random.below(1000))")
        default:
            self.note("elsewhere made")
            _ = try other.notes.create(NewNote(text: Self.text(madeCount)))
            madeCount += 1
        }
    }

    // MARK: Invariant

    private static let letters = Array("zä漢 dnxq")

    /// The number of letters in a text that only this user types: commands of the list may add other letters.
    private static func ownLetters(in text: String) -> Int { text.count { "zä漢xq".contains($0) } }

    private mutating func type() throws {
        window.draw()
        let shown = noteOnScreen()
        let before = try texts()
        let letters = (0..<random.pick([1, 1, 1, 3])).map { _ in random.pick(Self.letters) }
        let title = shown.map { "<\($0)>" } ?? "nothing"
        note("typed \(String(letters)) with \(title) on screen, keys in \(window.interface.context)")
        window.interface.handle(letters.map { .key(KeyPress(typed: $0)) })
        let after = try texts()
        for (id, text) in before {
            guard let now = after[id], Self.ownLetters(in: now) != Self.ownLetters(in: text),
                Self.number(of: text) != shown
            else { continue }
            let screen = (0..<window.size.rows).map { window.screen.text(row: $0) }.joined(separator: "\n")
            Issue.record(
                """
                \(Self.number(of: text) ?? -1) changed by a key, \(model.openNote?.title ?? "nothing") is open: \
                \(log.joined(separator: " · "))
                from \(text.prefix(300))
                to \(now.prefix(300))
                \(screen)
                """)
        }
        window.draw()
    }

    /// The text of every note: the text being edited, or else the saved one.
    private func texts() throws -> [NoteID: String] {
        var texts: [NoteID: String] = [:]
        for container in [ContainerID.allNotes, .trash, .archive, .buffer] {
            for row in try window.fixture.notebook.lists.rows(ListQuery(container: container), limit: 200) {
                texts[row.id] = try window.fixture.notebook.notes.text(row.id)
            }
        }
        for session in model.open.sessions { texts[session.noteID] = session.text }
        return texts
    }

    /// The number of the note whose text is drawn in the editor pane; nil if there is none.
    private func noteOnScreen() -> Int? {
        guard !window.interface.model.showMultiNoteView, let pane = window.interface.layout.panes[.editor] else {
            return nil
        }
        var counts: [Int: Int] = [:]
        for row in pane.row..<pane.row + pane.rows {
            let cells = (pane.column..<pane.maxColumn).map { window.screen[$0, row].text }
            let line = cells.joined()
            if let number = Self.number(of: line) { counts[number, default: 0] += 1 }
        }
        return counts.max { $0.value < $1.value }?.key
    }

    /// The number between a `<` and the next `>`, if there are only digits between them.
    private static func number(of text: String) -> Int? {
        for start in text.indices where text[start] == "<" {
            let digits = text[text.index(after: start)...].prefix { $0.isASCII && $0.isNumber }
            if !digits.isEmpty, digits.endIndex < text.endIndex, text[digits.endIndex] == ">" { return Int(digits) }
        }
        return nil
    }
}
