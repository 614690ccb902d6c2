/// A generator whose numbers are the same in every run, so that a failing test fails again.
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

    /// A number from 0 up to `limit`, which is above 0 and not reached.
    public mutating func below(_ limit: Int) -> Int { Int(truncatingIfNeeded: next() % UInt64(limit)) }

    /// A number of a range, both of whose ends can come.
    public mutating func number(in range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

    /// Whether something happens that does so in `percent` of a hundred cases.
    public mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// One of the elements, of which there must be some.
    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
