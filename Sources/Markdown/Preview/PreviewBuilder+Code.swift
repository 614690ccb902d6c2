extension PreviewBuilder {
    /// The largest width of a line of code, in cells, that is scrolled; a block with a longer line has its lines
    /// broken.
    private static let maximumCodeWidth = 1_000

    /// Builds a block of code in its colours.
    ///
    /// Its lines may be wider than the layout if the reader can scroll sideways, since a line break changes the meaning
    /// of code.
    mutating func buildCode(_ block: BlockNode, _ content: Bytes) {
        let first = Int(block.firstLine) + (block.flag ? 1 : 0)
        let wrappers = codeLines(of: block, content, from: first).map { WordWrapper($0, look.cellWidth) }
        let widest = wrappers.reduce(0) { max($0, $1.naturalWidth) }
        let isWide =
            look.scrolls && !look.glyphs.listsTables && widest > availableColumns && widest <= Self.maximumCodeWidth
        for (offset, wrapper) in wrappers.enumerated() {
            emitLiteral(wrapper, first + offset, .codeBlock, isWide: isWide)
        }
    }

    private func codeLines(of block: BlockNode, _ content: Bytes, from first: Int) -> [[PreviewAtom]] {
        let info = Int(block.infoStart)..<Int(block.infoEnd)
        let language = CodeLanguage.number(ofInfo: content, from: info.lowerBound, to: info.upperBound)
        var lines: [[PreviewAtom]] = []
        var state = CodeState.nothing
        var start = Int(block.start)
        while start < Int(block.end) {
            let end = content.firstOffset(of: Byte.newline, from: start, to: Int(block.end)) ?? Int(block.end)
            let bytes = content.slice(start, end)
            let position = document.sourceOffset(start)
            let source = first + lines.count
            var atoms: [PreviewAtom] = []
            CodeLexer.paint(bytes, from: 0, language, state) { from, to, kind in
                guard from < to else { return }
                let text = Self.expandingTabs(String(decoding: bytes[from..<to], as: UTF8.self))
                atoms.append(
                    PreviewAtom(
                        text: text, kind: kind.union(.codeBlock), sourceLine: source,
                        source: position + from..<position + to)
                )
            }
            state = CodeLexer.state(after: bytes, from: 0, language, state)
            lines.append(atoms)
            start = end + 1
        }
        return lines
    }
}
