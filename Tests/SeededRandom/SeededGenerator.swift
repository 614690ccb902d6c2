/// A random generator with the same numbers in every run, so that a failing test fails again.
///
/// SplitMix64, as Steele, Lea and Flood published it in 2014.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// Returns a number from 0 up to, but excluding, `limit`, which must be above 0.
    public mutating func below(_ limit: Int) -> Int { Int(truncatingIfNeeded: next() % UInt64(limit)) }

    /// Returns a number in a closed range.
    public mutating func number(in range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

    /// Returns true with a probability of `percent` out of 100.
    public mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// Returns a random element; there must be at least one.
    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
