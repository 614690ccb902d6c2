import Terminal

extension Theme {
    /// TakeNote's pink.
    static let pink = Color.rgb(0xFF, 0x26, 0xB9)

    /// For a dark background.
    ///
    /// Greys are picked for a contrast of at least 4.5 on black where they carry text.
    public static let dark = Theme(name: "dark") { theme in
        theme.paint(
            Palette(
                dim: .rgb(0x8A, 0x8A, 0x94), faint: .rgb(0x4A, 0x4A, 0x52), accent: pink,
                selection: .rgb(0x4A, 0x16, 0x3A), quietSelection: .rgb(0x2C, 0x2A, 0x30),
                selectedText: .rgb(0x5A, 0x2A, 0x4C), match: .rgb(0xFF, 0xD8, 0x66), star: .rgb(0xFF, 0xC8, 0x3D),
                tag: .rgb(0x7F, 0xB8, 0xFF), trouble: .rgb(0xFF, 0x6B, 0x6B), overlay: .rgb(0x1E, 0x1C, 0x22),
                code: .rgb(0xE0, 0xB0, 0x7C), codeGround: .rgb(0x24, 0x23, 0x28), link: .rgb(0x7F, 0xB8, 0xFF),
                keyword: .rgb(0xE0, 0x80, 0xD0), string: .rgb(0x9C, 0xD0, 0x8C), number: .rgb(0xD8, 0xA6, 0x5C),
                matchText: .rgb(0x20, 0x1C, 0x10)))
    }

    /// For a light background.
    public static let light = Theme(name: "light") { theme in
        theme.paint(
            Palette(
                dim: .rgb(0x6A, 0x6A, 0x74), faint: .rgb(0xC4, 0xC4, 0xCC), accent: .rgb(0xC8, 0x0A, 0x8A),
                selection: .rgb(0xFF, 0xD6, 0xF0), quietSelection: .rgb(0xEC, 0xEA, 0xEE),
                selectedText: .rgb(0xFF, 0xC4, 0xE8), match: .rgb(0xFF, 0xE0, 0x70), star: .rgb(0xB8, 0x7C, 0x00),
                tag: .rgb(0x1A, 0x5F, 0xB4), trouble: .rgb(0xC0, 0x1C, 0x28), overlay: .rgb(0xF6, 0xF4, 0xF8),
                code: .rgb(0x8A, 0x4B, 0x08), codeGround: .rgb(0xF0, 0xEE, 0xF2), link: .rgb(0x1A, 0x5F, 0xB4),
                keyword: .rgb(0x9C, 0x27, 0x8E), string: .rgb(0x2E, 0x7D, 0x32), number: .rgb(0x9A, 0x62, 0x00),
                matchText: .rgb(0x20, 0x1C, 0x10)))
    }

    /// For a terminal without colour: everything is said by attributes.
    public static let monochrome = Theme(name: "monochrome") { theme in
        theme.dim.attributes = [.dim]
        theme.accent.attributes = [.bold]
        theme.title.attributes = [.bold]
        theme.rule.attributes = [.dim]
        theme.selection.attributes = [.reverse]
        theme.quietSelection.attributes = [.bold]
        theme.selectionMark.attributes = [.bold]
        theme.selectedText.attributes = [.reverse]
        theme.match.attributes = [.reverse]
        theme.match.underline = .single
        theme.star.attributes = [.bold]
        theme.key.attributes = [.bold]
        theme.notice.attributes = [.bold]
        theme.trouble.attributes = [.bold, .reverse]
        theme.overlayFrame.attributes = [.dim]
        theme.shapeMarkdown()
        theme.markdown.code.attributes = [.bold]
        theme.markdown.marker.attributes = [.dim]
        theme.markdown.linkTarget.attributes = [.dim]
        theme.markdown.comment.attributes = [.dim]
        theme.markdown.highlight.attributes = [.reverse]
    }

    private init(name: String, _ build: (inout Theme) -> Void) {
        self.init(name: name)
        build(&self)
    }
}

extension Theme {
    /// The colours that the styles are mixed from.
    private struct Palette {
        var dim, faint, accent, selection, quietSelection, selectedText, match, star, tag, trouble, overlay: Color
        var code, codeGround, link, keyword, string, number, matchText: Color
    }

    private mutating func paint(_ palette: Palette) {
        dim.foreground = palette.dim
        accent.foreground = palette.accent
        title.attributes = [.bold]
        rule.foreground = palette.faint
        selection.background = palette.selection
        quietSelection.background = palette.quietSelection
        selectionMark = Style(foreground: palette.accent)
        selectedText.background = palette.selectedText
        match = Style(foreground: palette.matchText, background: palette.match)
        star.foreground = palette.star
        tag.foreground = palette.tag
        status.foreground = palette.dim
        key.foreground = palette.accent
        notice.foreground = palette.accent
        trouble = Style(foreground: palette.trouble, attributes: [.bold])
        overlay.background = palette.overlay
        overlayFrame = Style(foreground: palette.accent, background: palette.overlay)
        shapeMarkdown()
        paintMarkdown(palette)
    }

    /// The attributes that every theme gives to Markdown.
    fileprivate mutating func shapeMarkdown() {
        markdown.heading.attributes = [.bold]
        markdown.emphasis.attributes = [.italic]
        markdown.strong.attributes = [.bold]
        markdown.strikethrough.attributes = [.strikethrough]
        markdown.link.underline = .single
        markdown.quote.attributes = [.italic]
        markdown.taskDone.attributes = [.dim, .strikethrough]
    }

    private mutating func paintMarkdown(_ palette: Palette) {
        markdown.marker.foreground = palette.dim
        markdown.heading.foreground = palette.accent
        markdown.code = Style(foreground: palette.code, background: palette.codeGround)
        markdown.codeBlock.background = palette.codeGround
        markdown.link.foreground = palette.link
        markdown.linkTarget.foreground = palette.dim
        markdown.quote.foreground = palette.dim
        markdown.listMarker.foreground = palette.accent
        markdown.tag.foreground = palette.tag
        markdown.taskDone.foreground = palette.dim
        markdown.taskDone.attributes = [.strikethrough]
        markdown.highlight = Style(foreground: palette.matchText, background: palette.match)
        markdown.math.foreground = palette.code
        markdown.metadata.foreground = palette.dim
        markdown.keyword.foreground = palette.keyword
        markdown.string.foreground = palette.string
        markdown.comment.foreground = palette.dim
        markdown.number.foreground = palette.number
    }
}
