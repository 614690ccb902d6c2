import TextPrimitives

/// Blocks that hold text.
extension BlockTree {
    mutating func openParagraph(_ line: ScannedLine, _ bytes: Bytes) {
        var line = line
        let parent = Int(open[open.count - 1])
        if options.contains(.taskItems), blocks[parent].kind == .item, blocks[parent].lastChild < 0,
            blocks[parent].firstLine == lineNumber,
            let task = TaskBox(bytes, at: line.start)
        {
            blocks[parent].detail = task.isDone ? BlockNode.Task.done : BlockNode.Task.open
            line.start = LinkParts.skipBlanks(bytes, from: task.end, to: bytes.count)
        }
        if line.isDefinition { markTerm(in: parent) }
        openLeaf(.paragraph)
        if line.isDefinition { blocks[Int(leaf)].detail = BlockNode.Entry.definition }
        appendLine(line, bytes)
    }

    /// Turns the paragraph before a definition into its term, unless it is another definition of the same term.
    private mutating func markTerm(in parent: Int) {
        let last = Int(blocks[parent].lastChild)
        guard last >= 0, blocks[last].kind == .paragraph, blocks[last].detail == BlockNode.Entry.none else { return }
        blocks[last].detail = BlockNode.Entry.term
    }

    mutating func addHeading(_ line: ScannedLine, _ bytes: Bytes) {
        openLeaf(.heading)
        blocks[Int(leaf)].detail = UInt8(line.level)
        appendLine(line, bytes)
        blocks[Int(leaf)].end -= 1
        leaf = -1
    }

    mutating func openFence(_ line: ScannedLine, _ bytes: Bytes) {
        openLeaf(.code)
        blocks[Int(leaf)].flag = true
        setInfo(of: leaf, bytes, line.start..<line.end)
    }

    mutating func closeAsHeading(level: Int) {
        let index = Int(leaf)
        closeLeaf()
        blocks[index].kind = .heading
        blocks[index].detail = UInt8(level)
        blocks[index].lastLine = lineNumber
    }

    mutating func closeLeafAtLine() {
        guard leaf >= 0 else { return }
        blocks[Int(leaf)].lastLine = lineNumber
        closeLeaf()
    }

    mutating func closeLeaf() {
        guard leaf >= 0 else { return }
        let index = Int(leaf)
        leaf = -1
        switch blocks[index].kind {
        case .paragraph: closeParagraph(index)
        case .code where !blocks[index].flag: trimIndentedCode(index)
        default: break
        }
    }

    mutating func closeParagraph(_ index: Int) {
        if content[Int(blocks[index].start)] == Byte.openBracket { takeDefinitions(index) }
        var end = Int(blocks[index].end)
        while end > Int(blocks[index].start), content[end - 1].isSpace { end -= 1 }
        blocks[index].end = Int32(end)
    }

    /// Removes link reference definitions from the start of a paragraph and records them.
    mutating func takeDefinitions(_ index: Int) {
        var start = Int(blocks[index].start)
        let end = Int(blocks[index].end)
        content.withUnsafeBufferPointer { bytes in
            while let definition = LinkDefinition(bytes, from: start, to: end) {
                references.define(
                    bytes.slice(definition.label.lowerBound, definition.label.upperBound), as: Int32(targets.count))
                targets.append(LinkTarget(destination: definition.destination, title: definition.title))
                start = definition.end
            }
        }
        blocks[index].start = Int32(start)
        if start == end { blocks[index].kind = .definitions }
    }

    /// Removes blank lines at the end, which do not belong to indented code.
    mutating func trimIndentedCode(_ index: Int) {
        var end = Int(blocks[index].end)
        var blankLines = -1
        while end > Int(blocks[index].start), content[end - 1].isSpace {
            if content[end - 1] == Byte.newline { blankLines += 1 }
            end -= 1
        }
        while end < Int(blocks[index].end), content[end] != Byte.newline { end += 1 }
        blocks[index].end = Int32(min(end + 1, Int(blocks[index].end)))
        blocks[index].lastLine -= Int32(max(blankLines, 0))
    }
}

extension BlockTree: ParagraphContext {
    mutating func paragraphOnlyDefines() -> Bool {
        var start = Int(blocks[Int(leaf)].start)
        let end = Int(blocks[Int(leaf)].end)
        return content.withUnsafeBufferPointer { bytes in
            while let definition = LinkDefinition(bytes, from: start, to: end) { start = definition.end }
            return start == end
        }
    }

    mutating func lastLineCellCount() -> Int {
        let line = lastParagraphLine
        return content.withUnsafeBufferPointer { TableRows.cellCount($0, from: line.lowerBound, to: line.upperBound) }
    }

    /// Whether the open table may have another row, by limits on the number of missing cells.
    ///
    /// As in cmark-gfm, a table ends once its rows lack more than `maximumMissingCells` cells. All tables of a document
    /// end once their rows together lack more than that and more than the document has bytes.
    func mayAddRow() -> Bool {
        missingCells <= Self.maximumMissingCells && allMissingCells <= max(Self.maximumMissingCells, byteCount)
    }
}
