import ArgumentParser
import Dispatch
import Foundation
import Interface
import NoteStore
import Processes
import Sync
import SystemPackage
import Terminal
import TextEditing
import ViewModel

/// Connects the notebook, view-model, window, terminal and loop.
@MainActor
final class NotebookProgram {
    private let device: TerminalDevice
    private let loop: EventLoop
    private let model: TakeNoteVM
    private let path: String
    private let notebook: Notebook
    private let housekeeping: Housekeeping
    private let draftWatch: HandedDraftWatch
    private var hasLeft = false
    /// The notebook to open in place of this one.
    private var next: NotebookOptions?
    /// The reason why the notebook that was left could not be closed.
    private(set) var leavingProblem: StoreError?
    private let isReader: Bool
    private var interface: NotebookInterface?
    private var configurationWatch: ConfigurationWatch?
    private var configurationTimer: TimerID?
    private var connection: WindowConnection?
    private var tmux: TmuxWatch?
    /// Stops the script that was run last.
    private var scriptStop: CommandStop?
    /// Ends a synchronisation's git when the window is left.
    private let syncStop = CommandStop()

    /// Longer than the time between two typed letters, and shorter than a look at the status line; tried by eye.
    private static let statusPause = Duration.milliseconds(200)

    init(_ options: NotebookOptions, opening reference: String?, isReader: Bool) throws {
        self.isReader = isReader
        CrashGuard.install()
        path = options.path
        let notebook = try Self.openNotebook(path)
        let note = try reference.map { try notebook.notes.resolve(reference: $0) }
        let settings = Self.settings(isReader: isReader)
        let name = NamedNotebooks.name(of: path).flatMap { $0 == NamedNotebooks.defaultName ? nil : $0 }
        device = try Self.openTerminal(settings.configuration.screen, title: name.map { "TakeNote · \($0)" })
        loop = EventLoop(device: device)
        let mailbox = loop.mailbox
        let said = MessageRelay()
        draftWatch = HandedDraftWatch(notebook)
        housekeeping = Housekeeping(notebook) { line in mailbox.post { said.model?.sayUnlessTroubled(line) } }
        self.notebook = notebook
        model = TakeNoteVM(
            notebook: notebook, scheduler: LoopScheduler(loop),
            configuration: EditorSession.Configuration(cellWidth: .ofTerminal))
        said.model = model
        model.spelling.ownWordsFile = FilePath(Configuration.ownWordsFile())
        model.sync.job = Self.syncJob(notebook, stop: syncStop)
        interface = NotebookInterface(
            model: model, host: self, themesFolder: Configuration.themesFolder(),
            environment: Configuration.processEnvironment, statusPause: Self.statusPause,
            willLeave: { [unowned self] in leave() })
        interface?.notebookName = name
        start(at: note, as: reference)
        interface?.apply(settings)
        watchConfiguration()
    }

    private static func openNotebook(_ path: String) throws -> Notebook {
        try NamedNotebooks.check(path)
        UserNames.useFilesAlone()
        var opening = Notebook.Options()
        opening.isAskedToEnd = { EventLoop.isAskedToEnd }
        opening.opensReadersLater = true
        let notebook = try Notebook.open(path, mode: .interactive, options: opening)
        notebook.limitWaitsOnThisThread()
        // A notebook whose folders cannot be read would look like an empty one.
        _ = try notebook.containers.all()
        return notebook
    }

    private static func openTerminal(_ settings: ScreenSettings, title: String?) throws -> TerminalDevice {
        var terminal = TerminalOptions.ofUser(settings)
        terminal.errorLog = Notebook.stateFolder() + "/tn.log"
        let device = try TerminalDevice.open(terminal, for: Texts.Purpose.notebook)
        device.setTitle(title ?? "TakeNote")
        return device
    }

    private static func syncJob(_ notebook: Notebook, stop: CommandStop) -> AutomaticSync.Job {
        { settings, tell in
            var sync = NotebookSync(window: notebook, settings)
            sync.stop = stop
            sync.tell = { tell(SyncStage($0)) }
            return sync.attempt()
        }
    }

    /// Applies the settings again whenever their file or a theme's file is written.
    private func watchConfiguration() {
        let mailbox = loop.mailbox
        configurationWatch = ConfigurationWatch { [weak self] in
            mailbox.post { self?.configurationWasTouched() }
        }
    }

    /// Reads the settings once there has been no further write for 50 ms.
    private func configurationWasTouched() {
        if let timer = configurationTimer { loop.cancel(timer) }
        configurationTimer = loop.schedule(after: .milliseconds(50)) { [weak self] in
            self?.readConfiguration()
        }
    }

    private static func settings(isReader: Bool) -> Configuration.Reading {
        var reading = Configuration.readFromUser()
        if isReader { reading.configuration.screen.isReader = true }
        return reading
    }

    private func readConfiguration() {
        guard let interface else { return }
        let reading = Self.settings(isReader: isReader)
        if reading.isReadable { loop.take(.ofUser(reading.configuration.screen), interface) }
        interface.apply(reading)
    }

    private func start(at note: NoteRow?, as reference: String?) {
        let state = SavedState(contentsOf: SavedState.file)
        model.restore(state)
        interface?.restore(state)
        // A failed write is tried again, and reported, when the user leaves the program.
        model.orderChanged = { [weak self] in try? self?.keepState() }
        model.start(at: state.notebook == path ? state.location : nil)
        if let note {
            model.show(note)
            if let reference { model.goToHeading(of: reference) }
            interface?.focusEditor()
        }
        let leftOver = OutsideEdit.importLeftoverDrafts(in: notebook)
        if let last = leftOver.last { model.say(last.isNew ? Texts.draftCameIn(last.note) : Texts.draftSaved) }
        if Draft.areAwaited(database: path) { draftWatch.begin() }
        tellUpdate()
    }

    /// Shows a message about an update, once, in the first window after it.
    private func tellUpdate() {
        let last = LastVersion()
        let change = last.change(to: Version.number)
        // If there is a message already, this one is shown at the next start.
        guard change != .none, change == .firstStart || model.notice == nil else { return }
        do {
            try last.keep(Version.number)
            if change == .updated { model.say(Texts.updated(to: Version.number)) }
        } catch {
            // A version that cannot be stored is not mentioned, since the message would appear at every start.
        }
    }

    /// Shows a message that comes from outside the view-model.
    func say(_ message: String) { model.say(message, kind: .refused) }

    /// Runs until the user leaves the notebook.
    ///
    /// - Returns: the notebook to open next, if the user chose one.
    func run() throws -> NotebookOptions? {
        guard let interface else { return nil }
        passMinutes()
        loop.schedule(after: Housekeeping.firstDelay) { [weak self] in self?.model.watchOtherPrograms() }
        if device.capabilities.multiplexer == .tmux { tmux = TmuxWatch(loop, interface) }
        tmux?.ask()
        runHousekeeping(after: Housekeeping.firstDelay)
        connection = WindowConnection(interface, notebook: path, loop: loop)
        let reason = try loop.run(interface)
        leave()
        if reason.exitStatus != 0 { throw ExitCode(reason.exitStatus) }
        // The process continues with another notebook, so this one is closed. Everything is saved: one that cannot be
        // closed keeps nobody from writing, and is not a reason to end the window.
        if next != nil {
            do { try notebook.close() } catch { leavingProblem = error }
        }
        return next
    }

    /// Saves everything; called on every way out, but runs only once.
    private func leave() {
        guard !hasLeft else { return }
        hasLeft = true
        connection?.end()
        scriptStop?.stop()
        model.stop()
        // Git would outlive this program, and another synchronisation would begin beside it.
        syncStop.stopAndWait()
        WorkAfterWindow(model: model, notebook: notebook, path: path).start()
        draftWatch.finish()
        housekeeping.finish()
        do {
            try keepState()
        } catch {
            // The notes are safe; only the position in the list is lost.
            StandardError.notice(Texts.windowNotKept(error))
        }
    }

    /// Saves the order of the lists and the user's location for the next start.
    private func keepState() throws {
        var state = model.savedState
        state.notebook = path
        interface?.keep(in: &state)
        try state.write(to: SavedState.file)
    }

    private func runHousekeeping(after delay: Duration) {
        loop.schedule(after: delay) { [weak self] in
            self?.housekeeping.begin()
            self?.model.lookForEndedPrograms()
            self?.runHousekeeping(after: Housekeeping.interval)
        }
    }

    private func passMinutes() {
        loop.schedule(after: .seconds(60)) { [weak self] in
            self?.interface?.minutePassed()
            self?.tmux?.ask()
            self?.passMinutes()
        }
    }
}

extension NotebookProgram: InterfaceHost {
    var appearance: Appearance {
        let found = device.capabilities
        var appearance = Appearance(
            colorDepth: found.colorDepth, isDark: found.isDark, isUnicode: found.showsUnicode)
        appearance.pictures = found.pictureDisplay
        appearance.cell = found.cellPixels
        appearance.pictureLimit = found.isRemote ? PictureDecoding.remoteLimit : nil
        return appearance
    }

    var pictureDecoding: PictureDecoding? { .inChild }
    func isShown(_ picture: PicturePlaceholder) -> Bool { loop.isShown(picture) }
    func show(_ picture: PicturePlaceholder, png: [UInt8]) { loop.show(picture, png: png) }
    func terminalMayBeAnother() { tmux?.ask() }

    var tellsEscapeFromAlt: Bool { device.capabilities.hasKeyboardProtocol }
    var inputAge: Duration { loop.inputAge }
    var hasPendingInput: Bool { loop.hasPendingInput }
    func quit() { loop.stop(.quit(status: 0)) }
    func suspend() { device.suspend() }
    func repaint() { loop.redraw() }
    func editOutside(_ note: NoteRow) -> String {
        model.saveNow()
        do {
            let editor = try EditorProgram.find()
            let outcome = try device.withTerminalReleased { try OutsideEdit.run(note, in: notebook, with: editor) }
            if outcome.file != nil { draftWatch.begin() }
            if let copy = outcome.copy { return Texts.keptElsewhere(copy) }
            return outcome.file.map(Texts.editorGoesOn) ?? Texts.backFromEditor
        } catch {
            return Texts.notEdited(error)
        }
    }

    func editConfiguration() -> String? {
        do {
            let editor = try EditorProgram.find()
            let file = try ConfigurationChange.fileToEdit()
            _ = try device.withTerminalReleased { try editor.edit(file) }
            readConfiguration()
            return nil
        } catch {
            return Texts.notEdited(error)
        }
    }

    var notebooks: NotebookNames {
        NotebookNames(all: NamedNotebooks.names(), current: NamedNotebooks.name(of: path))
    }

    func changeNotebook(to name: String) -> String? {
        do {
            let isKnown = NamedNotebooks.names().contains { Folding.key($0) == Folding.key(name) }
            if !isKnown { try NamedNotebooks.add(name) }
            next = NotebookOptions(database: nil, notebook: name)
            loop.stop(.quit(status: 0))
            return nil
        } catch {
            return Failure(error).message
        }
    }

    func isAllowed(line: String) -> Bool { AllowedLines().contains(line) }

    func allow(line: String) -> String? {
        do {
            try AllowedLines().add(line)
            return nil
        } catch {
            return Texts.notAllowed(error)
        }
    }

    func run(_ script: ShellRun, ended: @escaping @MainActor (ShellOutcome) -> Void) -> (@MainActor () -> Void)? {
        let (stop, mailbox) = (CommandStop(), loop.mailbox)
        scriptStop = stop
        onOwnThread("tn.script") {
            let outcome = ShellScript.run(script, stop: stop)
            mailbox.post { ended(outcome) }
        }
        return { stop.stop() }
    }

    func keep(theme: String) -> String? { ConfigurationChange.keep(theme: theme) }
    func open(_ address: String) -> String { AddressOpener.open(address) }
    func open(file path: String) -> String { AddressOpener.open(file: path) }
    func copy(_ text: String, completion: @escaping @MainActor (ClipboardOutcome) -> Void) {
        loop.copyToClipboard(text, completion: completion)
    }
    func readClipboard(_ name: ClipboardName, completion: @escaping @MainActor (String?) -> Void) {
        loop.readClipboard(name, completion: completion)
    }
}

extension SyncStage {
    fileprivate init(_ step: SyncPhase) {
        self =
            switch step {
            case .fetch: .fetching
            case .merge: .merging
            case .send: .sending
            case .write: .writing
            }
    }
}

/// Forwards messages from other threads to the view-model, which is created after the objects that send them.
@MainActor
private final class MessageRelay {
    weak var model: TakeNoteVM?
}
