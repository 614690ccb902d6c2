import Foundation
import Intelligence
import NoteStore
import Observation
import Processes
import SystemPackage
import TextEditing
import TextPrimitives

/// The whole state that an interface to the notebook shows, and every action on it.
///
/// Its members have the names of the TakeNote app. It lives on the main actor and answers at once: reads go straight to
/// the notebook, which never makes a reader wait. Saving and searching run in the background, and their results come
/// back through the scheduler.
///
/// The state itself is in a few objects, each of which alone changes its members; `TakeNoteVM+Face.swift` shows them
/// under the app's names. The other extensions are the actions, by topic: they read the notebook and update these
/// objects.
@MainActor
@Observable
public final class TakeNoteVM {
    // MARK: State

    /// The container tree, the saved searches, and the sidebar's lines for them.
    @ObservationIgnored let sidebar = SidebarState()
    /// The contents of the note list, and its cursor.
    @ObservationIgnored let list = ListState()
    /// The search over all notes.
    @ObservationIgnored let search: SearchState
    /// The note in the editor.
    @ObservationIgnored let open = OpenNote()
    /// The current messages and questions.
    @ObservationIgnored let messages: MessageState
    /// The long-running background tasks.
    @ObservationIgnored let tasks: TaskState
    /// The notes that can be pasted as copies.
    @ObservationIgnored let copied = CopiedNotes()
    /// The visited locations.
    @ObservationIgnored var history = NavigationHistory()

    // MARK: Settings

    /// The layout and typing settings; a change applies at once to every open text.
    public var editorSettings: EditorSettings {
        didSet { for session in open.sessions { session.configure(editorSettings) } }
    }
    /// The widths of characters; a change lays out every open text again.
    @ObservationIgnored public var cellWidth: CellWidth {
        didSet { for session in open.sessions { session.measure(with: cellWidth) } }
    }
    /// The folder and the title of the day's note.
    @ObservationIgnored public var dailySettings = DailySettings()
    /// The spelling of what is on the screen.
    @ObservationIgnored public private(set) lazy var spelling = Spelling(scheduler: scheduler) { [weak self] in
        self?.say($0)
    }
    /// The models, and what they may see.
    @ObservationIgnored public var intelligence = IntelligenceSettings()
    /// The chat with a model about the notes.
    @ObservationIgnored public private(set) lazy var magicChat = MagicChat(self)
    @ObservationIgnored private(set) lazy var automaticSummaries = AutomaticSummaries(self)
    /// The model's present work on a text; leaving the program ends it.
    @ObservationIgnored weak var magicWork: MagicWork?
    /// Whether the summaries of notes in the list fit their texts, as far as it was asked.
    @ObservationIgnored var knownSummaries = KnownSummaries()
    /// Returns the label of the key for a command of the list, by the command's name; nil if the command has none.
    ///
    /// The interface sets it, since the model itself knows no keys.
    @ObservationIgnored public var keyLabel: @MainActor (_ command: String) -> String? = { _ in nil }

    /// Called when the sort order of the lists has changed, so that the owner of `savedState` can store it at once.
    @ObservationIgnored public var orderChanged: @MainActor () -> Void = {}

    /// Called when notes were copied in the list, so that other windows can paste them too.
    @ObservationIgnored public var notesCopied: @MainActor (_ notes: [NoteID]) -> Void = { _ in }

    // MARK: Dependencies

    @ObservationIgnored public let notebook: Notebook
    @ObservationIgnored let scheduler: any MainScheduler
    @ObservationIgnored let now: () -> Date
    @ObservationIgnored private let editorClock: @Sendable () -> Duration
    @ObservationIgnored private(set) lazy var saver: NoteSaver = {
        let saver = NoteSaver(notebook: notebook, scheduler: scheduler) { [weak self] notice in
            self?.sayOfBackground(notice.text, kind: notice.kind)
        }
        // A problem that persists stays in the status line.
        saver.savesAgain = { [weak self] in if self?.notice?.kind != .trouble { self?.say(Texts.savingAgain) } }
        return saver
    }()
    @ObservationIgnored private(set) lazy var counter = BackgroundCounter(notebook: notebook, scheduler: scheduler)
    /// Synchronises with other machines while the window is open.
    @ObservationIgnored public private(set) lazy var sync: AutomaticSync = {
        let sync = AutomaticSync(notebook: notebook, scheduler: scheduler)
        sync.save = { [weak self] in self?.saveNow() }
        sync.say = { [weak self] in self?.sayOfBackground($0, kind: $1) }
        return sync
    }()
    /// Keeps the folders of `tn mirror` and the notebook the same while the window is open.
    @ObservationIgnored public private(set) lazy var mirror: AutomaticMirror = {
        let mirror = AutomaticMirror(notebook: notebook, scheduler: scheduler)
        mirror.save = { [weak self] in self?.saveNow() }
        mirror.say = { [weak self] in self?.sayOfBackground($0, kind: $1) }
        return mirror
    }()
    /// The questions to the disk; asked only off the main actor, since a mount that hangs answers none of them.
    @ObservationIgnored var disk = Disk()
    /// The threads on which the disk is asked; more than the hanging mounts that a person may try.
    @ObservationIgnored let diskThreads = WorkerThreads("tn.disk", maximum: 8)
    /// The threads of `inBackground`; a few more than one, so that a long text keeps no short work waiting.
    @ObservationIgnored let backgroundThreads = WorkerThreads("tn.background", maximum: 4)
    /// The number of the last folder whose entries were asked for.
    @ObservationIgnored let latestEntries = Latest()
    @ObservationIgnored var changeFeed: ChangeFeed?
    /// The recovery that was reported last.
    @ObservationIgnored var reportedRecovery: Notebook.Recovery?
    @ObservationIgnored var sessionWatch: SessionWatch?
    /// The journals of dead programs that could not be replayed; nil after a try that failed.
    @ObservationIgnored var leftJournals: Set<String>? = []
    /// The number of tries that are running.
    @ObservationIgnored var takeOvers = 0
    @ObservationIgnored var readAheadTimer: ScheduledWork?

    /// Creates the view-model of an open notebook; `start()` reads it.
    ///
    /// - Parameters:
    ///   - configuration: the widths of characters, and the initial settings.
    ///   - scheduler: delivers background results to the main actor.
    ///   - now: the clock.
    public init(
        notebook: Notebook,
        scheduler: any MainScheduler,
        configuration: EditorSession.Configuration,
        now: @escaping () -> Date = Date.init
    ) {
        self.notebook = notebook
        self.scheduler = scheduler
        cellWidth = configuration.cellWidth
        editorSettings = configuration.settings
        editorClock = configuration.now
        self.now = now
        search = SearchState(searcher: NoteSearcher(notebook: notebook, scheduler: scheduler))
        messages = MessageState(scheduler: scheduler)
        tasks = TaskState(scheduler: scheduler)
    }

    /// The initial configuration of the sessions of opened notes.
    var configuration: EditorSession.Configuration {
        EditorSession.Configuration(cellWidth: cellWidth, settings: editorSettings, now: editorClock)
    }
}
