import Foundation
import FuzzInvariants
import Testing

/// What is run under libFuzzer by `Tests/Fuzzing/run.sh`, over its seeds and over all that was ever found.
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
        var state: UInt64 = 1
        func chance(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(1, below)
        }
        for _ in 0..<count {
            var input = seeds[chance(seeds.count)]
            for _ in 0...chance(4) {
                let other = seeds[chance(seeds.count)]
                let place = chance(input.count + 1)
                switch chance(3) {
                case 0: input.insert(UInt8(chance(256)), at: place)
                case 1: input.removeSubrange(place..<min(input.count, place + chance(8)))
                default: input.insert(contentsOf: other[chance(other.count)...].prefix(chance(12)), at: place)
                }
            }
            #expect(target.fault(in: input) == nil, "\(input)")
        }
    }
}
