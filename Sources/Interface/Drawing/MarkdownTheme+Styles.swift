import Markdown
import Terminal

/// The styles of the runs of a text under one theme, each mixed once.
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

    /// The ground of a whole row of a block.
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
            // Markers recede, whatever they mark; the ground stays the content's.
            style.foreground = theme.marker.foreground
            style.attributes = theme.marker.attributes
            style.underline = .none
            if kind.contains(.highlight), theme.highlight.background != .default {
                // The colour of markers is made for the window's ground, and may not be told from this one.
                style.foreground = theme.highlight.foreground
                style.attributes.insert(.dim)
            }
        }
        return style
    }
}

extension MarkdownTheme {
    /// From the ground up: what contains, then what is contained.
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
    /// This style over another: what this one leaves open shows the other.
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
