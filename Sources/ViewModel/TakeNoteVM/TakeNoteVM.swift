import Foundation
import NoteStore
import Observation
import TextEditing
import TextPrimitives

/// All the state that a face of the notebook shows, and everything that can be done to it.
///
/// Its members carry the names of the TakeNote app. It lives on the main actor and answers at once: reads go straight to
/// the notebook, which never makes a reader wait; saving and searching run behind it and come back through the
/// scheduler.
///
/// The state itself is in a few values, each of which alone changes its members; `TakeNoteVM+Face.swift` shows them under
/// the app's names. The other extensions are what can be done, by topic: they read the notebook and tell the values what
/// has become of it.
@MainActor
@Observable
public final class TakeNoteVM {
    // MARK: State

    /// The tree, the saved searches, and the lines that show them.
    @ObservationIgnored let sidebar = SidebarState()
    /// What the note list shows, and where its cursor is.
    @ObservationIgnored let list = ListState()
    /// The search through all notes.
    @ObservationIgnored let search: SearchState
    /// The note in the editor.
    @ObservationIgnored let open = OpenNote()
    /// What is said and asked.
    @ObservationIgnored let messages: MessageState
    /// What runs behind the main actor and takes long.
    @ObservationIgnored let tasks: TaskState
    /// The notes that can be pasted as copies.
    @ObservationIgnored let copied = CopiedNotes()
    /// The places that were gone through.
    @ObservationIgnored var history = NavigationHistory()

    // MARK: Settings

    /// How texts are set and typed; a change of it shows at once in every open text.
    public var editorSettings: EditorSettings {
        didSet { for session in open.sessions { session.configure(editorSettings) } }
    }
    /// How wide characters are; a change of it sets every open text anew.
    @ObservationIgnored public var cellWidth: CellWidth {
        didSet { for session in open.sessions { session.measure(with: cellWidth) } }
    }
    /// Where the day's note is and what it is called.
    @ObservationIgnored public var dailySettings = DailySettings()
    /// How the key of a command of the list is shown, by the command's name; nil where it has none.
    ///
    /// Whoever draws the model sets it; the model itself knows no keys.
    @ObservationIgnored public var keyLabel: @MainActor (_ command: String) -> String? = { _ in nil }

    /// Called when the order of the lists has changed, for whoever keeps `savedState` to keep it at once.
    @ObservationIgnored public var orderChanged: @MainActor () -> Void = {}

    // MARK: What it stands on

    @ObservationIgnored public let notebook: Notebook
    @ObservationIgnored let scheduler: any MainScheduler
    @ObservationIgnored let now: () -> Date
    @ObservationIgnored private(set) lazy var saver = NoteSaver(notebook: notebook, scheduler: scheduler) {
        [weak self] notice in
        self?.say(notice.text, kind: notice.kind)
    }
    @ObservationIgnored private(set) lazy var counter = BackgroundCounter(notebook: notebook, scheduler: scheduler)
    @ObservationIgnored var changeFeed: ChangeFeed?
    @ObservationIgnored var readAheadTimer: ScheduledWork?

    /// Makes the view-model of an open notebook; `start()` reads it.
    ///
    /// - Parameters:
    ///   - configuration: how wide characters are, and how texts are set to begin with.
    ///   - scheduler: what brings background results back to the main actor.
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
        self.now = now
        search = SearchState(searcher: NoteSearcher(notebook: notebook, scheduler: scheduler))
        messages = MessageState(scheduler: scheduler)
        tasks = TaskState(scheduler: scheduler)
    }

    /// How the sessions of opened notes begin.
    var configuration: EditorSession.Configuration {
        EditorSession.Configuration(cellWidth: cellWidth, settings: editorSettings)
    }
}
