import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ViewModel

/// Tests the threads of work in the background.
@Suite struct BackgroundThreadsTests {
    @MainActor
    @Test func `a mount that hangs takes no thread on which other work runs in the background`() throws {
        let fixture = try TemporaryNotebook()
        defer { fixture.close() }
        let model = fixture.model
        let gate = DispatchSemaphore(value: 0)
        let asked = Mutex(0)
        model.disk = Disk { _ in
            nil
        } entries: { _ in
            asked.withLock { $0 += 1 }
            gate.wait()
            gate.signal()
            return []
        }
        defer { gate.signal() }
        // More questions than there are processors, and than a thread pool has threads.
        for number in 0..<600 { model.readEntries(of: "/away/\(number)") { _ in } }
        var answer: Int?
        model.inBackground {
            42
        } then: {
            answer = $0
        }
        #expect(fixture.scheduler.run { answer == 42 })
        #expect(asked.withLock { $0 } <= 8, "folders that nobody wants any more are not read")
        var last: Int?
        model.readEntries(of: "/here") { last = $0.count }
        gate.signal()
        #expect(fixture.scheduler.run { last == 0 })
        #expect(asked.withLock { $0 } <= 10)
    }
}
