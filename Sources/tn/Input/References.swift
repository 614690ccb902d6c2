import ArgumentParser
import NoteStore

extension Notebook.Notes {
    /// Returns the notes for references, each once; throws if one is unknown, so that nothing is done to any of them.
    func resolve(_ references: [String]) throws -> [NoteID] {
        try references.map { try resolve(reference: $0).id }.once
    }
}

extension Array where Element: Hashable {
    /// The elements in their order, each once.
    var once: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Notebook.Containers {
    /// Returns the container at a path; nil if there is none.
    func existing(path: String) throws(StoreError) -> NoteContainer? {
        do {
            return try resolve(path: path)
        } catch {
            guard case .noSuchPath = error else { throw error }
            return nil
        }
    }
}

extension Notebook.Tags {
    /// - Throws: `Failure` if there is no such tag.
    func existing(_ name: String) throws -> NoteContainer {
        guard let tag = try find(named: name) else {
            throw Failure.noTag(name)
        }
        return tag
    }
}

extension Notebook.Folders {
    /// Returns the folder at a path, or the Inbox, if it can hold new notes.
    func forNotes(path: String) throws -> ContainerID {
        let container = try notebook.containers.resolve(path: path)
        guard container.takesNewNotes else { throw StoreError.cannotHoldNotes(container: container.name) }
        return container.id
    }
}

extension Notebook.Tags {
    /// Returns the tags with these names; missing ones are created.
    func ids(named names: [String]) throws -> [ContainerID] {
        try names.map { try findOrCreate($0).id }
    }
}

extension ArgumentHelp {
    static let reference = ArgumentHelp(
        "A takenote:// URL, a UUID, a title, or the first 4 or more characters of a UUID.", valueName: "ref")
    static let references = ArgumentHelp(
        "Notes: takenote:// URLs, UUIDs, titles, or the first 4 or more characters of UUIDs.", valueName: "ref")
}
