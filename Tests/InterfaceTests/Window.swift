import NoteStore
import Terminal
import TestSupport
import Testing
import ViewModel

@testable import Interface

/// A window without a terminal: it takes keys and gives lines of text.
@MainActor
final class Window {
    let fixture: TemporaryNotebook
    let host = RecordingHost()
    let interface: NotebookInterface
    var size: Size
    private var shown: Screen
    /// The last frame drawn.
    var screen: Screen { shown }

    init(columns: Int = 120, rows: Int = 40, notes: [String] = [], statusPause: Duration = .zero) throws {
        fixture = try TemporaryNotebook()
        size = Size(columns: columns, rows: rows)
        for (index, text) in notes.enumerated() { try fixture.add(text, age: Double(index) * 90_000) }
        interface = NotebookInterface(
            model: fixture.model, host: host, now: { TemporaryNotebook.now }, statusPause: statusPause)
        fixture.model.start()
        shown = Screen(size: size)
        draw()
    }

    /// Draws the next frame, if there is one.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func draw() -> Bool {
        guard let frame = interface.frame(size: size) else { return false }
        shown = frame
        return true
    }

    /// Lets time and the background's work pass until the screen has a text, and a condition holds.
    ///
    /// If they never come, an issue shows what the screen has instead.
    @discardableResult
    func waits(
        for text: String, step: Duration = .milliseconds(40), at location: SourceLocation = #_sourceLocation,
        and isDone: () -> Bool = { true }
    ) -> Bool {
        let isThere = fixture.scheduler.run {
            fixture.scheduler.advance(by: step)
            draw()
            return lines.contains { $0.contains(text) } && isDone()
        }
        if !isThere {
            Issue.record("“\(text)” never came:\n\(lines.joined(separator: "\n"))", sourceLocation: location)
        }
        return isThere
    }

    /// Presses keys in the notation of `KeyChord`, or types a text in quotes: `press("n", "\"Hello\"", "Esc")`.
    func press(_ keys: String...) {
        for key in keys {
            if key.hasPrefix("\"") {
                for character in key.dropFirst().dropLast() { interface.handle([.key(KeyPress(typed: character))]) }
            } else if let chord = KeyChord(key) {
                interface.handle([.key(Self.press(of: chord))])
            }
        }
        draw()
    }

    private static func press(of chord: KeyChord) -> KeyPress {
        if case .character(let character) = chord.key, chord.modifiers.isEmpty { return KeyPress(typed: character) }
        return KeyPress(chord.key, chord.modifiers)
    }

    func send(_ events: InputEvent...) {
        interface.handle(events)
        draw()
    }

    /// Clicks a cell of the screen.
    func click(column: Int, row: Int) {
        send(.mouse(MouseEvent(.press, .left, at: Position(column: column, row: row))))
        send(.mouse(MouseEvent(.release, .left, at: Position(column: column, row: row))))
    }

    /// Clicks the first character of a text on the screen, in the first row that has it.
    ///
    /// - Returns: whether there is one.
    @discardableResult
    func click(_ text: String) -> Bool {
        let cells = Array(text)
        for (row, line) in lines.enumerated() {
            let line = Array(line)
            guard let column = line.indices.first(where: { line[$0...].starts(with: cells) }) else { continue }
            click(column: column, row: row)
            return true
        }
        return false
    }

    /// The last rows as one text: a message that is longer than a row takes several.
    var message: String {
        lines.suffix(4).map { String($0.drop { $0 == " " }) }.joined(separator: " ")
    }

    /// The rows of the screen, without blanks at their ends.
    var lines: [String] {
        (0..<size.rows).map { row in
            let text = shown.text(row: row)
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// Redraws everything in another theme.
    func show(_ theme: Theme) {
        interface.state.theme = theme
        interface.invalidateWindow()
        draw()
    }

    var cursor: Cursor? { shown.cursor }

    func close() { fixture.close() }
}

/// A host that records requests.
@MainActor
final class RecordingHost: InterfaceHost {
    var appearance = Appearance()
    var tellsEscapeFromAlt = false
    var inputAge = Duration.zero
    var hasPendingInput = false
    private(set) var copied: [String] = []
    private(set) var hasQuit = false
    private(set) var suspensions = 0

    func quit() { hasQuit = true }
    func suspend() { suspensions += 1 }
    private(set) var repaints = 0
    func repaint() { repaints += 1 }

    func copy(_ text: String, completion: @escaping @MainActor (ClipboardOutcome) -> Void) {
        copied.append(text)
        completion(.tmux)
    }

    /// The text of the system's clipboards; the readers that wait for it if it arrives late are below.
    var system: [ClipboardName: String] = [:]
    var answersLate = false
    private(set) var waitingReaders: [@MainActor () -> Void] = []

    func readClipboard(_ name: ClipboardName, completion: @escaping @MainActor (String?) -> Void) {
        let text = system[name]
        if answersLate { waitingReaders.append { completion(text) } } else { completion(text) }
    }

    func answerReaders() {
        let readers = waitingReaders
        waitingReaders = []
        for reader in readers { reader() }
    }

    private(set) var editedOutside: [String] = []

    func editOutside(_ note: NoteRow) -> String {
        editedOutside.append(note.title)
        return "Nothing was changed"
    }

    private(set) var configurationEdits = 0

    func editConfiguration() -> String? {
        configurationEdits += 1
        return nil
    }

    var notebooks = NotebookNames(all: ["default"], current: "default")
    private(set) var chosenNotebooks: [String] = []

    func changeNotebook(to name: String) -> String? {
        chosenNotebooks.append(name)
        return name == "/" ? "Not a name" : nil
    }

    var allowedLines: Set<String> = []
    private(set) var scripts: [ShellRun] = []
    private(set) var stops = 0
    /// Ends the last script.
    private(set) var endScript: @MainActor (ShellOutcome) -> Void = { _ in }

    func isAllowed(line: String) -> Bool { allowedLines.contains(line) }

    func allow(line: String) -> String? {
        allowedLines.insert(line)
        return nil
    }

    func run(_ script: ShellRun, ended: @escaping @MainActor (ShellOutcome) -> Void) -> (@MainActor () -> Void)? {
        scripts.append(script)
        endScript = ended
        return { [weak self] in self?.stops += 1 }
    }

    private(set) var keptThemes: [String] = []

    func keep(theme: String) -> String? {
        keptThemes.append(theme)
        return nil
    }

    private(set) var opened: [String] = []

    func open(_ address: String) -> String {
        opened.append(address)
        return "Opened"
    }

    func open(file path: String) -> String { open(path) }

    var pictureDecoding: PictureDecoding?
    /// The pictures that were sent, and whether they have arrived.
    private(set) var sentPictures: [PicturePlaceholder] = []
    var picturesHaveArrived = false
    func isShown(_ picture: PicturePlaceholder) -> Bool { picturesHaveArrived && sentPictures.contains(picture) }
    func show(_ picture: PicturePlaceholder, png: [UInt8]) {
        if !sentPictures.contains(picture) { sentPictures.append(picture) }
    }
}
