import TextPrimitives

/// Determines the states of lines.
extension MarkdownHighlighter {
    /// The answers to the scanner's queries: a first scan records which were asked, and a second scan is given the
    /// answers.
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

        /// Always true: the limits of a document on missing cells are not known here, so rows beyond them are shown as
        /// rows.
        func mayAddRow() -> Bool { true }
    }

    /// Determines the state of `line`, or guesses it if that would take long.
    ///
    /// Unknown states far above the line are left for later. The line is then read as if a text started some lines
    /// above it. That is mostly right; otherwise it is corrected when the reading from above arrives there.
    mutating func settle(through line: Int, _ source: some LineSource) {
        readFrontMatter(source)
        var budget = Int.max
        var position = 0
        while position < stale.count, stale[position].lowerBound <= line {
            if line - stale[position].lowerBound <= lookbehind {
                settle(position, source, &budget)
                continue
            }
            if stale[position].contains(line) { split(position, near: line, source) }
            position += 1
        }
    }

    /// Splits a stale range some lines above `line`, and guesses that no block is open at the split.
    private mutating func split(_ position: Int, near line: Int, _ source: some LineSource) {
        let lowest = max(line - lookbehind / 2, stale[position].lowerBound + 1)
        var start = max(line - lookbehind / 4, lowest)
        while start > lowest, !source.withLine(start - 1, { $0.allSatisfy(\.isSpace) }) { start -= 1 }
        let upper = stale[position].upperBound
        stale[position] = stale[position].lowerBound..<start + 1
        if start + 1 < upper { stale.insert(start + 1..<upper, at: position + 1) }
        lines[start].state = StateTable.root
        scannerLine = -1
    }

    /// Determines the states of a stale range, and of the lines after it until a state is unchanged.
    mutating func settle(_ position: Int, _ source: some LineSource, _ budget: inout Int) {
        var line = stale[position].lowerBound
        let end = stale[position].upperBound
        // The range is read in steps, so that a caller with a small budget, or one that needs a nearby line, does not
        // wait for all of it.
        var stepsLeft = 512
        while line < lines.count, stepsLeft > 0, budget > 0 {
            let before = lines[line].state
            budget -= max(read(line - 1, source), Self.lineCost)
            // The line that ends a paragraph of possible definitions is an underline or a rule, depending on the whole
            // paragraph.
            if states[lines[line - 1].state].leaf.mayDefine, scanner.line.kind != .continuation {
                forget(line - 1)
            }
            stepsLeft -= 1
            let after = states.number(of: scanner.state)
            if after != before {
                lines[line].state = after
                forget(line)
            }
            // A paragraph of possible definitions must be read to a line that begins a definition, or to its end.
            let leaf = scanner.state.leaf
            if line + 1 >= end, after == before, !leaf.mayDefine || leaf.beginsDefinition {
                stale.remove(at: position)
                return
            }
            line += 1
            if position + 1 < stale.count, line > stale[position + 1].lowerBound { break }
        }
        var rest = line..<max(end, line + 1)
        if position + 1 < stale.count, rest.upperBound > stale[position + 1].lowerBound {
            let next = stale.remove(at: position + 1)
            rest = line..<max(next.upperBound, rest.upperBound)
        }
        if line >= lines.count {
            stale.remove(at: position)
        } else {
            stale[position] = rest
        }
    }

    /// The minimum cost of a line, in bytes: looking up a line takes about as long as reading that many bytes.
    private static let lineCost = 100

    /// Removes a line's highlight from the cache, and updates `revision` if there was one.
    private mutating func forget(_ line: Int) {
        if cache.remove(line) { revision += 1 }
    }

    /// Scans `line` and sets `scanner.line` to the result and `scanner.state` to the state after the line.
    ///
    /// - Returns: The line's length in bytes, including one for the line end.
    @discardableResult
    mutating func read(_ line: Int, _ source: some LineSource) -> Int {
        let state = lines[line].state
        if scannerLine != line { scanner.state = states[state] }
        let wasDefining = scanner.state.leaf.mayDefine
        return source.withStart(of: line, upTo: Self.maximumParagraphLength) { bytes, length in
            if bytes.count == length {
                readWhole(line, bytes, wasDefining: wasDefining, source)
            } else if !readHead(of: line, bytes.slice(0, Self.headLength), length: length) {
                source.withLine(line) { readWhole(line, $0, wasDefining: wasDefining, source) }
            }
            return length + 1
        }
    }

    private mutating func readWhole(_ line: Int, _ bytes: Bytes, wasDefining: Bool, _ source: some LineSource) {
        scan(line, bytes, source)
        scannerLine = line + 1
        let continues = scanner.line.kind == .continuation
        if wasDefining {
            if continues {
                recordCompleteDefinitions(before: line, bytes, source)
            } else {
                defineParagraph(endingBefore: line, source)
            }
        }
        let leaf = scanner.state.leaf
        let opens = leaf.mayDefine && (scanner.line.kind == .paragraph || leaf.beginsDefinition)
        defineFootnote(line, bytes, isParagraphStart: opens)
        let isEnd = line + 2 == lines.count
        if isEnd, leaf.mayDefine { defineParagraph(endingBefore: line + 1, source, last: scanner.state) }
    }

    /// Records the definitions before `line`, if the paragraph so far consists of definitions only and the line cannot
    /// continue the last one.
    ///
    /// The line then either begins another definition, or no further definition can follow.
    private mutating func recordCompleteDefinitions(before line: Int, _ bytes: Bytes, _ source: some LineSource) {
        scanner.state.leaf.beginsDefinition = false
        let start = scanner.line.start
        guard start < scanner.line.end, !"\"'(".utf8.contains(bytes[start]) else { return }
        let before = paragraph(
            endingBefore: line, source, limit: Self.maximumParagraphLength, lines: Self.definitionLines)
        guard before.isWhole, before.onlyDefines else { return }
        define(before)
        if bytes[start] == Byte.openBracket {
            scanner.state.leaf.beginsDefinition = true
        } else {
            scanner.state.leaf.mayDefine = false
        }
    }

    /// The most lines of nearly any definition; a longer definition is recorded at the end of its paragraph.
    private static let definitionLines = 8

    /// The number of bytes at the start of a long line that determine its kind in nearly all cases.
    private static let headLength = 4_096

    /// Scans a long line by its first bytes alone, so that a key press in a line of megabytes does not read all of it.
    ///
    /// - Returns: Whether these bytes determine the kind of the line, whatever follows them; if not, nothing has
    ///   changed.
    private mutating func readHead(of line: Int, _ head: Bytes, length: Int) -> Bool {
        let state = states[lines[line].state]
        guard !state.leaf.mayDefine, state.leaf.kind != .html, line > 0 || frontMatterLines ?? 0 == 0 else {
            return false
        }
        var answers = Answers()
        scanner.startsText = line == 0
        scanner.scan(head, &answers)
        guard !answers.asksDefinitions, !answers.asksCells, scanner.line.isDecided(by: head) else {
            scanner.state = state
            return false
        }
        scanner.line.end = length
        scanner.state.leaf.lexing = .nothing  // like after any line of code of this length
        scannerLine = line + 1
        defineFootnote(line, head, isParagraphStart: false)
        return true
    }

    private mutating func scan(_ line: Int, _ bytes: Bytes, _ source: some LineSource) {
        if line == 0, let count = frontMatterLines, count > 0 {
            scanner.openFrontMatter(bytes)
            return
        }
        var answers = Answers()
        scanner.startsText = line == 0
        scanner.scan(bytes, &answers)
        if answers.asksDefinitions || answers.asksCells {
            let limit = answers.asksDefinitions ? Self.maximumParagraphLength : 1
            let paragraph = paragraph(endingBefore: line, source, limit: limit)
            if answers.asksDefinitions { answers.onlyDefines = paragraph.isWhole && paragraph.onlyDefines }
            answers.cellCount = paragraph.lastLineCellCount
            scanner.state = states[lines[line].state]
            scanner.scan(bytes, &answers)
        }
        colour(bytes)
    }

    /// Stores the state that keyword colouring needs for the next line of a fence.
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

    /// Checks again whether the text starts with front matter, if that may have changed.
    mutating func readFrontMatter(_ source: some LineSource) {
        guard checksFrontMatter else { return }
        checksFrontMatter = false
        let count = options.contains(.frontMatter) ? FrontMatter.lineCount(source) : 0
        guard count != frontMatterLines else { return }
        frontMatterLines = count
        markStale(1..<2)
        cache.remove(0)
        scannerLine = -1
    }

    // MARK: Definitions

    /// Sets the labels defined by the paragraph or footnote that starts at `line`.
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
        // If a paragraph starts here too, its labels are recorded at its end.
        let known = isParagraphStart ? definitions.labels(of: lines[line].definitions).filter { !$0.isFootnote } : []
        define(labels + known, at: line)
    }

    private mutating func defineParagraph(
        endingBefore line: Int, _ source: some LineSource, last: BlockState? = nil
    ) {
        var paragraph = paragraph(endingBefore: line, source, limit: Self.maximumParagraphLength, last: last)
        // The header of a table does not belong to the paragraph.
        if last == nil, scanner.line.kind == .tableDelimiter { paragraph.removeLastLine() }
        if paragraph.isWhole { define(paragraph) }
    }

    private mutating func define(_ paragraph: ParagraphText) {
        let footnotes = definitions.labels(of: lines[paragraph.firstLine].definitions).filter(\.isFootnote)
        define(footnotes + paragraph.definedLabels, at: paragraph.firstLine)
    }
}

extension ScannedLine {
    /// Whether a line that starts with `head` is scanned like `head` alone, except for its end.
    ///
    /// That is the case if the rest of the line cannot turn it into a rule, a fence, an underline, a table's delimiter
    /// or HTML, which all depend on the whole line. It is so in code, and for text whose first byte begins none of
    /// these.
    fileprivate func isDecided(by head: Bytes) -> Bool {
        guard end == head.count else { return false }
        switch kind {
        case .fencedCode, .indentedCode: return true
        case .paragraph, .continuation, .tableRow:
            guard start < end else { return false }
            let first = head[start]
            return first.isLetter || first >= 0x80 || "\"'(){},.!?;/\\@$%&^".utf8.contains(first)
        default: return false
        }
    }
}
