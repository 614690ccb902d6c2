import Foundation
import SeededRandom
import Synchronization
import TerminalDriver
import Testing

/// Kills the program at moments of chance, again and again, and compares what is found with what had been on screen.
///
/// Every kind of work has a notebook of its own and a thread that starts the program, works, kills it with -9 and
/// starts the next one, so that the waiting of one is the working of another.
///
/// `TN_KILLS` is how many times in all, spread evenly over the kinds: 140, of which each kind has twenty, which is enough to
/// be seen at work, and 504 to be seen with every core busy as well; `TN_SEED` where chance begins.
struct KillTests {
    static let kills = number("TN_KILLS") ?? 140
    static let seed = UInt64(number("TN_SEED") ?? 1)
    /// For those tests that kill a command: few, since each time costs several programs.
    static let rounds = max(1, kills / 63)

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    private static let kinds: [(name: String, make: @Sendable (Workplace) throws -> any KilledWork)] = [
        ("typing", { KilledTyping($0, pastes: false) }), ("pasting", { KilledTyping($0, pastes: true) }),
        ("moving", { try KilledRelocating($0, by: .move) }), ("deleting", { try KilledRelocating($0, by: .delete) }),
        ("importing", { try KilledImporting($0) }), ("migrating", { try KilledMigrating($0) }),
        ("emptying the Trash", { try KilledEmptying($0) }),
    ]

    @Test func `nothing is lost, whatever the program is doing when it is killed`() throws {
        let log = KillLog()
        let lives = max(1, Self.kills / Self.kinds.count)
        let lanes = Self.kinds.enumerated().map { index, kind in
            Thread { @Sendable in
                defer { log.laneEnded() }
                do {
                    var lane = KillLane(kind.name, try Workplace(), seed: Self.seed &+ UInt64(index) * 7919)
                    try lane.run(lives: lives, kind.make, log)
                } catch {
                    log.add(fault: "\(kind.name): \(error)")
                }
            }
        }
        for lane in lanes {
            // What is compared recurses little, but a debug build takes long frames.
            lane.stackSize = 4 << 20
            lane.start()
        }
        log.waitForEnd(of: lanes.count)
        print("killed \(log.kills) times; seen to be done: \(log.seen)")
        #expect(log.faults == [])
        #expect(log.kills == lives * Self.kinds.count)
        // A kill proves something when what it might have lost had been seen; what is seen is up to the machine's load.
        #expect(log.seen.values.contains { $0 > 0 })
    }
}

extension KillTests {
    /// The work that a load of the test's own leaves no processor to: nothing but the order of things keeps it safe.
    @Test(arguments: [nil, 0]) func `what was painted is there after a kill while every core is busy`(
        core: Int?
    ) throws {
        let load = BusyCores()
        defer { load.end() }
        let log = KillLog()
        for burst in [1, 600] {
            var lane = KillLane(
                "typing \(burst) at once", try Workplace(), seed: Self.seed &+ UInt64(burst), core: core)
            try lane.run(lives: max(2, Self.kills / 63), { KilledTyping($0, burst: burst) }, log)
        }
        print("killed \(log.kills) times with every core busy; seen to be done: \(log.seen)")
        #expect(log.faults == [])
    }
}

/// Keeps every processor busy until it is ended.
private final class BusyCores: Sendable {
    private let isEnded = Atomic(false)

    init() {
        for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
            Thread { @Sendable [self] in
                while !isEnded.load(ordering: .relaxed) {}
            }.start()
        }
    }

    func end() { isEnded.store(true, ordering: .relaxed) }
}

/// One kind of work, killed again and again.
private struct KillLane {
    let name: String
    let workplace: Workplace
    let seed: UInt64
    /// The only processor that the program may use; nil: all.
    let core: Int?

    init(_ name: String, _ workplace: Workplace, seed: UInt64, core: Int? = nil) {
        (self.name, self.workplace, self.seed, self.core) = (name, workplace, seed, core)
    }

    mutating func run(
        lives: Int, _ make: (Workplace) throws -> any KilledWork, _ log: KillLog
    ) throws {
        var chance = SeededGenerator(seed: seed)
        var work = try make(workplace)
        var last: KilledLife?
        for number in 0...lives {
            if last == nil { try work.prepare(number, &chance) }
            let life = try KilledLife(workplace, number: number, core: core)
            try work.awaitStart(life)
            if let last { note(try work.fault(workplace, after: last), after: last, log) }
            last = nil
            guard number < lives else { return try end(life, log) }
            try work.live(life, &chance)
            guard life.kill() else { throw PseudoTerminal.Failure(description: "life \(number) ended before the kill") }
            log.addKill(of: name, seen: work.wasSeen(in: life))
            if work.isFoundByRestart {
                last = life
            } else {
                note(try work.fault(workplace, after: life), after: life, log)
            }
        }
    }

    private func note(_ fault: String?, after life: KilledLife, _ log: KillLog) {
        guard let fault else { return }
        log.add(fault: "\(name), seed \(seed), life \(life.number), on screen:\n\(life.lastShown)\n\(fault)")
    }

    /// The last life ends as it should, and the program itself finds nothing wrong.
    private func end(_ life: KilledLife, _ log: KillLog) throws {
        try life.terminal.wait(for: "Inbox")
        try life.terminal.send("\u{11}")
        if life.terminal.waitForExit() != 0 { log.add(fault: "\(name): the last program did not end well") }
        let doctor = try workplace.tn("doctor")
        if doctor.output.contains("!!") { log.add(fault: "\(name): \(doctor.output)") }
    }
}

/// What the lanes have found.
private final class KillLog: @unchecked Sendable {
    // Guards all below.
    private let lock = NSCondition()
    private var found: [String] = []
    private var killed = 0
    private var seenKills: [String: Int] = [:]
    private var ended = 0

    var faults: [String] { lock.withLock { found } }
    var kills: Int { lock.withLock { killed } }
    /// In how many lives of each kind the work had been seen to be done.
    var seen: [String: Int] { lock.withLock { seenKills } }

    func add(fault: String) { lock.withLock { found.append(fault) } }

    func addKill(of kind: String, seen: Bool) {
        lock.withLock {
            killed += 1
            seenKills[kind, default: 0] += seen ? 1 : 0
        }
    }

    func laneEnded() {
        lock.withLock {
            ended += 1
            lock.broadcast()
        }
    }

    func waitForEnd(of count: Int) {
        lock.withLock { while ended < count { lock.wait() } }
    }
}
