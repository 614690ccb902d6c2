import Foundation
import NoteStore
import SeededRandom
import Testing

@testable import Intelligence

/// Tests the search for the nearest of many vectors.
struct VectorScanTests {
    /// Returns random vectors, to which `planted` ones near the first are added here and there.
    private func content(
        _ random: inout SeededGenerator, count: Int, dimensions: Int, planted: Int
    ) -> (VectorFile.Content, question: [Int8]) {
        func code() -> [Int8] { (0..<dimensions).map { _ in Int8(truncatingIfNeeded: random.below(255) - 127) } }
        let question = code()
        var content = VectorFile.Content()
        let note = NoteID()
        for number in 0..<count {
            var vector = code()
            if number % (count / planted) == 0 {
                // The later a vector is planted, the more of its numbers differ from the question's.
                vector = question
                for _ in 0..<(1 + number * dimensions / (4 * count)) {
                    vector[random.below(dimensions)] = Int8(truncatingIfNeeded: random.below(255) - 127)
                }
            }
            content.add(VectorKey(note: note, text: "\(number)"), vector)
        }
        return (content, question)
    }

    @Test(arguments: [1, 7, 8, 63, 64, 65, 384])
    func `signs find what comparing all of them finds`(_ dimensions: Int) {
        var random = SeededGenerator(seed: UInt64(dimensions))
        let (content, question) = content(&random, count: 3_000, dimensions: dimensions, planted: 20)
        let all = VectorScan(content, exactLimit: .max).nearest(to: question[...], count: 20)
        let some = VectorScan(content, exactLimit: 0).nearest(to: question[...], count: 20)
        #expect(all.count == 20 && zip(all, all.dropFirst()).allSatisfy { $0.score >= $1.score })
        if dimensions > 60 { #expect(all.map(\.index) == some.map(\.index)) }
        #expect(all.first?.score == some.first?.score)
        #expect(zip(all, some).allSatisfy { $0.score >= $1.score })
    }

    @Test func `where fewer are wanted or there are fewer, that many are found`() {
        var random = SeededGenerator(seed: 3)
        let (content, question) = content(&random, count: 40, dimensions: 70, planted: 4)
        for limit in [0, Int.max] {
            let scan = VectorScan(content, exactLimit: limit)
            #expect(scan.nearest(to: question[...], count: 100).count == 40)
            #expect(scan.nearest(to: question[...], count: 3).count == 3)
            #expect(scan.nearest(to: question[...], count: 0).isEmpty)
            #expect(scan.nearest(to: question.dropLast(), count: 3).isEmpty)
        }
        #expect(VectorScan(VectorFile.Content()).nearest(to: [], count: 3).isEmpty)
    }
}
