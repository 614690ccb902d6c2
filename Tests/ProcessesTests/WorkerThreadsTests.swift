import Dispatch
import Load
import Processes
import Synchronization
import Testing

/// Tests threads of a limited number.
struct WorkerThreadsTests {
    @Test func `work that hangs takes no more threads than it may, and the rest comes in its turn`() throws {
        let threads = WorkerThreads("test.work", maximum: 3)
        let (gate, begun) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let done = DispatchSemaphore(value: 0)
        for _ in 0..<3 {
            threads.run {
                begun.signal()
                gate.wait()
            }
        }
        for _ in 0..<3 { begun.wait() }
        let order = Mutex<[Int]>([])
        for number in 0..<20 {
            threads.run {
                order.withLock { $0.append(number) }
                done.signal()
            }
        }
        #expect(threads.count == 3 && order.withLock { $0.isEmpty })
        // One thread is free again, and does all other work.
        gate.signal()
        for _ in 0..<20 { done.wait() }
        #expect(order.withLock { $0 } == Array(0..<20))
        for _ in 0..<2 { gate.signal() }
        // Without work no thread is left.
        try waitUntil { threads.count == 0 }
    }
}
