/// Control sequences: motion, erasing, styles and modes.
extension TerminalScreen {
    mutating func sequence(_ body: String, _ final: UInt8) {
        let numbers = body.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let count = max(1, numbers.first ?? 1)
        switch (body.first.map { "?>=<!".contains($0) } ?? false, final) {
        case (false, UInt8(ascii: "m")):
            lastStyle = body
            unknown += pen.style.apply(body)
        case (true, UInt8(ascii: "u")) where body != "?": settings.setKeyboard(body)
        case (true, UInt8(ascii: "m")): settings.setOtherKeys(body)
        case (false, UInt8(ascii: "q")) where body.hasSuffix(" "): settings.setCursorShape(body)
        case (_, UInt8(ascii: "h")): setMode(body, true)
        case (_, UInt8(ascii: "l")): setMode(body, false)
        case (true, _), (_, UInt8(ascii: "n")), (_, UInt8(ascii: "c")), (_, UInt8(ascii: "t")):
            question(body, final)
        case (false, UInt8(ascii: "b")): repeatLast(count)
        default:
            (wrapsNext, lastPrinted) = (false, nil)
            if !move(numbers, count, final), !change(numbers, count, final) {
                unknown.append("CSI \(body)\(Character(Unicode.Scalar(final)))")
            }
        }
    }

    /// Moves the cursor; returns false if the sequence is not a motion.
    private mutating func move(_ numbers: [Int], _ count: Int, _ final: UInt8) -> Bool {
        switch Character(Unicode.Scalar(final)) {
        case "H", "f":
            row = min(count, rows) - 1
            column = min(max(1, numbers.count > 1 ? numbers[1] : 1), columns) - 1
        case "A": row = max(0, row - count)
        case "B", "e": row = min(rows - 1, row + count)
        case "C", "a": column = min(columns - 1, column + count)
        case "D": column = max(0, column - count)
        case "E": (column, row) = (0, min(rows - 1, row + count))
        case "F": (column, row) = (0, max(0, row - count))
        case "G", "`": column = min(count, columns) - 1
        case "d": row = min(count, rows) - 1
        case "r":
            let low = max(1, numbers.first ?? 1) - 1
            let high = (numbers.count > 1 && numbers[1] > 0 ? min(numbers[1], rows) : rows) - 1
            region = low <= high ? low...high : 0...rows - 1
            (column, row) = (0, 0)
        case "s" where settings.isOn("?69"):
            let low = max(1, numbers.first ?? 1) - 1
            let high = (numbers.count > 1 ? min(numbers[1], columns) : columns) - 1
            sides = low <= high ? low...high : 0...columns - 1
            (column, row) = (0, 0)
        case "s": saved = (column, row)
        case "u": (column, row) = (min(saved.column, columns - 1), min(saved.row, rows - 1))
        default: return false
        }
        return true
    }

    /// Erases, shifts or scrolls; returns false if the sequence does none of these.
    private mutating func change(_ numbers: [Int], _ count: Int, _ final: UInt8) -> Bool {
        switch Character(Unicode.Scalar(final)) {
        case "J": eraseDisplay(numbers.first ?? 0)
        case "K": eraseLine(numbers.first ?? 0)
        case "X": for index in column..<min(columns, column + count) { blank(index) }
        case "P": shift(left: count)
        case "@": shift(right: count)
        case "L", "M": insertLines(final == UInt8(ascii: "L"), count)
        case "S": scroll(up: count)
        case "T": scroll(down: count)
        default: return false
        }
        return true
    }

    private mutating func eraseDisplay(_ what: Int) {
        eraseLine(what)
        let others = what == 0 ? row + 1..<rows : what == 1 ? 0..<row : 0..<rows
        for line in others { cells[line] = Array(repeating: erased, count: columns) }
    }

    private mutating func eraseLine(_ what: Int) {
        let range = what == 0 ? column..<columns : what == 1 ? 0..<column + 1 : 0..<columns
        for index in range { blank(index) }
    }

    private mutating func shift(left count: Int) {
        let count = min(count, columns - column)
        cells[row].removeSubrange(column..<column + count)
        cells[row] += Array(repeating: erased, count: count)
    }

    private mutating func shift(right count: Int) {
        let count = min(count, columns - column)
        cells[row].insert(contentsOf: Array(repeating: erased, count: count), at: column)
        cells[row].removeLast(count)
    }

    private mutating func insertLines(_ isInsertion: Bool, _ count: Int) {
        guard region.contains(row) else { return }
        let whole = region
        region = row...whole.upperBound
        if isInsertion { scroll(down: count) } else { scroll(up: count) }
        region = whole
    }

    private mutating func setMode(_ body: String, _ isOn: Bool) {
        for name in body.dropFirst().split(separator: ";") {
            let mode = "?\(name)"
            settings.setMode(mode, isOn)
            switch mode {
            case "?7": (wraps, wrapsNext) = (isOn, false)
            case "?25": isCursorVisible = isOn
            case "?2026": isUpdating = isOn
            case "?1049", "?47", "?1047": showAlternate(isOn)
            case "?69" where !isOn: sides = 0...columns - 1
            case "?2048" where isOn: answerSize()
            default: break
            }
        }
    }

    private mutating func showAlternate(_ isOn: Bool) {
        guard isOn == (hidden == nil) else { return }
        region = 0...rows - 1
        lastPrinted = nil
        if isOn {
            hidden = (cells, column, row)
            cells = Array(repeating: Array(repeating: TerminalCell(), count: columns), count: rows)
        } else if let main = hidden {
            hidden = nil
            cells = (0..<rows).map { row in
                (0..<columns).map {
                    row < main.cells.count && $0 < main.cells[row].count ? main.cells[row][$0] : TerminalCell()
                }
            }
            (column, row) = (min(main.column, columns - 1), min(main.row, rows - 1))
        }
    }
}
