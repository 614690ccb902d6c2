import NoteStore

/// A search for the vectors nearest to a given one.
///
/// Among many vectors the signs alone (one bit per number) are compared first. They select candidates, which are then
/// compared exactly. A search among 300,000 vectors of 384 numbers thus costs a tenth of comparing all of them exactly,
/// and each further search costs less.
public struct VectorScan: Sendable {
    private let content: VectorFile.Content
    /// The signs of all vectors, one vector after the other, or empty if all are compared exactly.
    private let signs: [UInt64]
    /// The number of words that hold the signs of one vector.
    private let words: Int

    /// The number of vectors up to which all are compared exactly, which takes a few milliseconds.
    private static let exactLimit = 16_384
    /// The number of candidates that are compared exactly for each wanted vector.
    private static let surplus = 20
    /// The minimum number of candidates that are compared exactly.
    private static let minimumCompared = 1000

    public init(_ content: VectorFile.Content) { self.init(content, exactLimit: Self.exactLimit) }

    /// - Parameter exactLimit: The number of vectors up to which all are compared exactly, for tests.
    init(_ content: VectorFile.Content, exactLimit: Int) {
        self.content = content
        words = (content.dimensions + 63) / 64
        signs = content.keys.count > exactLimit ? Self.signs(of: content.codes, each: content.dimensions) : []
    }

    /// Returns the vectors nearest to a given one with their cosines, the nearest first.
    public func nearest(to code: ArraySlice<Int8>, count: Int) -> [(index: Int, score: Float)] {
        guard code.count == content.dimensions, !content.isEmpty, count > 0 else { return [] }
        let candidates =
            signs.isEmpty
            ? Array(content.keys.indices)
            : alike(
                Self.signs(of: Array(code), each: code.count), count: max(Self.minimumCompared, Self.surplus * count))
        var best: [(index: Int, score: Float)] = []
        var least = -Float.infinity
        for (index, score) in zip(candidates, cosines(of: candidates, with: Array(code)))
        where score > least || best.count < count {
            best.append((index, score))
            if best.count >= 4 * count {
                best.sort { ($0.score, $1.index) > ($1.score, $0.index) }
                best.removeLast(best.count - count)
                least = best.last?.score ?? least
            }
        }
        best.sort { ($0.score, $1.index) > ($1.score, $0.index) }
        return Array(best.prefix(count))
    }

    /// Returns the indices of at least `count` vectors whose signs are most similar to the given ones, or of all
    /// vectors if there are fewer.
    private func alike(_ code: [UInt64], count: Int) -> [Int] {
        let (words, number) = (words, content.keys.count)
        var histogram = [Int](repeating: 0, count: words * 64 + 1)
        let distances = [UInt16](unsafeUninitializedCapacity: number) { distances, used in
            code.withUnsafeBufferPointer { code in
                signs.withUnsafeBufferPointer { signs in
                    for index in 0..<number {
                        var distance = 0
                        for word in 0..<words { distance += (code[word] ^ signs[index * words + word]).nonzeroBitCount }
                        distances[index] = UInt16(truncatingIfNeeded: distance)
                        histogram[distance] += 1
                    }
                }
            }
            used = number
        }
        // Find the smallest distance within which there are enough vectors.
        var (limit, within) = (0, histogram[0])
        while within < min(count, number) {
            limit += 1
            within += histogram[limit]
        }
        return distances.indices.filter { Int(distances[$0]) <= limit }
    }

    private func cosines(of indices: [Int], with code: [Int8]) -> [Float] {
        let size = content.dimensions
        let own = Float(max(VectorCode.dot(code[...], code[...]), 1)).squareRoot()
        return code.withUnsafeBufferPointer { code in
            content.codes.withUnsafeBufferPointer { codes in
                indices.map { index in
                    let start = index * size
                    var (product, square): (Int32, Int32) = (0, 0)
                    for offset in 0..<size {
                        // A product of two signed bytes fits into 16 bits, the width at which processors multiply the
                        // most numbers at once.
                        let (one, other) = (Int16(code[offset]), Int16(codes[start + offset]))
                        product &+= Int32(one &* other)
                        square &+= Int32(other &* other)
                    }
                    return square == 0 ? 0 : Float(product) / (own * Float(square).squareRoot())
                }
            }
        }
    }

    /// Returns the signs of vectors, each beginning at a word of its own.
    private static func signs(of codes: [Int8], each size: Int) -> [UInt64] {
        let words = (size + 63) / 64
        guard size > 0 else { return [] }
        let count = codes.count / size
        return [UInt64](unsafeUninitializedCapacity: count * words) { signs, used in
            codes.withUnsafeBytes { codes in
                for vector in 0..<count {
                    for word in 0..<words {
                        let start = vector * size + word * 64
                        signs[vector * words + word] = Self.signs(of: codes, start, min(64, size - word * 64))
                    }
                }
            }
            used = count * words
        }
    }

    /// Returns the signs of at most 64 numbers.
    private static func signs(of codes: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> UInt64 {
        var signs: UInt64 = 0
        var offset = 0
        while offset + 8 <= count {
            let eight = codes.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self)
            // The multiplication gathers the highest bits of eight bytes in the highest byte.
            let bits = (((eight & 0x8080_8080_8080_8080) >> 7) &* 0x0102_0408_1020_4080) >> 56
            signs |= bits << UInt64(offset)
            offset += 8
        }
        for rest in offset..<count { signs |= UInt64(codes[start + rest] >> 7) << UInt64(rest) }
        return signs
    }
}
