/// The notebook's functions by topic: `notebook.search.hits("pears")`, `notebook.trash.empty()`.
///
/// Each topic is a struct over the notebook with a file or a folder of its name; making one costs almost nothing.
extension Notebook {
    /// Single notes: making, reading, saving and changing them.
    public var notes: Notes { Notes(notebook: self) }
    /// The lists of notes as they are shown: rows, counts, positions, manual order.
    public var lists: Lists { Lists(notebook: self) }
    /// The containers of the tree: the tree itself, paths, names, colours and symbols.
    public var containers: Containers { Containers(notebook: self) }
    /// Folders: making and moving them.
    public var folders: Folders { Folders(notebook: self) }
    /// Projects with their templates.
    public var projects: Projects { Projects(notebook: self) }
    /// Tags, and which notes have them.
    public var tags: Tags { Tags(notebook: self) }
    /// Trash: moving in, restoring, and deleting for ever.
    public var trash: Trash { Trash(notebook: self) }
    /// Notes that were cut and not yet pasted.
    public var buffer: Buffer { Buffer(notebook: self) }
    /// Links between notes, in both directions.
    public var links: Links { Links(notebook: self) }
    /// Images that notes show.
    public var images: Images { Images(notebook: self) }
    /// Files of other kinds that notes refer to.
    public var attachments: Attachments { Attachments(notebook: self) }
    /// Earlier texts of notes.
    public var versions: Versions { Versions(notebook: self) }
    /// Undo and redo of actions in the lists.
    public var actions: Actions { Actions(notebook: self) }
    /// Full-text search.
    public var search: Search { Search(notebook: self) }
    /// The notes that may be sent to a language model, and the search for passages that answer a question.
    public var retrieval: Retrieval { Retrieval(notebook: self) }
    /// Searches saved under a name.
    public var savedSearches: SavedSearches { SavedSearches(notebook: self) }
    /// The open tasks of all live notes.
    public var tasks: Tasks { Tasks(notebook: self) }
    /// The journals of running programs, and the recovery from those of dead ones.
    public var journal: Journal { Journal(notebook: self) }
    /// Copies of the whole notebook.
    public var backups: Backups { Backups(notebook: self) }
    /// Import, export, archives, and the feed for widgets.
    public var transfer: Transfer { Transfer(notebook: self) }
    /// The reading and writing of the notebook for a synchronisation with other machines.
    public var sync: Sync { Sync(notebook: self) }
    /// Values that are stored in the notebook by key.
    public var settings: Settings { Settings(notebook: self) }
    /// Checking, maintenance and repair.
    public var care: Care { Care(notebook: self) }

    public struct Notes: Sendable { public let notebook: Notebook }
    public struct Lists: Sendable { public let notebook: Notebook }
    public struct Containers: Sendable { public let notebook: Notebook }
    public struct Folders: Sendable { public let notebook: Notebook }
    public struct Projects: Sendable { public let notebook: Notebook }
    public struct Tags: Sendable { public let notebook: Notebook }
    public struct Trash: Sendable { public let notebook: Notebook }
    public struct Buffer: Sendable { public let notebook: Notebook }
    public struct Links: Sendable { public let notebook: Notebook }
    public struct Images: Sendable { public let notebook: Notebook }
    public struct Attachments: Sendable { public let notebook: Notebook }
    public struct Versions: Sendable { public let notebook: Notebook }
    public struct Actions: Sendable { public let notebook: Notebook }
    public struct Search: Sendable { public let notebook: Notebook }
    public struct Retrieval: Sendable { public let notebook: Notebook }
    public struct SavedSearches: Sendable { public let notebook: Notebook }
    public struct Tasks: Sendable { public let notebook: Notebook }
    public struct Journal: Sendable { public let notebook: Notebook }
    public struct Backups: Sendable { public let notebook: Notebook }
    public struct Transfer: Sendable { public let notebook: Notebook }
    public struct Sync: Sendable { public let notebook: Notebook }
    public struct Settings: Sendable { public let notebook: Notebook }
    public struct Care: Sendable { public let notebook: Notebook }
}
