import NoteStore

/// The mean of a notebook's vectors, as the point from which the similarity of two texts is measured.
///
/// The vectors of many models all have about one direction, so that texts that have nothing to do with each other have a
/// cosine of 0.8 in one model and of 0.1 in another. Measured from the mean (Mu and Viswanath 2018), such texts have a
/// cosine of about 0 in each.
struct VectorCentre {
    private let content: VectorFile.Content
    /// The mean of the vectors, each of length 1, and the square of its length.
    private let mean: [Float]
    private let square: Float
    /// The least cosine of two texts that are related.
    private(set) var least: Float = Self.lowestLeast

    /// The number of vectors, evenly spaced, that the mean is taken from.
    private static let sampleSize = 1000
    /// The number of vectors from which their spread tells anything.
    private static let minimumOfSpread = 20
    /// The lowest and the highest value of `least`.
    ///
    /// Measured with multilingual-e5-small: in XQuAD, cosines of paragraphs of one article are 0.28 ± 0.12, and of two
    /// articles -0.01 ± 0.08; of thirty notes of a household, those that a person would call related have 0.2 and more.
    private static let (lowestLeast, highestLeast): (Float, Float) = (0.2, 0.35)
    /// The least cosine as a multiple of the usual one, which is greater in models that tell less apart.
    private static let multipleOfUsual: Float = 2

    init(_ content: VectorFile.Content) {
        self.content = content
        let count = content.keys.count
        let sample = Array(stride(from: 0, to: count, by: max(1, count / Self.sampleSize)))
        var sum = [Float](repeating: 0, count: content.dimensions)
        for index in sample {
            let code = content.code(index)
            let length = Self.length(code)
            for (offset, number) in code.enumerated() { sum[offset] += Float(number) / length }
        }
        let mean = sum.map { $0 / Float(max(1, sample.count)) }
        (self.mean, square) = (mean, mean.reduce(0) { $0 + $1 * $1 })
        if sample.count >= Self.minimumOfSpread {
            let usual = self.usual(among: sample)
            least = min(max(Self.lowestLeast, Self.multipleOfUsual * usual), Self.highestLeast)
        }
    }

    /// Returns the root mean square of the cosines of pairs that are far from each other in the file.
    private func usual(among sample: [Int]) -> Float {
        let half = sample.count / 2
        let sum = (0..<half).reduce(Float(0)) { sum, number in
            let (one, other) = (sample[number], sample[number + half])
            let cosine = VectorCode.similarity(content.code(one), content.code(other))
            let centred = self.cosine(cosine, part(of: one), part(of: other))
            return sum + centred * centred
        }
        return (sum / Float(max(1, half))).squareRoot()
    }

    /// Returns the part of a vector in the direction of the mean: the product of the two.
    func part(of index: Int) -> Float {
        let code = content.code(index)
        return zip(code, mean).reduce(0) { $0 + Float($1.0) * $1.1 } / Self.length(code)
    }

    /// Returns the cosine of two vectors as seen from the mean.
    ///
    /// - Parameters:
    ///   - cosine: Their cosine as seen from the origin.
    ///   - part, otherPart: Their parts in the direction of the mean.
    func cosine(_ cosine: Float, _ part: Float, _ otherPart: Float) -> Float {
        let (one, other) = (1 - 2 * part + square, 1 - 2 * otherPart + square)
        // A vector at the mean has no direction from there.
        guard one > 1e-4, other > 1e-4 else { return 0 }
        let centred = (cosine - part - otherPart + square) / (one * other).squareRoot()
        // The distances from a mean sum to 0, so that the cosines of a few unrelated vectors are below 0 on average.
        let bias = 1 / Float(max(2, content.keys.count) - 1)
        return (centred + bias) / (1 + bias)
    }

    private static func length(_ code: ArraySlice<Int8>) -> Float {
        Float(max(1, VectorCode.dot(code, code))).squareRoot()
    }
}
