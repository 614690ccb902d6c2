import Foundation
import NoteStore

/// What is kept from one run to the next: where the user was, and how the window was arranged.
///
/// A state that cannot be read is no state: the program starts as it did the first time.
public struct SavedState: Codable, Equatable, Sendable {
    /// The notebook that `location` belongs to: its path.
    public var notebook = ""
    public var location: Location?
    public var sortBy = SortBy.created
    public var sortOrder = SortOrder.newestFirst
    public var folding = SidebarFolding()
    /// The containers that are sorted by hand; nil in states of before there were such.
    public var handSorted: Set<ContainerID>?
    /// Widths of sidebar and list in cells, as the window keeps them.
    public var paneWidths: [Int] = []

    public init() {}

    /// Where the state is kept: in the folder for state, which may be lost.
    public static var file: URL { URL(filePath: Notebook.stateFolder()).appending(path: "state.json") }

    /// Reads a state, or gives an empty one where there is none that can be read.
    public init(contentsOf file: URL) {
        // A lost state costs the place in a list; an error message at every start would cost more.
        guard let data = try? Data(contentsOf: file),  // the first start
            let state = try? JSONDecoder().decode(Self.self, from: data)  // written by another version
        else {
            return
        }
        self = state
    }

    /// Writes the state in one step, readable by its owner alone, in a folder that is made if need be.
    ///
    /// - Throws: what the file system says.
    public func write(to file: URL) throws {
        let folder = file.deletingLastPathComponent()
        if !FileManager.default.fileExists(atPath: folder.path) {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        try JSONEncoder().encode(self).write(to: file, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
}

extension TakeNoteVM {
    /// What is to be kept for the next run; the window adds its own part.
    public var savedState: SavedState {
        var state = SavedState()
        state.location = search.origin ?? currentPlace
        state.sortBy = sortBy
        state.sortOrder = sortOrder
        state.folding = folding
        state.handSorted = list.sortedByHand
        return state
    }

    /// Takes over the arrangement of the last run, before `start(at:)`.
    public func restore(_ state: SavedState) {
        list.restore(sortBy: state.sortBy, order: state.sortOrder, byHand: state.handSorted ?? [])
        sidebar.restore(state.folding)
    }
}
