import Markdown

/// What stands around the body in every page of HTML that an export writes.
struct HTMLFrame {
    let title: String
    /// The elements of the head that bring the style sheet.
    let style: String
    /// The Content-Security-Policy of the page.
    ///
    /// The HTML in a note's text may come from anywhere, so no page runs programs.
    var policy = Self.withoutPrograms

    static let withoutPrograms = "script-src 'none'; object-src 'none'"

    func page(_ body: String) -> String {
        """
        <!DOCTYPE html>
        <html>
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(policy)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(XMLText.escaped(title))</title>
        \(style)
        </head>
        <body>
        \(body)</body>
        </html>

        """
    }
}
