import Markdown
import Terminal

/// The colours and attributes of all that is drawn.
public struct Theme: Equatable, Sendable {
    public var name = ""

    /// Plain text on the terminal's own background.
    public var text = Style.default
    /// Secondary text: ages, previews, hints.
    public var dim = Style.default
    /// Elements that should draw attention, in the program's pink.
    public var accent = Style.default
    /// The titles of panes.
    public var title = Style.default
    /// Lines between panes.
    public var rule = Style.default
    /// The row under the cursor in the focused pane.
    public var selection = Style.default
    /// The row under the cursor in a pane without the focus.
    public var quietSelection = Style.default
    /// The mark at the left of the row under the cursor.
    public var selectionMark = Style.default
    /// Selected text.
    public var selectedText = Style.default
    /// Matches of a search.
    public var match = Style.default
    public var star = Style.default
    public var tag = Style.default
    public var status = Style.default
    /// Keys in the status line and in help.
    public var key = Style.default
    public var notice = Style.default
    public var trouble = Style.default
    /// The background of overlays; `overlayFrame` is their frame.
    public var overlay = Style.default
    public var overlayFrame = Style.default

    /// The styles of Markdown.
    public var markdown = MarkdownTheme()

    /// The characters of lines and marks.
    public var glyphs = Glyphs.unicode
}

extension Theme {
    /// The style of the current match of a search, which stands out among the other matches.
    ///
    /// Its background is the accent's colour, and its text has that colour of the other matches which is easier to read
    /// on it: on the light pink of a dark theme the dark one, on the dark pink of a light theme the light one. Without
    /// an accent's colour it is reversed.
    var matchAtHand: Style {
        var style = match
        if accent.foreground != .default {
            style.background = accent.foreground
            func contrast(_ color: Color) -> Double { color.contrast(with: accent.foreground) ?? 0 }
            if match.background != .default, contrast(match.background) > contrast(match.foreground) {
                style.foreground = match.background
            }
        } else {
            style.attributes.insert(.reverse)
        }
        style.attributes.insert(.bold)
        return style
    }
}

/// The styles of the parts of a Markdown text.
public struct MarkdownTheme: Equatable, Sendable {
    public var marker = Style.default
    public var heading = Style.default
    public var emphasis = Style.default
    public var strong = Style.default
    public var strikethrough = Style.default
    public var code = Style.default
    public var codeBlock = Style.default
    public var link = Style.default
    public var linkTarget = Style.default
    public var quote = Style.default
    public var listMarker = Style.default
    public var taskDone = Style.default
    public var tag = Style.default
    public var highlight = Style.default
    public var math = Style.default
    public var metadata = Style.default
    public var keyword = Style.default
    public var string = Style.default
    public var comment = Style.default
    public var number = Style.default
}
