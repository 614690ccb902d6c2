import Markdown
import Terminal

/// The styles of the runs of a text under one theme; each is composed once and cached.
@MainActor
final class MarkdownStyles {
    private let theme: MarkdownTheme
    private let layers: [(kind: SpanKind, style: Style)]
    private var known: [SpanKind: Style] = [:]

    init(_ theme: MarkdownTheme) {
        self.theme = theme
        layers = theme.layers
    }

    /// The style of a run.
    func style(of kind: SpanKind) -> Style {
        if let style = known[kind] { return style }
        let style = mix(kind)
        known[kind] = style
        return style
    }

    /// The background of a whole row of a block.
    func ground(of block: BlockKind) -> Style {
        switch block {
        case .code, .codeFence: theme.codeBlock
        default: .default
        }
    }

    private func mix(_ kind: SpanKind) -> Style {
        var style = Style.default
        for (part, look) in layers where kind.contains(part) { style = look.over(style) }
        if kind.headingLevel != nil { style = theme.heading.over(style) }
        if kind.contains(.linkTarget) { style.underline = .none }
        if kind.contains(.marker) {
            // Markers are drawn faintly, whatever they mark; the background stays that of the content.
            style.foreground = theme.marker.foreground
            style.attributes = theme.marker.attributes
            style.underline = .none
            if kind.contains(.highlight), theme.highlight.background != .default {
                // The markers' colour suits the window's background, but may be unreadable on the highlight's.
                style.foreground = theme.highlight.foreground
                style.attributes.insert(.dim)
            }
        }
        return style
    }
}

extension MarkdownTheme {
    /// The styles by kind of span, from the bottom layer up: a containing span comes before what it contains.
    fileprivate var layers: [(kind: SpanKind, style: Style)] {
        [
            (.quote, quote), (.frontMatter, metadata), (.codeBlock, codeBlock), (.html, metadata),
            (.definition, metadata), (.fenceInfo, metadata), (.done, taskDone), (.emphasis, emphasis),
            (.strong, strong), (.strikethrough, strikethrough), (.highlight, highlight), (.link, link),
            (.wikilink, link), (.image, link), (.linkTarget, linkTarget), (.footnote, link), (.tag, tag),
            (.math, math), (.code, code), (.listMarker, listMarker), (.task, listMarker), (.rule, marker),
            (.escape, marker), (.codeKeyword, keyword), (.codeType, number), (.codeString, string),
            (.codeComment, comment), (.codeNumber, number), (.codeName, link.withoutUnderline), (.codeAdded, string),
            (.codeRemoved, keyword),
        ]
    }
}

extension Style {
    /// Returns this style over another; properties that this one leaves unset come from the other.
    fileprivate func over(_ under: Style) -> Style {
        var style = self
        if style.foreground == .default { style.foreground = under.foreground }
        if style.background == .default { style.background = under.background }
        if style.underline == .none { style.underline = under.underline }
        style.attributes.formUnion(under.attributes)
        return style
    }

    fileprivate var withoutUnderline: Style {
        var style = self
        style.underline = .none
        return style
    }
}
