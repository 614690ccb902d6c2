import Foundation
import FuzzInvariants
import SeededRandom
import Testing

/// Runs the targets of `Tests/Fuzzing/run.sh` with libFuzzer's seeds and all inputs ever found.
struct FuzzingTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    private func inputs(_ kind: String, _ target: FuzzTarget) throws -> [URL] {
        let folder = Self.folder.appending(path: kind).appending(path: target.name)
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    }

    @Test(arguments: FuzzTarget.all)
    func `seeds and findings are without fault`(_ target: FuzzTarget) throws {
        let seeds = try inputs("Seeds", target)
        #expect(seeds.count >= 3)
        for file in try seeds + inputs("Findings", target) {
            let input = try Data(contentsOf: file)
            #expect(target.fault(in: Array(input)) == nil, "\(file.lastPathComponent)")
        }
    }

    @Test(arguments: FuzzTarget.all)
    func `mutated seeds are without fault`(_ target: FuzzTarget) throws {
        let seeds = try inputs("Seeds", target).sorted { $0.path < $1.path }.map { try Array(Data(contentsOf: $0)) }
        let count = ProcessInfo.processInfo.environment["FUZZ_INPUTS"].flatMap { Int($0) } ?? 60
        var random = SeededGenerator(seed: 1)
        for _ in 0..<count {
            var input = random.pick(seeds)
            for _ in 0...random.below(4) {
                let other = random.pick(seeds)
                let offset = random.below(input.count + 1)
                switch random.below(3) {
                case 0: input.insert(UInt8(random.below(256)), at: offset)
                case 1: input.removeSubrange(offset..<min(input.count, offset + random.below(8)))
                default:
                    input.insert(contentsOf: other[random.below(other.count)...].prefix(random.below(12)), at: offset)
                }
            }
            #expect(target.fault(in: input) == nil, "\(input)")
        }
    }
}
