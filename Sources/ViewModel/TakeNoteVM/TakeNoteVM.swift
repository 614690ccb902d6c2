import Foundation
import NoteStore
import Observation
import TextEditing

/// All the state that a face of the notebook shows, and everything that can be done to it.
///
/// Its members carry the names of the TakeNote app. It lives on the main actor and answers at once: reads go
/// straight to the notebook, which never makes a reader wait; saving and searching run behind it and come back
/// through the scheduler. The extensions are the topics: containers, notes, search, navigation, folders, messages.
@MainActor
@Observable
public final class TakeNoteVM {
    // MARK: Containers

    /// The whole tree, in display order.
    public internal(set) var containers: [NoteContainer] = []
    /// The lines of the sidebar.
    public internal(set) var sidebarRows: [SidebarRow] = []
    /// What the note list shows.
    public internal(set) var selectedContainer: NoteContainer?
    /// Which parts of the sidebar are unfolded.
    public internal(set) var folding = SidebarFolding()

    /// The searches that are kept under a name, in the order of their names.
    public internal(set) var savedSearches: [SavedSearch] = []
    /// How many notes each saved search finds; one that is not counted yet is not in it.
    public internal(set) var savedSearchCounts: [SavedSearchID: Int] = [:]
    /// The saved search whose hits the list shows.
    public internal(set) var selectedSavedSearch: SavedSearchID?

    // MARK: The list

    /// The notes of the selected container, or the hits of a search.
    public internal(set) var noteList = NoteList()
    /// The index of the note that the list's cursor is on; 0 in an empty list.
    public internal(set) var listCursor = 0
    /// The notes marked for an action on many, in the order of marking.
    public internal(set) var markedNotes: [NoteRow] = []
    public internal(set) var sortBy = SortBy.updated
    public internal(set) var sortOrder = SortOrder.newestFirst
    /// The containers whose lists are sorted by hand, whatever `sortBy` says.
    var handSorted: Set<ContainerID> = []
    /// The tag that the list is narrowed to.
    public internal(set) var tagFilter: ContainerID?
    /// The words of the selected folder's or project's notes together; nil where there is none or it is not counted yet.
    public internal(set) var containerWordCount: Int?

    // MARK: Search

    /// What is searched for; empty when nothing is.
    public internal(set) var noteSearchText = ""
    /// The hits of the search by note, with their snippets.
    public internal(set) var searchHits: [NoteID: SearchHit] = [:]
    /// What is to be told of the search: filters that there are not, archived notes that it leaves out.
    public internal(set) var searchRemarks: [SearchRemark] = []
    /// Whether the container is being changed by opening a hit, which keeps the search.
    public internal(set) var isSearchNavigating = false
    /// Whether the hits are still those of what was searched for before.
    public internal(set) var isSearchPending = false
    /// Whether the hits are in their final, ranked order.
    public internal(set) var isSearchRanked = true

    // MARK: The open note

    /// The note in the editor; `openNote` and `session` are what of it is seen.
    @ObservationIgnored let open = OpenNote()
    /// Whether the text has the keys: then only what chooses a note itself opens another.
    @ObservationIgnored public var isWriting = false { didSet { if isWriting { keepHit() } } }
    /// Whether the selected hit is shown as the hits come: while what is typed goes into the search field.
    @ObservationIgnored var followsHits = false
    /// Whether the list's cursor stays on its hit as the hits come, since the user has put it there.
    @ObservationIgnored var isHitKept = false
    /// The open note, when a command of the user has just taken it away from the hits that are shown.
    @ObservationIgnored var noteTakenAway: NoteID?

    /// How texts are set and typed; a change of it shows at once in every open text.
    public var editorSettings: EditorSettings {
        didSet { for session in open.sessions { session.configure(editorSettings) } }
    }

    /// Where the day's note is and what it is called.
    @ObservationIgnored public var dailySettings = DailySettings()

    /// The links of other notes to the open one.
    public internal(set) var backlinks: [NoteLink] = []

    /// Whether the notebook has ever held a note; the first steps are shown until it has.
    public internal(set) var hasHeldNotes = false

    // MARK: Messages

    /// How far something long is, while one runs.
    public internal(set) var progress: TaskProgress?
    /// What is said in passing.
    public internal(set) var notice: Notice?
    public var emptyTrashAlertIsPresented = false
    /// What is asked while `emptyTrashAlertIsPresented`.
    public internal(set) var emptyTrashQuestion: Question?
    public var linkToNoteErrorIsPresented = false
    public var linkToNoteErrorMessage = ""
    public var errorAlertIsVisible = false
    public var errorAlertMessage = ""
    public var orphanRecoveryAlertVisible = false
    public var orphanRecoveryFolderName = ""

    // MARK: What it stands on

    /// How the key of a command of the list is shown, by the command's name; nil where it has none.
    ///
    /// Whoever draws the model sets it; the model itself knows no keys.
    @ObservationIgnored public var keyLabel: @MainActor (_ command: String) -> String? = { _ in nil }
    @ObservationIgnored public let notebook: Notebook
    @ObservationIgnored let scheduler: any MainScheduler
    @ObservationIgnored let now: () -> Date
    /// How wide characters are; a change of it sets every open text anew.
    @ObservationIgnored public var cellWidth: CellWidth {
        didSet { for session in open.sessions { session.measure(with: cellWidth) } }
    }
    @ObservationIgnored private(set) lazy var saver = NoteSaver(notebook: notebook, scheduler: scheduler) {
        [weak self] notice in
        self?.say(notice.text, kind: notice.kind)
    }
    @ObservationIgnored let searcher: NoteSearcher
    @ObservationIgnored var longTask: LongTask?
    @ObservationIgnored private(set) lazy var counter = BackgroundCounter(notebook: notebook, scheduler: scheduler)
    @ObservationIgnored var changeFeed: ChangeFeed?
    @ObservationIgnored var noticeTimer: ScheduledWork?
    /// Whether what is said goes by itself after a while; a face that keeps still takes it away with the next key.
    @ObservationIgnored public var noticesLeave = true
    @ObservationIgnored var readAheadTimer: ScheduledWork?
    /// Notes that were copied, for pasting.
    var copiedNotes: [NoteID] = []
    /// The place that the search began at, for `Esc` to go back to.
    @ObservationIgnored var placeBeforeSearch: Location?
    @ObservationIgnored var history = NavigationHistory()
    /// The note that was open before the one that is.
    @ObservationIgnored var noteBefore: NoteID?

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
        searcher = NoteSearcher(notebook: notebook, scheduler: scheduler)
    }

    /// How the sessions of opened notes begin.
    var configuration: EditorSession.Configuration {
        EditorSession.Configuration(cellWidth: cellWidth, settings: editorSettings)
    }
}
