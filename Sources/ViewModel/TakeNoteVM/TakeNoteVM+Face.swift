import NoteStore

/// The state under the names of the TakeNote app.
///
/// Nothing is stored here: each member returns a value of the state objects of `TakeNoteVM`, which alone change it.
extension TakeNoteVM {
    // MARK: Sidebar

    /// The whole tree, in display order.
    public var containers: [NoteContainer] { sidebar.containers }
    /// The lines of the sidebar.
    public var sidebarRows: [SidebarRow] { sidebar.rows }
    /// The fold state of the sidebar.
    public var folding: SidebarFolding { sidebar.folding }
    /// The saved searches, sorted by name.
    public var savedSearches: [SavedSearch] { sidebar.savedSearches }
    /// The number of notes that each saved search finds; a search that is not counted yet is missing.
    public var savedSearchCounts: [SavedSearchID: Int] { sidebar.savedSearchCounts }
    /// Whether the notebook has ever held a note; the first steps are shown until it has.
    var hasHeldNotes: Bool { sidebar.hasHeldNotes }

    // MARK: List

    /// The container shown in the note list.
    public var selectedContainer: NoteContainer? { list.container }
    /// The notes of the selected container, or the hits of a search.
    public var noteList: NoteList { list.notes }
    /// The index of the note under the list's cursor; 0 in an empty list.
    public var listCursor: Int { list.cursor }
    /// The notes marked for an action on many, in the order of marking.
    public var markedNotes: [NoteRow] { list.marks }
    public var sortBy: SortBy { list.sortBy }
    public var sortOrder: SortOrder { list.sortOrder }
    /// The tag by which the list is filtered.
    public var tagFilter: ContainerID? { list.tagFilter }
    /// The number of words in the selected folder or project; nil if there is no such number or it is not counted yet.
    public var containerWordCount: Int? { list.wordCount }

    // MARK: Search

    /// The search text; empty if there is no search.
    public var noteSearchText: String { search.text }
    /// The hits of the search by note, with their snippets.
    public var searchHits: [NoteID: SearchHit] { search.hits }
    /// The remarks about the search: unknown filters, archived notes that it omits.
    public var searchRemarks: [SearchRemark] { search.remarks }
    /// Whether opening a hit is changing the selected container, which keeps the search.
    public var isSearchNavigating: Bool { search.isNavigating }
    /// Whether the hits are still those of the previous search text.
    public var isSearchPending: Bool { search.isPending }
    /// Whether the hits are in their final, ranked order.
    public var isSearchRanked: Bool { search.isRanked }
    /// The saved search whose hits the list shows.
    public var selectedSavedSearch: SavedSearchID? { search.saved }

    // MARK: Open note

    /// The note in the editor, without its text.
    public var openNote: NoteRow? { open.row }
    /// The text of the open note.
    public var session: EditorSession? { open.session }
    /// The links of other notes to the open one.
    public var backlinks: [NoteLink] { open.backlinks }
    /// Whether the text has the focus: then only choosing a note opens another one.
    public var isWriting: Bool {
        get { open.hasKeys }
        set {
            open.setHasKeys(newValue)
            if newValue { search.keepHit() }
        }
    }

    // MARK: Messages

    /// The current notice.
    public var notice: Notice? { messages.notice }
    /// Whether notices disappear by themselves after a while; otherwise the next key dismisses them.
    public var noticesExpire: Bool {
        get { messages.noticesExpire }
        set { messages.setNoticesExpire(newValue) }
    }
    public var emptyTrashAlertIsPresented: Bool {
        get { messages.isAskingToEmptyTrash }
        set { messages.setAskingToEmptyTrash(newValue) }
    }
    /// The question shown while `emptyTrashAlertIsPresented`.
    public var emptyTrashQuestion: Question? { messages.trashQuestion }
    public var linkToNoteErrorIsPresented: Bool {
        get { messages.linkError.isPresented }
        set { messages.set(linkError: .init(isPresented: newValue, message: messages.linkError.message)) }
    }
    public var linkToNoteErrorMessage: String { messages.linkError.message }
    public var errorAlertIsVisible: Bool {
        get { messages.error.isPresented }
        set { messages.set(error: .init(isPresented: newValue, message: messages.error.message)) }
    }
    public var errorAlertMessage: String { messages.error.message }
    public var orphanRecoveryAlertVisible: Bool {
        get { messages.recovery.isPresented }
        set { messages.set(recovery: .init(isPresented: newValue, message: messages.recovery.message)) }
    }
    public var orphanRecoveryFolderName: String { messages.recovery.message }

    // MARK: Tasks

    /// The progress of the running task; nil if there is none.
    public var progress: TaskProgress? { tasks.progress }
}
