import Foundation
import VimCases

// Generates random cases for vim, compares vim's results with the modal keys, and records both.
//
//     VimComparison cases COUNT SEED              a case a line, as JSON
//     VimComparison compare CASES RESULTS         what differs, as keys; status 1 below 99.5 %
//     VimComparison record CASES RESULTS          the cases that do not differ, in the form that the tests read

let arguments = CommandLine.arguments
let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]

func lines(_ path: String) throws -> [Data] {
    try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 0x0A).map { Data($0) }
}

func cases(_ path: String) throws -> [VimCase] {
    try lines(path).map { try JSONDecoder().decode(VimCase.self, from: $0) }
}

func results(_ path: String) throws -> [Int: VimResult] {
    var results: [Int: VimResult] = [:]
    for line in try lines(path) {
        // A case during which vim was killed has an incomplete line, and counts as excluded.
        guard let result = try? JSONDecoder().decode(VimResult.self, from: line) else { continue }
        results[result.number] = result
    }
    return results
}

switch arguments.dropFirst().first {
case "cases":
    let count = Int(arguments[2]) ?? 100
    var random = RandomVimCases(seed: UInt64(arguments[3]) ?? 1)
    for number in 0..<count {
        var next = random.next()
        next.number = number
        print(String(decoding: try encoder.encode(next), as: UTF8.self))
    }
case "compare":
    let (cases, results) = (try cases(arguments[2]), try results(arguments[3]))
    var (equal, missing) = (0, 0)
    for entry in cases {
        guard let vim = results[entry.number] else {
            missing += 1
            continue
        }
        // A final line feed is not a line in vim, so it must make no difference here.
        let results = [entry.result, entry.result(endsInLineFeed: true)]
        guard let ours = results.first(where: { $0 != vim }) else {
            equal += 1
            continue
        }
        print("\(entry.number): \(entry.commands.joined(separator: "  "))   at \(entry.line):\(entry.column)")
        print("  text: \(entry.lines)")
        print("  vim:  \(vim.lines) \(vim.line):\(vim.column) \(vim.shape) \(vim.register.debugDescription)")
        print("  ours: \(ours.lines) \(ours.line):\(ours.column) \(ours.shape) \(ours.register.debugDescription)")
    }
    let compared = cases.count - missing
    let share = Double(equal) / Double(max(1, compared)) * 100
    print("\(equal) of \(compared) equal, \(String(format: "%.2f", share)) %; \(missing) without an answer of vim's")
    exit(share >= 99.5 ? 0 : 1)
case "record":
    let (cases, results) = (try cases(arguments[2]), try results(arguments[3]))
    for entry in cases {
        if let result = results[entry.number], result == entry.result { print(VimRecord(entry, result).line) }
    }
default:
    print("VimComparison cases COUNT SEED | compare CASES RESULTS | record CASES RESULTS")
    exit(64)
}
