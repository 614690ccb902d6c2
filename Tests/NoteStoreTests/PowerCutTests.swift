import FaultInjection
import Foundation
import SeededRandom
import Testing

@testable import NoteStore

/// Simulates a power cut at each change of the disk, after which everything that was not synced is arbitrary.
///
/// The notebook opens and is valid; acknowledged changes are in it, and no change is half done.
extension FaultTests {
    @Test(.enabled(if: power_is_possible() != 0), arguments: PowerScenario.all)
    func `a power cut at any change loses nothing that was promised`(_ scenario: PowerScenario) throws {
        let scene = PowerScene(disk: try RecordedDisk())
        let check = try scenario.play(scene)
        #expect(try scene.disk.isWhole(), "a change of the disk was not recorded")
        let environment = ProcessInfo.processInfo.environment
        let isThorough = environment["TN_FAULTS"] == "all"
        let start = environment["TN_SEED"].flatMap(UInt64.init) ?? 0
        let cuts = scene.disk.cuts(thoroughly: isThorough, count: scenario.cuts, afterNames: scenario.trials)
        for (cut, count) in cuts.sorted(by: { $0.key < $1.key }) {
            for seed in 0..<UInt64(count) {
                var chance = SeededGenerator(seed: start &+ UInt64(cut) * 31 + seed)
                let folder = try scene.disk.lay(scene.disk.contents(after: cut, &chance), isInPlace: scenario.isInPlace)
                let comment = "seed \(start &+ seed), cut \(scene.disk.describe(cut))"
                do {
                    try check(Aftermath(folder: folder, cut: cut, scene: scene, comment: comment))
                } catch {
                    Issue.record("\(comment): \(error)")
                }
            }
        }
    }
}
