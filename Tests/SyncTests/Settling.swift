import NoteStore
import SyncSchedules
import Testing

@testable import Sync

/// Synchronises the machines twice, and returns the state that all of them have.
func settled(_ machines: [Machine]) throws -> SyncState {
    for _ in 0..<2 { for machine in machines { try machine.sync() } }
    let states = try machines.map { try $0.state() }
    for (machine, state) in zip(machines, states) {
        #expect(differences(states[0], state).isEmpty)
        #expect(try machine.notebook.sync.changeCount() == 0, "\(machine.name) has unsent changes")
        #expect(try machine.notebook.care.check().isEmpty)
    }
    return states[0]
}
