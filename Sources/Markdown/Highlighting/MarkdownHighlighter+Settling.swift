/// Finding the states of lines.
extension MarkdownHighlighter {
    /// Answers for the scanner: at first only whether it asked, then what it asked for.
    struct Answers: ParagraphContext {
        var onlyDefines = false
        var cellCount = -1
        var asksDefinitions = false
        var asksCells = false

        mutating func paragraphOnlyDefines() -> Bool {
            asksDefinitions = true
            return onlyDefines
        }

        mutating func lastLineCellCount() -> Int {
            asksCells = true
            return cellCount
        }
    }

    /// Makes the states of all lines up to `line` known.
    mutating func settle(through line: Int, _ source: some LineSource) {
        readFrontMatter(source)
        var budget = Int.max
        while let first = stale.first, first.lowerBound <= line { settleNext(source, &budget) }
    }

    /// Finds the states of the first stale range, and of the lines after it until they come out as they were.
    mutating func settleNext(_ source: some LineSource, _ budget: inout Int) {
        guard let range = stale.first else { return }
        var line = range.lowerBound
        let end = range.upperBound
        // Reading in steps, so that a caller with a small budget, or who wants a near line, does not wait for all.
        var stepsLeft = 512
        while line < lines.count, stepsLeft > 0, budget > 0 {
            let before = lines[line].state
            budget -= read(line - 1, source)
            // What ends a paragraph that may be definitions is an underline or a rule depending on all of it.
            if states[lines[line - 1].state].leaf.mayDefine, scanner.line.kind != .continuation {
                cache.remove(line - 1)
            }
            stepsLeft -= 1
            let after = states.number(of: scanner.state)
            if after != before || line < end {
                lines[line].state = after
                if after != before { cache.remove(line) }
            }
            // A paragraph that may be definitions has to be read to its end.
            if line + 1 >= end, after == before, !scanner.state.leaf.mayDefine {
                stale.removeFirst()
                return
            }
            line += 1
            if stale.count > 1, line > stale[1].lowerBound {
                let next = stale.remove(at: 1)
                stale[0] = line..<max(next.upperBound, end, line)
                return
            }
        }
        if line >= lines.count {
            stale.removeFirst()
        } else {
            stale[0] = line..<max(end, line + 1)
        }
    }

    /// Scans `line`; afterwards `scanner.line` is what it is and `scanner.state` the state after it.
    ///
    /// Returns the line's length in bytes.
    @discardableResult
    mutating func read(_ line: Int, _ source: some LineSource) -> Int {
        let state = lines[line].state
        if scannerLine != line { scanner.state = states[state] }
        let wasDefining = scanner.state.leaf.mayDefine
        return source.withLine(line) { bytes in
            scan(line, bytes, source)
            scannerLine = line + 1
            let continues = scanner.line.kind == .continuation
            let opens = scanner.line.kind == .paragraph && scanner.state.leaf.mayDefine
            if wasDefining, !continues { defineParagraph(endingBefore: line, source) }
            defineFootnote(line, bytes, isParagraphStart: opens)
            let isEnd = line + 2 == lines.count
            if isEnd, scanner.state.leaf.mayDefine { defineParagraph(endingBefore: line + 1, source) }
            return bytes.count + 1
        }
    }

    private mutating func scan(_ line: Int, _ bytes: Bytes, _ source: some LineSource) {
        if line == 0, let count = frontMatterLines, count > 0 {
            scanner.openFrontMatter(bytes)
            return
        }
        var answers = Answers()
        scanner.scan(bytes, &answers)
        if answers.asksDefinitions || answers.asksCells {
            let paragraph = paragraph(endingBefore: line, source, limit: answers.asksDefinitions ? .max : 1)
            if answers.asksDefinitions { answers.onlyDefines = paragraph.onlyDefines }
            answers.cellCount = paragraph.lastLineCellCount
            scanner.state = states[lines[line].state]
            scanner.scan(bytes, &answers)
        }
        colour(bytes)
    }

    /// Keeps what the keyword colouring of a fence has to know.
    private mutating func colour(_ bytes: Bytes) {
        switch scanner.line.kind {
        case .fenceOpening:
            scanner.state.leaf.language = CodeLanguage.number(
                ofInfo: bytes, from: scanner.line.start, to: scanner.line.end)
        case .fencedCode where scanner.state.leaf.language != 0:
            scanner.state.leaf.lexing = CodeLexer.state(
                after: bytes, from: scanner.line.start, scanner.state.leaf.language, scanner.state.leaf.lexing)
        default: break
        }
    }

    // MARK: Front matter

    /// Looks again at whether the text starts with front matter, if that may have changed.
    mutating func readFrontMatter(_ source: some LineSource) {
        guard frontMatterLines == nil else { return }
        let count = options.contains(.frontMatter) ? FrontMatter.lineCount(source) : 0
        frontMatterLines = count
        markStale(1..<2)
        cache.remove(0)
        scannerLine = -1
    }

    // MARK: Definitions

    /// Sets the labels that the paragraph or footnote which starts at `line` defines.
    mutating func define(_ labels: [DefinedLabel], at line: Int) {
        let old = lines[line].definitions
        guard old != 0 || !labels.isEmpty, definitions.labels(of: old) != labels else { return }
        let result = definitions.replace(old, with: labels)
        lines[line].definitions = result.group
        if result.changed {
            revision += 1
            cache.removeAll()
        }
    }

    private mutating func defineFootnote(_ line: Int, _ bytes: Bytes, isParagraphStart: Bool) {
        var labels: [DefinedLabel] = []
        for marker in scanner.line.markers where marker.kind == .footnote && marker.opens {
            let label = bytes.slice(marker.start + 2, marker.end - 2)
            labels.append(DefinedLabel(key: ReferenceTable.key(label), isFootnote: true))
        }
        // The labels of a paragraph that starts here too are set at its end.
        let known = isParagraphStart ? definitions.labels(of: lines[line].definitions).filter { !$0.isFootnote } : []
        define(labels + known, at: line)
    }

    private mutating func defineParagraph(endingBefore line: Int, _ source: some LineSource) {
        let paragraph = paragraph(endingBefore: line, source, limit: .max)
        let footnotes = definitions.labels(of: lines[paragraph.firstLine].definitions).filter(\.isFootnote)
        define(footnotes + paragraph.definedLabels, at: paragraph.firstLine)
    }
}

extension FrontMatter {
    static func lineCount(_ source: some LineSource) -> Int {
        guard source.withLine(0, { isOpeningFence($0) }) else { return 0 }
        for line in 1..<max(min(source.lineCount, longestLineCount), 1) {
            if source.withLine(line, { isClosingFence($0) }) { return line + 1 }
            let isBlank = source.withLine(line) { LinkParts.skipSpace($0, from: 0, to: $0.count) == $0.count }
            if line == 1, isBlank { return 0 }
        }
        return 0
    }
}
