extension Markdown {
    /// The link at byte `offset` of a text, the innermost one if links are nested (an image in a link).
    public static func link(at offset: Int, in text: String) -> MarkdownLink? {
        links(in: text).last { $0.range.contains(offset) }
    }

    /// The lines that fold under the heading `index` of an outline: all after its own up to the next heading of its
    /// level or a higher one.
    ///
    /// `lineCount` is that of the whole text.
    public static func section(ofHeading index: Int, in outline: [OutlineItem], lineCount: Int) -> Range<Int> {
        let heading = outline[index]
        let next = outline[(index + 1)...].first { $0.level <= heading.level }
        return heading.line + 1..<max(next?.line ?? lineCount, heading.line + 1)
    }
}
