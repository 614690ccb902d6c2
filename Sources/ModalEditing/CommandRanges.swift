import TextEditing

/// The line ranges of commands after the colon.
extension VimMachine {
    /// Parses the line range of a command, or returns `nil` if none is given.
    ///
    /// - Parameters:
    ///   - addresses: Becomes the number of addresses that the range is written with; `%` stands for two.
    ///   - isAboveText: Becomes whether the last of them is vim's line 0.
    mutating func takeRange(
        _ rest: inout Substring, addresses: inout Int, isAboveText: inout Bool
    ) throws(VimRefusal) -> ClosedRange<LineNumber>? {
        if rest.first == "%" {
            rest.removeFirst()
            addresses = 2
            return 0...lastAddressed
        }
        var bounds: [Int] = []
        var here = line(caret)
        while true {
            rest = rest.drop { $0 == " " }
            let found = try takeAddress(&rest, from: here)
            rest = rest.drop { $0 == " " }
            let separator = rest.first.flatMap { $0 == "," || $0 == ";" ? $0 : nil }
            if let found {
                bounds.append(found)
            } else if separator != nil || !bounds.isEmpty {
                // An address that is missing beside a comma is the present line.
                bounds.append(here.rawValue)
            }
            guard let separator else { break }
            rest.removeFirst()
            if separator == ";", let last = bounds.last {
                try checkAddress(last)
                here = LineNumber(max(0, last))
            }
        }
        addresses = bounds.count
        guard var last = bounds.last else { return nil }
        // A line beyond the end, to which the caret only goes, is the last one.
        if bounds.count == 1, rest.isEmpty || rest.first == "|" { last = min(last, lastAddressed.rawValue) }
        isAboveText = last < 0
        let other = bounds.count > 1 ? bounds[bounds.count - 2] : last
        let (first, end) = (min(other, last), max(other, last))
        try checkAddress(first)
        try checkAddress(end)
        return LineNumber(max(0, first))...LineNumber(max(0, end))
    }

    /// Throws unless an address specifies a line of the text, or vim's line 0.
    private func checkAddress(_ address: Int) throws(VimRefusal) {
        guard (-1...max(lastAddressed, line(caret)).rawValue).contains(address) else { throw VimRefusal.noSuchLine }
    }

    /// Returns the lines that a count after a command specifies, from the last one of its range; the range itself if
    /// there is no count.
    func counted(_ lines: ClosedRange<LineNumber>, _ argument: String) throws(VimRefusal) -> ClosedRange<LineNumber> {
        if argument.isEmpty { return lines }
        guard argument.allSatisfy({ $0.isASCII && $0.isNumber }) else { throw VimRefusal.notACount(argument) }
        let count = VimPending.amount(argument)
        guard count > 0 else { throw VimRefusal.notACount(argument) }
        let first = lines.upperBound
        return first...max(first, min(first + (count - 1), lastAddressed))
    }

    /// Parses an address and returns a zero-based line number; -1 stands for vim's line 0, which is before the first
    /// line.
    private mutating func takeAddress(_ rest: inout Substring, from here: LineNumber) throws(VimRefusal) -> Int? {
        var position: Int?
        switch rest.first {
        case "."?:
            rest.removeFirst()
            position = here.rawValue
        case "$"?:
            rest.removeFirst()
            position = lastAddressed.rawValue
        case "'"?:
            guard let name = rest.dropFirst().first, let mark = mark(name) else {
                throw VimRefusal.markNotSet
            }
            rest.removeFirst(2)
            position = line(min(mark, text.end)).rawValue
        case "/"?, "?"?:
            position = try takeSearch(&rest, from: here).rawValue
        case let digit? where digit.isASCII && digit.isNumber:
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            position = VimPending.amount(digits) - 1
        default: break
        }
        while let sign = rest.first, sign == "+" || sign == "-" {
            rest.removeFirst()
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            let amount = digits.isEmpty ? 1 : VimPending.amount(digits)
            position = (position ?? here.rawValue) + (sign == "+" ? amount : -amount)
        }
        return position
    }

    /// Parses an address such as `/pattern/`, and returns the line that it names.
    private mutating func takeSearch(_ rest: inout Substring, from here: LineNumber) throws(VimRefusal) -> LineNumber {
        let separator = rest.removeFirst()
        let (source, tail) = String(rest).cut(at: separator)
        rest = tail.map { $0[...] } ?? ""
        let pattern = source.isEmpty ? try lastPattern() : try pattern(source)
        // `n` goes on to the next line that an address names.
        lastSearch = VimSearch(pattern: pattern, isForward: separator == "/")
        registers.set("/", VimRegister(pattern.source))
        return try matchingLine(pattern, from: here, isForward: separator == "/")
    }

    func lastPattern() throws(VimRefusal) -> VimPattern {
        guard let pattern = lastSearch?.pattern else { throw VimRefusal.noPreviousSearch }
        return pattern
    }

    private func matchingLine(
        _ pattern: VimPattern, from here: LineNumber, isForward: Bool
    ) throws(VimRefusal) -> LineNumber {
        let count = max(lastAddressed, here).rawValue + 1
        for step in 1...count {
            let number = LineNumber(((here.rawValue + (isForward ? step : -step)) % count + count) % count)
            try checkStop()
            if pattern.occurs(in: text.string(of: number)) { return number }
        }
        throw VimRefusal.notFound(pattern.source)
    }

    /// Returns the zero-based line number that an address specifies, or -1 for vim's line 0.
    mutating func address(_ argument: String) throws(VimRefusal) -> Int {
        var rest = argument[...]
        guard let found = try takeAddress(&rest, from: line(caret)), rest.trimmed.isEmpty, found >= -1,
            found <= max(lastAddressed, line(caret)).rawValue
        else { throw VimRefusal.noSuchLine }
        return found
    }
}
