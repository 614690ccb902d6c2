/// An array in which changes near the last change are fast: free room is kept at the position of the last change.
struct GapBuffer<Element: BitwiseCopyable & Sendable>: Sendable {
    private var storage: ContiguousArray<Element>
    private var gapStart: Int
    private var gapLength = 0
    private let filler: Element

    init(repeating element: Element, count: Int) {
        storage = ContiguousArray(repeating: element, count: count)
        gapStart = count
        filler = element
    }

    var count: Int { storage.count - gapLength }

    subscript(index: Int) -> Element {
        get { storage[index < gapStart ? index : index + gapLength] }
        set { storage[index < gapStart ? index : index + gapLength] = newValue }
    }

    /// Replaces `range` by `newCount` fillers.
    ///
    /// It takes time proportional to the distance from the last change. If the free room is used up, the whole array is
    /// copied, with new room of an eighth of its length.
    mutating func replace(_ range: Range<Int>, withCount newCount: Int) {
        moveGap(to: range.upperBound)
        gapStart -= range.count
        gapLength += range.count
        if newCount > gapLength { grow(by: newCount) }
        for index in gapStart..<gapStart + newCount { storage[index] = filler }
        gapStart += newCount
        gapLength -= newCount
    }

    private mutating func moveGap(to index: Int) {
        guard gapLength > 0 else {
            gapStart = index
            return
        }
        storage.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            if index < gapStart {
                (base + index + gapLength).update(from: base + index, count: gapStart - index)
            } else if index > gapStart {
                (base + gapStart).update(from: base + gapStart + gapLength, count: index - gapStart)
            }
        }
        gapStart = index
    }

    private mutating func grow(by count: Int) {
        let room = count + max(64, storage.count / 8)
        storage.insert(contentsOf: repeatElement(filler, count: room), at: gapStart)
        gapLength += room
    }
}
