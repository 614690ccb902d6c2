import Foundation
import Load
import SeededRandom
import SystemPackage
import Testing

@testable import NoteStore

/// Tests that a power cut costs no more than a second of typing, by a clock that only the test moves.
@Suite(.underLoad) struct JournalSyncTests {
    /// What a power cut may cost.
    private static let limit = Duration.seconds(1)
    /// The time that the disk takes to sync; what is written as a sync begins waits for that and for the next one.
    private static let slowness = Duration.milliseconds(300)

    @Test func `what is written is synced within a second, however the typing goes`() throws {
        let test = try TestNotebook()
        let disk = SteppedDisk()
        try test.restart(journalDisk: disk.operations)
        let row = try test.note("one")
        let typist = try Typist(test.notebook)
        var chance = SeededGenerator(seed: 1)
        for _ in 0..<100 {
            // What was typed during a sync must be synced although nothing more is typed.
            if !disk.hasUnsynced { try typist.type("a", into: row.id) }
            let pause = try disk.awaitStop()
            for _ in 0..<chance.number(in: 0...3) {
                disk.pass(pause / 4)
                try typist.type("b", into: row.id)
            }
            disk.goOn()
            _ = try disk.awaitStop()
            if chance.chance(50) { try typist.type("c", into: row.id) }
            disk.pass(Self.slowness)
            try disk.endSync()
        }
        while disk.hasUnsynced {
            _ = try disk.awaitStop()
            disk.goOn()
            _ = try disk.awaitStop()
            try disk.endSync()
        }
        #expect(disk.syncs >= 100)
        #expect(disk.greatestDelay <= Self.limit, "the longest wait for a sync was \(disk.greatestDelay)")
        disk.letGo()
        typist.die()
    }
}

/// A journal's disk whose pauses and syncs begin and end when the test says so.
private final class SteppedDisk: @unchecked Sendable {
    // Guards all properties below.
    private let lock = NSCondition()
    private var time = Duration.zero
    /// The times of the writes that no sync has covered.
    private var unsynced: [Duration] = []
    /// How long the pause is that the journal's thread is in; zero is a sync, nil is neither.
    private var stop: Duration?
    /// When the thread's stop ends at the earliest.
    private var end = Duration.zero
    private var isFree = false
    private var delay = Duration.zero
    private var syncCount = 0

    var operations: JournalDisk {
        var disk = JournalDisk.system
        disk.write = { [self] file, bytes throws(Errno) in
            lock.withLock { unsynced.append(time) }
            return try JournalDisk.system.write(file, bytes)
        }
        disk.pause = { [self] pause in halt(pause) }
        disk.sync = { [self] _ throws(Errno) in
            let covered = lock.withLock { unsynced.count }
            halt(.zero)
            lock.withLock {
                syncCount += 1
                for write in unsynced.prefix(covered) { delay = max(delay, time - write) }
                unsynced.removeFirst(covered)
                lock.broadcast()
            }
        }
        return disk
    }

    var hasUnsynced: Bool { lock.withLock { !unsynced.isEmpty } }
    var greatestDelay: Duration { lock.withLock { delay } }
    var syncs: Int { lock.withLock { syncCount } }

    /// Called by the journal's thread: it waits until the test lets it go on, and the time of the pause has passed.
    private func halt(_ pause: Duration) {
        lock.withLock {
            guard !isFree else { return }
            end = time + pause
            stop = pause
            lock.broadcast()
            while stop != nil, !isFree { lock.wait() }
            time = max(time, end)
        }
    }

    /// Waits for the thread to begin a pause or a sync, and returns the length of the pause.
    ///
    /// - Throws: `Errno.timedOut` if nobody has asked for a sync.
    func awaitStop() throws -> Duration {
        try lock.withLock {
            try wait { stop != nil }
            return stop ?? .zero
        }
    }

    /// Lets the thread finish its sync, and waits for that.
    func endSync() throws {
        try lock.withLock {
            let count = syncCount
            stop = nil
            lock.broadcast()
            try wait { syncCount > count }
        }
    }

    /// Waits with the lock held; a passing test never waits as long as the limit.
    private func wait(until condition: () -> Bool) throws {
        let limit = Date().addingTimeInterval(60)
        while !condition() {
            guard lock.wait(until: limit) else { throw Errno.timedOut }
        }
    }

    /// Lets time pass.
    func pass(_ duration: Duration) { lock.withLock { time += duration } }

    func goOn() {
        lock.withLock {
            stop = nil
            lock.broadcast()
        }
    }

    /// Lets the thread run from now on.
    func letGo() {
        lock.withLock {
            isFree = true
            lock.broadcast()
        }
    }
}
