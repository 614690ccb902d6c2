import TextEditing

/// The options for putting a register into the text.
struct VimPut {
    var isAfter: Bool
    var count = 1
    /// Whether the caret is moved after the inserted text, as by `gp`.
    var goesBehind = false
    /// Whether characters are inserted as separate lines, as over selected lines.
    var asLines = false
    /// Whether lines split the line into which they are inserted, as over selected characters.
    var splitsLine = false
}

extension VimMachine {
    /// Returns the content of a register, which is the system's clipboard for `+` and `*`.
    func content(of name: Character?) throws(VimRefusal) -> VimRegister {
        let name = name ?? "\""
        if name == "+" || name == "*", let clipboard = view.clipboard {
            if let own = registers[name], own.text + (own.shape == .lines ? "\n" : "") == clipboard { return own }
            if clipboard.utf8.last == 0x0A { return VimRegister(String(clipboard.dropLast()), .lines) }
            return VimRegister(clipboard)
        }
        guard let register = registers[name] else { throw VimRefusal.emptyRegister(name) }
        return register
    }

    mutating func put(_ register: VimRegister, _ how: VimPut) {
        var register = register
        if how.asLines { register.shape = .lines }
        switch register.shape {
        case .characters: putCharacters(register.text.with(lineBreak: lineBreak), how)
        case .lines: putLines(register.text.with(lineBreak: lineBreak), how)
        case .block(let width): putBlock(register.lines, width: width, how)
        }
        wantedColumn = nil
    }

    private mutating func putCharacters(_ text: String, _ how: VimPut) {
        let position = how.isAfter && caret < lineEnd(caret) ? self.text.characterEnd(after: caret) : caret
        let whole = String(repeating: text, count: how.count)
        guard !whole.isEmpty else { return }
        let end = position + whole.utf8.count
        let isOneLine = !text.hasLineBreak
        edit([(position..<position, whole)], caret: position)
        // Typing goes on after what the command after Ctrl-O has put.
        if how.goesBehind || isOneLine && returnsToInsert != nil {
            caret = end
        } else {
            caret = isOneLine ? self.text.characterStart(before: end) : position
        }
    }

    /// Puts whole lines below or above the caret.
    private mutating func putLines(_ text: String, _ how: VimPut) {
        let whole = Array(repeating: text, count: how.count).joined(separator: lineBreak)
        let first: LineNumber
        if how.splitsLine {
            let position = how.isAfter && caret < lineEnd(caret) ? self.text.characterEnd(after: caret) : caret
            first = line(caret) + 1
            edit([(position..<position, lineBreak + whole + lineBreak)], caret: position)
        } else if how.isAfter {
            let end = lineEnd(caret)
            first = line(caret) + 1
            edit([(end..<end, lineBreak + whole)], caret: end, opensBelow: true)
        } else {
            let start = lineStart(caret)
            first = line(caret)
            edit([(start..<start, whole + lineBreak)], caret: start)
        }
        let count = whole.utf8.count { $0 == 0x0A } + 1
        if how.goesBehind {
            caret = self.text.lineStart(LineNumber(min(first.rawValue + count, lastAddressed.rawValue)))
        } else {
            caret = firstNonBlank(of: first)
        }
        // The edit may begin at the end of the line above.
        for name in ["[", "."] as [Character] { marks.set(name, self.text.lineStart(first), in: self.text) }
        marks.set("]", onCharacter(self.text.lineEnd(first + (count - 1))), in: self.text)
    }

    /// Puts the rows of a block into the lines from the caret on.
    private mutating func putBlock(_ rows: [String], width: Int, _ how: VimPut) {
        let first = line(caret)
        let cells = cells(at: caret)
        let isEmpty = text.lineRange(first).isEmpty
        let column = how.isAfter && !isEmpty ? cells.start + cells.width : cells.start
        var parts: [(Range<ByteOffset>, String)] = []
        let last = max(lastAddressed, first)
        var appended = ""
        for (index, row) in rows.enumerated() {
            let padded = row + String(repeating: " ", count: max(0, width - self.width(of: row)))
            let number = first + index
            guard number <= last else {
                appended += lineBreak + String(repeating: " ", count: column)
                appended += String(repeating: padded, count: how.count - 1) + row
                continue
            }
            let lineEnd = text.lineEnd(number)
            let lineWidth = self.width(of: text.string(in: text.lineRange(number)))
            if lineWidth <= column {
                let fill = String(repeating: " ", count: column - lineWidth)
                parts.append((lineEnd..<lineEnd, fill + String(repeating: padded, count: how.count - 1) + row))
            } else {
                parts.append(part(inserting: String(repeating: padded, count: how.count), at: column, in: number))
            }
        }
        let end = text.lineEnd(last)
        if !appended.isEmpty { parts.append((end..<end, appended)) }
        edit(parts, caret: caret)
        let target = how.goesBehind ? first + (rows.count - 1) : first
        caret = position(column: column + (how.goesBehind ? width * how.count : 0), in: target, pastEnd: how.goesBehind)
    }

    /// Returns the edit that inserts text at a column within a line; a tab around the column is replaced by blanks.
    private func part(inserting new: String, at column: Int, in number: LineNumber) -> (Range<ByteOffset>, String) {
        let at = position(column: column, in: number)
        let cells = cells(at: at)
        guard cells.start < column else { return (at..<at, new) }
        let before = String(repeating: " ", count: column - cells.start)
        let behind = String(repeating: " ", count: cells.start + cells.width - column)
        return (at..<text.characterEnd(after: at), before + new + behind)
    }
}
