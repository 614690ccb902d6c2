import Foundation
import NoteStore
import SystemPackage

/// The state stored from one run to the next: the user's location, and the arrangement of the window.
///
/// If it cannot be read, the program starts as for the first time.
public struct SavedState: Codable, Equatable, Sendable {
    /// The path of the notebook that `location` belongs to.
    public var notebook = ""
    public var location: Location?
    public var sortBy = SortBy.created
    public var sortOrder = SortOrder.newestFirst
    public var folding = SidebarFolding()
    /// The containers that are sorted by hand; nil in states of versions without this order.
    public var handSorted: Set<ContainerID>?
    /// The widths of sidebar and list, in cells.
    public var paneWidths: [Int] = []
    /// Whether the sidebar is hidden, and whether notes have one row in the list; nil in states of earlier versions.
    public var hidesSidebar: Bool?
    public var isListCompact: Bool?

    public init() {}

    /// The file of the state, in the state folder, whose contents can be lost without harm.
    public static var file: FilePath { FilePath(Notebook.stateFolder()).appending("state.json") }

    /// Reads a state, or creates an empty one if the file cannot be read.
    public init(contentsOf file: FilePath) {
        // A lost state costs the user's location in a list; an error message at every start would be worse.
        guard let bytes = try? PrivateFile.read(file),  // the first start
            let state = try? JSONDecoder().decode(Self.self, from: Data(bytes))  // written by another version
        else {
            return
        }
        self = state
    }

    /// Writes the state atomically, readable only by its owner; creates the folder if it is missing.
    ///
    /// - Throws: the file system's error.
    public func write(to file: FilePath) throws {
        try PrivateFile.write(try JSONEncoder().encode(self), to: file)
    }
}

extension TakeNoteVM {
    /// The state to store for the next run; the window adds its own values.
    public var savedState: SavedState {
        var state = SavedState()
        state.location = search.origin?.location ?? currentLocation
        state.sortBy = sortBy
        state.sortOrder = sortOrder
        state.folding = folding
        state.handSorted = list.sortedByHand
        return state
    }

    /// Restores the arrangement of the last run; must be called before `start(at:)`.
    public func restore(_ state: SavedState) {
        list.restore(sortBy: state.sortBy, order: state.sortOrder, byHand: state.handSorted ?? [])
        sidebar.restore(state.folding)
    }
}
