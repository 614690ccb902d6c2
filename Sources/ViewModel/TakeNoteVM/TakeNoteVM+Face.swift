import NoteStore

/// The state under the names of the TakeNote app.
///
/// Nothing is kept here: each member is one of the values of `TakeNoteVM`, whose functions alone change it.
extension TakeNoteVM {
    // MARK: The sidebar

    /// The whole tree, in display order.
    public var containers: [NoteContainer] { sidebar.containers }
    /// The lines of the sidebar.
    public var sidebarRows: [SidebarRow] { sidebar.rows }
    /// Which parts of the sidebar are unfolded.
    public var folding: SidebarFolding { sidebar.folding }
    /// The searches that are kept under a name, in the order of their names.
    public var savedSearches: [SavedSearch] { sidebar.savedSearches }
    /// How many notes each saved search finds; one that is not counted yet is not in it.
    public var savedSearchCounts: [SavedSearchID: Int] { sidebar.savedSearchCounts }
    /// Whether the notebook has ever held a note; the first steps are shown until it has.
    public var hasHeldNotes: Bool { sidebar.hasHeldNotes }

    // MARK: The list

    /// What the note list shows.
    public var selectedContainer: NoteContainer? { list.container }
    /// The notes of the selected container, or the hits of a search.
    public var noteList: NoteList { list.notes }
    /// The index of the note that the list's cursor is on; 0 in an empty list.
    public var listCursor: Int { list.cursor }
    /// The notes marked for an action on many, in the order of marking.
    public var markedNotes: [NoteRow] { list.marks }
    public var sortBy: SortBy { list.sortBy }
    public var sortOrder: SortOrder { list.sortOrder }
    /// The tag that the list is narrowed to.
    public var tagFilter: ContainerID? { list.tagFilter }
    /// The words of the selected folder's or project's notes together; nil where there is none or it is not counted yet.
    public var containerWordCount: Int? { list.wordCount }

    // MARK: The search

    /// What is searched for; empty when nothing is.
    public var noteSearchText: String { search.text }
    /// The hits of the search by note, with their snippets.
    public var searchHits: [NoteID: SearchHit] { search.hits }
    /// What there is to tell about the search: unknown filters, archived notes that it leaves out.
    public var searchRemarks: [SearchRemark] { search.remarks }
    /// Whether the container is being changed by opening a hit, which keeps the search.
    public var isSearchNavigating: Bool { search.isNavigating }
    /// Whether the hits are still those of what was searched for before.
    public var isSearchPending: Bool { search.isPending }
    /// Whether the hits are in their final, ranked order.
    public var isSearchRanked: Bool { search.isRanked }
    /// The saved search whose hits the list shows.
    public var selectedSavedSearch: SavedSearchID? { search.saved }

    // MARK: The open note

    /// The note in the editor, without its text.
    public var openNote: NoteRow? { open.row }
    /// The text of the open note.
    public var session: EditorSession? { open.session }
    /// The links of other notes to the open one.
    public var backlinks: [NoteLink] { open.backlinks }
    /// Whether the text has the keys: then only what chooses a note itself opens another.
    public var isWriting: Bool {
        get { open.hasKeys }
        set {
            open.setHasKeys(newValue)
            if newValue { search.keepHit() }
        }
    }

    // MARK: Messages

    /// What is said in passing.
    public var notice: Notice? { messages.notice }
    /// Whether notices disappear by themselves after a while; otherwise the next key dismisses them.
    public var noticesLeave: Bool {
        get { messages.noticesExpire }
        set { messages.setNoticesExpire(newValue) }
    }
    public var emptyTrashAlertIsPresented: Bool {
        get { messages.isAskingToEmptyTrash }
        set { messages.setAskingToEmptyTrash(newValue) }
    }
    /// What is asked while `emptyTrashAlertIsPresented`.
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

    /// How far something long is, while one runs.
    public var progress: TaskProgress? { tasks.progress }
}
