import Dispatch
import Foundation
import Load
import Synchronization
import TestSupport
import Testing

@testable import ViewModel

/// Tests the threads on which the disk is asked about paths.
@Suite struct DiskThreadsTests {
    @Test func `questions that hang take no more threads than they may, and the others come in their turn`() throws {
        let threads = DiskThreads(maximum: 3)
        let (gate, begun) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let done = DispatchSemaphore(value: 0)
        for _ in 0..<3 {
            threads.ask {
                begun.signal()
                gate.wait()
            }
        }
        for _ in 0..<3 { begun.wait() }
        let order = Mutex<[Int]>([])
        for number in 0..<20 {
            threads.ask {
                order.withLock { $0.append(number) }
                done.signal()
            }
        }
        #expect(threads.count == 3 && order.withLock { $0.isEmpty })
        // One mount answers, and its thread answers all other questions.
        gate.signal()
        for _ in 0..<20 { done.wait() }
        #expect(order.withLock { $0 } == Array(0..<20))
        for _ in 0..<2 { gate.signal() }
        // Without a question no thread is left.
        try waitUntil { threads.count == 0 }
    }

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
