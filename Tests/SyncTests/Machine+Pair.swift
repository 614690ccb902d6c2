import SyncSchedules

@testable import NoteStore

extension Machine {
    /// Makes two machines that share a remote.
    static func pair(_ remote: any SharedRemote) throws -> (here: Machine, there: Machine) {
        (try Machine("here", remote), try Machine("there", remote))
    }

    /// Makes two machines that share a remote, and have synchronised a note.
    static func pair(
        _ remote: any SharedRemote, sharing note: NewNote
    ) throws -> (here: Machine, there: Machine, note: NoteID) {
        let (here, there) = try pair(remote)
        let id = try here.notebook.notes.create(note).id
        for machine in [here, there] { try machine.sync() }
        return (here, there, id)
    }
}
