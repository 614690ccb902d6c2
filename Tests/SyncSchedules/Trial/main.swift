import Foundation
import SyncSchedules

// Runs random schedules of machines that synchronise, and prints each that fails with its seed.
//
//     SyncTrial [--count N] [--seed S] [--kind KIND] [--git] [--trace]
//     SyncTrial --texts N [--seed S]
//
// With --texts that many fuzzed texts are written as files and read again, and nothing else is done.
// With --git the machines synchronise through git itself, which is killed now and then in the kinds that kill.
// With --trace it is printed after which action of a schedule a word exists nowhere any more. The kinds take turns
// unless one is named. The exit status is 1 if a schedule failed.

var words = Array(CommandLine.arguments.dropFirst())

@MainActor func value(of option: String) -> String? {
    guard let index = words.firstIndex(of: option), index + 1 < words.count else { return nil }
    defer { words.removeSubrange(index...(index + 1)) }
    return words[index + 1]
}

func stop(_ text: String) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(64)
}

let count = value(of: "--count").map { Int($0) ?? -1 } ?? 1000
let first = value(of: "--seed").map { UInt64($0) } ?? 0
let named = value(of: "--kind")
let kinds = Schedule.Kind.allCases.filter { named == nil || $0.rawValue == named }
let tells = words.contains("--trace")
words.removeAll { $0 == "--trace" }
let usesGit = words.contains("--git")
words.removeAll { $0 == "--git" }
let texts = value(of: "--texts").map { Int($0) ?? -1 }
guard count > 0, let first, !kinds.isEmpty, words.isEmpty, texts ?? 1 > 0 else {
    let names = Schedule.Kind.allCases.map(\.rawValue).joined(separator: ", ")
    stop("SyncTrial [--count N] [--seed S] [--kind KIND] [--git] [--trace] [--texts N]; kinds are \(names)")
}
if let texts {
    var (fuzzed, done) = (FuzzedTexts(seed: first), 0)
    while done < texts {
        let failures = fuzzed.failures(notes: min(100, texts - done))
        for failure in failures { print(failure) }
        if !failures.isEmpty { exit(1) }
        done += min(100, texts - done)
    }
    print("\(texts) texts came back")
    exit(0)
}

/// Returns what is wrong with a schedule; an error that stops it counts.
func failures(_ schedule: Schedule) -> [String] {
    do { return try schedule.failures() } catch { return ["it stopped: \(error)"] }
}

let clock = ContinuousClock()
let start = clock.now
var failed = 0
for number in 0..<count {
    let (seed, kind) = (first + UInt64(number), kinds[number % kinds.count])
    var schedule = Schedule(seed: seed, kind)
    if tells { schedule.trace = { print("before \($0): lost \($1.sorted())") } }
    if usesGit { schedule.makeRemote = { try GitRemote(kills: kind != .calm) } }
    let found = failures(schedule)
    if !found.isEmpty {
        failed += 1
        // The shortest beginning of it that fails is easier to understand.
        var shorter = schedule
        let shortest = (0..<60).first { length in
            shorter.length = length
            return !failures(shorter).isEmpty
        }
        print("FAILED seed \(seed) kind \(kind), \(shortest.map { "\($0) actions suffice" } ?? "only at full length")")
        for failure in found { print("    \(failure)") }
        fflush(nil)
    }
    if number + 1 == count || (number + 1) % (usesGit ? 10 : 100) == 0 {
        let seconds = (clock.now - start) / .seconds(1)
        print("\(number + 1) schedules, \(failed) failed, \(Int(Double(number + 1) / seconds * 10)) in ten seconds")
        fflush(nil)
    }
}
exit(failed == 0 ? 0 : 1)
