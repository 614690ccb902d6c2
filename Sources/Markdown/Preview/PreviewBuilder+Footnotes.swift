/// Lays out the footnotes, below the rest of the document.
extension PreviewBuilder {
    mutating func buildFootnotes(_ content: Bytes) {
        guard !footnoteOrder.isEmpty else { return }
        let source = lines.last?.sourceLine ?? 0
        lines.append(PreviewLayout.Line(sourceLine: source))
        var rule = PreviewLayout.Line(sourceLine: source)
        rule.runs = [PreviewLayout.Run(String(repeating: look.glyphs.horizontal, count: min(look.columns, 16)), .rule)]
        lines.append(rule)
        for (offset, index) in footnoteOrder.enumerated() {
            let number = PreviewLayout.Run("\(offset + 1).", .footnote)
            let width = look.cellWidth.cells(of: number.text) + 1
            frames = [
                Frame(
                    block: 0, marker: [number, PreviewLayout.Run(" ", [])],
                    rest: [PreviewLayout.Run(String(repeating: " ", count: width), [])],
                    indentation: width, isLoose: true)
            ]
            shownFrames = [0]
            build(Int(index) + 1..<document.subtreeEnd(Int(index)), under: index, content)
            frames = []
            shownFrames = []
        }
    }
}
