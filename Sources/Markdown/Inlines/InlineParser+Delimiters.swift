extension InlineParser {
    /// Reads a run of `mark`; a run longer than `maximum` is text.
    mutating func readDelimiters(_ mark: UInt8, maximum: Int) {
        let start = position
        var end = start
        while end < upper, bytes[end] == mark { end += 1 }
        position = end
        guard end - start <= maximum else { return }
        let flanking = Flanking(bytes, run: start, end, in: lower, upper, mark: mark)
        guard flanking.canOpen || flanking.canClose else { return }
        pushDelimiter(mark, start, end, flanking)
    }

    /// Reads a run of equals signs; only a run of exactly two is a delimiter.
    mutating func readHighlight() {
        var end = position
        while end < upper, bytes[end] == Byte.equals { end += 1 }
        if end - position == 2 { readDelimiters(Byte.equals, maximum: 2) } else { position = end }
    }

    private mutating func pushDelimiter(_ mark: UInt8, _ start: Int, _ end: Int, _ flanking: Flanking) {
        let node = add(.text, start, end)
        let index = delimiters.count
        delimiters.append(
            Delimiter(
                node: node, mark: mark, canOpen: flanking.canOpen, canClose: flanking.canClose,
                originalLength: end - start, previous: lastDelimiter, next: -1))
        if lastDelimiter >= 0 { delimiters[lastDelimiter].next = index }
        lastDelimiter = index
    }

    func length(of delimiter: Int) -> Int {
        let node = nodes[Int(delimiters[delimiter].node)]
        return Int(node.end - node.start)
    }

    mutating func removeDelimiter(_ index: Int) {
        let (previous, next) = (delimiters[index].previous, delimiters[index].next)
        if previous >= 0 { delimiters[previous].next = next }
        if next >= 0 { delimiters[next].previous = previous } else { lastDelimiter = previous }
    }

    /// Pairs the runs above delimiter `bottom` (-1 for all) and removes them.
    ///
    /// This is "process emphasis" of the specification's appendix. For each closer, it searches backwards for an
    /// opener. If it finds none for a kind of closer, later closers of that kind need not be compared with openers
    /// below that position again.
    mutating func pairDelimiters(above bottom: Int) {
        guard lastDelimiter > bottom else { return }
        var openersBottom = OpenersBottom(bottom)
        var closer = lastDelimiter
        while delimiters[closer].previous > bottom { closer = delimiters[closer].previous }
        while closer >= 0 {
            guard delimiters[closer].canClose else {
                closer = delimiters[closer].next
                continue
            }
            closer = close(closer, bottom, &openersBottom)
        }
        while lastDelimiter > bottom { removeDelimiter(lastDelimiter) }
    }

    /// Pairs `closer` with the nearest opener that fits; returns the delimiter to process next.
    private mutating func close(_ closer: Int, _ bottom: Int, _ openersBottom: inout OpenersBottom) -> Int {
        let kind = delimiters[closer]
        let slot = OpenersBottom.slot(kind)
        let lowest = openersBottom[slot]
        var opener = kind.previous
        while opener > bottom, opener > lowest {
            if delimiters[opener].canOpen, delimiters[opener].mark == kind.mark, fits(delimiters[opener], kind) {
                // As in cmark-gfm, the nearest opener is the only one that a run may be paired with as a whole.
                guard isPairedInParts(kind.mark) || length(of: opener) == length(of: closer) else { break }
                return pair(opener, closer)
            }
            opener = delimiters[opener].previous
        }
        openersBottom[slot] = kind.previous
        let next = kind.next
        if !kind.canOpen { removeDelimiter(closer) }
        return next
    }

    /// Whether two runs satisfy the rule of three.
    ///
    /// If one of the two can both open and close, the sum of their lengths must not be a multiple of three, unless both
    /// lengths are multiples of three.
    private func fits(_ opener: Delimiter, _ closer: Delimiter) -> Bool {
        guard closer.canOpen || opener.canClose else { return true }
        return (opener.originalLength + closer.originalLength) % 3 != 0
            || (opener.originalLength % 3 == 0 && closer.originalLength % 3 == 0)
    }

    private mutating func pair(_ opener: Int, _ closer: Int) -> Int {
        var inner = delimiters[closer].previous
        while inner != opener {
            let previous = delimiters[inner].previous
            removeDelimiter(inner)
            inner = previous
        }
        guard isPairedInParts(delimiters[closer].mark) else { return pairWhole(opener, closer) }
        return pairEmphasis(opener, closer, used: length(of: opener) >= 2 && length(of: closer) >= 2 ? 2 : 1)
    }

    /// Whether runs of a mark are emphasis, of which a longer run may open or close several.
    private func isPairedInParts(_ mark: UInt8) -> Bool { mark != Byte.tilde && mark != Byte.equals }

    private mutating func pairWhole(_ opener: Int, _ closer: Int) -> Int {
        let next = delimiters[closer].next
        wrap(
            opener, closer, used: length(of: closer),
            delimiters[closer].mark == Byte.tilde ? .strikethrough : .highlight)
        removeDelimiter(opener)
        removeDelimiter(closer)
        return next
    }

    private mutating func pairEmphasis(_ opener: Int, _ closer: Int, used: Int) -> Int {
        wrap(opener, closer, used: used, used == 2 ? .strong : .emphasis)
        if length(of: opener) == 0 { removeDelimiter(opener) }
        guard length(of: closer) == 0 else { return closer }
        let next = delimiters[closer].next
        removeDelimiter(closer)
        return next
    }

    /// Wraps everything between two runs in a new node, and takes `used` characters from each run.
    private mutating func wrap(_ opener: Int, _ closer: Int, used: Int, _ kind: InlineNode.Kind) {
        let openerNode = delimiters[opener].node
        let closerNode = delimiters[closer].node
        nodes[Int(openerNode)].end -= Int32(used)
        nodes[Int(closerNode)].start += Int32(used)
        let index = Int32(nodes.count)
        var node = InlineNode(
            kind: kind, start: nodes[Int(openerNode)].end, end: nodes[Int(closerNode)].start, mark: Int32(used))
        let first = nodes[Int(openerNode)].next
        if first != closerNode {
            let last = nodes[Int(closerNode)].previous
            node.firstChild = first
            nodes[Int(first)].previous = -1
            nodes[Int(last)].next = -1
        }
        node.previous = openerNode
        node.next = closerNode
        nodes.append(node)
        nodes[Int(openerNode)].next = index
        nodes[Int(closerNode)].previous = index
    }

    /// For each kind of closer, the delimiter at and below which no opener fits.
    struct OpenersBottom {
        // Three marks x whether the run can open x length modulo three; for `==`, whether the run can open.
        private var values: (Slots, Slots, Slots, Slots)
        private typealias Slots = (Int, Int, Int, Int, Int, Int)

        init(_ bottom: Int) {
            let slots = (bottom, bottom, bottom, bottom, bottom, bottom)
            values = (slots, slots, slots, slots)
        }

        static func slot(_ delimiter: Delimiter) -> Int {
            let kind = (delimiter.canOpen ? 3 : 0) + delimiter.originalLength % 3
            return switch delimiter.mark {
            case Byte.star: kind
            case Byte.underscore: 6 + kind
            case Byte.tilde: 12 + kind
            default: 18 + kind
            }
        }

        subscript(slot: Int) -> Int {
            get {
                withUnsafeBytes(of: values) { $0.load(fromByteOffset: slot * MemoryLayout<Int>.stride, as: Int.self) }
            }
            set {
                withUnsafeMutableBytes(of: &values) {
                    $0.storeBytes(of: newValue, toByteOffset: slot * MemoryLayout<Int>.stride, as: Int.self)
                }
            }
        }
    }
}
