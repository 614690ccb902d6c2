import SeededRandom
import Testing
import TextPrimitives

struct BinarySearchTests {
    @Test
    func `finds the first element that meets a condition`() {
        #expect([1, 3, 3, 5].partitioningIndex { $0 >= 3 } == 1)
        #expect([1, 3, 3, 5].partitioningIndex { $0 > 3 } == 3)
        #expect([1, 3].partitioningIndex { _ in true } == 0)
    }

    @Test
    func `gives the end if no element meets it`() {
        #expect([1, 3].partitioningIndex { $0 > 3 } == 2)
        #expect([Int]().partitioningIndex { _ in true } == 0)
    }

    @Test
    func `gives an index of the collection, not a distance from its start`() {
        #expect([9, 9, 1, 2, 3][2...].partitioningIndex { $0 > 1 } == 3)
        #expect((10..<20).partitioningIndex { $0 >= 15 } == 15)
        #expect((10..<20).partitioningIndex { _ in false } == 20)
    }

    @Test
    func `agrees with a walk through sorted numbers, and asks about few of them`() {
        var random = SeededGenerator(seed: 7)
        for count in 0..<64 {
            let numbers = (0..<count).map { _ in Int.random(in: 0..<40, using: &random) }.sorted()
            for bound in [-1, 0, 13, 39, 40] {
                var asked = 0
                let found = numbers.partitioningIndex {
                    asked += 1
                    return $0 >= bound
                }
                #expect(found == numbers.firstIndex { $0 >= bound } ?? count)
                // Each question halves what is left: 2^6 = 64.
                #expect(asked <= 7)
            }
        }
    }
}
