import Foundation
import Load
import SeededRandom
import TerminalDriver
import Testing

/// Kills the program at random moments, again and again, and compares what is found with what had been on screen.
///
/// Each kind of work has its own notebook and thread. The thread starts the program, works, kills it with -9 and starts
/// the next one, so that one thread works while another waits.
///
/// A kill proves something only if the work was on screen before it. `KillUnderLoadTests`, which could otherwise prove
/// nothing at all, waits for that in every life; work that is never shown is an error there.
///
/// `TN_KILLS` is the total number of kills, divided evenly among the kinds. The default of 160 gives each kind sixteen,
/// enough for its work to be seen. `TN_SEED` is the seed of the random numbers.
struct KillTests {
    static let kills = number("TN_KILLS") ?? 160
    static let seed = UInt64(number("TN_SEED") ?? 1)
    /// The number of rounds of the tests that kill a command: few, since each round runs several programs.
    static let rounds = max(1, kills / 63)

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    private static let kinds: [(name: String, make: @Sendable (Workplace) throws -> any KilledWork)] = [
        ("typing", { KilledTyping($0, pastes: false) }), ("pasting", { KilledTyping($0, pastes: true) }),
        ("moving", { try KilledRelocating($0, by: .move) }), ("deleting", { try KilledRelocating($0, by: .delete) }),
        ("importing", { try KilledImporting($0) }), ("migrating", { try KilledMigrating($0) }),
        ("emptying the Trash", { try KilledEmptying($0) }), ("renaming", { try KilledRenaming($0) }),
        ("merging", { try KilledMerging($0) }), ("replacing in all notes", { try KilledReplacing($0) }),
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
            // The compared values recurse little, but a debug build has large stack frames.
            lane.stackSize = 4 << 20
            lane.start()
        }
        log.waitForEnd(of: lanes.count)
        print("killed \(log.kills) times; seen to be done: \(log.seen)")
        #expect(log.faults == [])
        #expect(log.kills == lives * Self.kinds.count)
        // A kill proves something only if the work had been seen, which depends on the load of the machine.
        #expect(log.seen.values.contains { $0 > 0 })
    }
}

/// Kills the program while every processor is busy: only the order of operations keeps its work safe then.
///
/// No load of its own, but the one that all suites under load share, keeps the processors busy.
@Suite(.underLoad)
struct KillUnderLoadTests {
    /// - Parameter core: the only processor that the program may use; nil for all.
    @Test(arguments: [nil, 0]) func `what was painted is there after a kill while every core is busy`(
        core: Int?
    ) throws {
        let log = KillLog()
        let lives = max(2, KillTests.kills / 63)
        for burst in [1, 600] {
            let name = "typing \(burst) at once"
            let seed = KillTests.seed &+ UInt64(burst)
            var lane = KillLane(name, try Workplace(), seed: seed, core: core, isShown: true)
            try lane.run(lives: lives, { KilledTyping($0, burst: burst) }, log)
            #expect(log.seen[name] == lives, "a kill before anything was shown proves nothing")
        }
        print("killed \(log.kills) times with every core busy; seen to be done: \(log.seen)")
        #expect(log.faults == [])
    }
}

/// Repeated kills during one kind of work.
private struct KillLane {
    let name: String
    let workplace: Workplace
    let seed: UInt64
    /// The only processor that the program may use; nil for all.
    let core: Int?
    /// Whether no life is killed before its work was on screen.
    let isShown: Bool

    init(_ name: String, _ workplace: Workplace, seed: UInt64, core: Int? = nil, isShown: Bool = false) {
        (self.name, self.workplace, self.seed, self.core, self.isShown) = (name, workplace, seed, core, isShown)
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
            if isShown { try awaitSight(of: work, in: life) }
            guard life.kill() else { throw PseudoTerminal.Failure(description: "life \(number) ended before the kill") }
            log.addKill(of: name, seen: work.wasSeen(in: life))
            if work.isFoundByRestart {
                last = life
            } else {
                note(try work.fault(workplace, after: life), after: life, log)
            }
        }
    }

    /// Waits until the work has been on screen.
    private func awaitSight(of work: any KilledWork, in life: KilledLife) throws {
        let end = PseudoTerminal.now + UInt64(PseudoTerminal.patience * 1e9)
        while !work.wasSeen(in: life) {
            guard PseudoTerminal.now < end, !life.terminal.isClosed else {
                throw PseudoTerminal.Failure(
                    description: "\(name), seed \(seed), life \(life.number) never showed its work:\n\(life.lastShown)")
            }
            try life.linger(milliseconds: 20)
        }
    }

    private func note(_ fault: String?, after life: KilledLife, _ log: KillLog) {
        guard let fault else { return }
        log.add(fault: "\(name), seed \(seed), life \(life.number), on screen:\n\(life.lastShown)\n\(fault)")
    }

    /// Ends the last life normally, and checks that the program itself finds nothing wrong.
    private func end(_ life: KilledLife, _ log: KillLog) throws {
        try life.terminal.wait(for: "Inbox")
        try life.terminal.send("\u{11}")
        if life.terminal.waitForExit() != 0 { log.add(fault: "\(name): the last program did not end well") }
        let doctor = try workplace.tn("doctor")
        if doctor.output.contains("!!") { log.add(fault: "\(name): \(doctor.output)") }
    }
}

/// The results of the lanes.
private final class KillLog: @unchecked Sendable {
    // Guards all properties below.
    private let lock = NSCondition()
    private var found: [String] = []
    private var killed = 0
    private var seenKills: [String: Int] = [:]
    private var ended = 0

    var faults: [String] { lock.withLock { found } }
    var kills: Int { lock.withLock { killed } }
    /// For each kind, the number of lives in which the finished work had been seen.
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
