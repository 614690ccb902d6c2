extension RandomAccessCollection {
    /// Returns the index of the first element that meets a condition, or `endIndex` if none does.
    ///
    /// The condition must hold for all elements after the first one that meets it. O(log count).
    @inlinable
    public func partitioningIndex(where holds: (Element) throws -> Bool) rethrows -> Index {
        var (low, length) = (startIndex, count)
        while length > 0 {
            let half = length / 2
            let middle = index(low, offsetBy: half)
            if try holds(self[middle]) {
                length = half
            } else {
                low = index(after: middle)
                length -= half + 1
            }
        }
        return low
    }
}
