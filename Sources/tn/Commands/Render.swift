import ArgumentParser
import Markdown
import NoteStore
import SystemPackage

/// The command `tn render`: draws Markdown for the terminal, or converts it to HTML.
struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draw Markdown for the terminal, or turn it into HTML.",
        usage: "tn render [<options>] [<file>]",
        discussion: """
            Opens no notebook. HTML is CommonMark 0.31.2 unless an option adds to it. Pictures are drawn on a terminal \
            with 256 colours or more; elsewhere their labels stand in their place. Examples:

              tn render README.md
              tn render --pictures trip/report.md
              tn show Piranesi | tn render --html --extended > piranesi.html
            """)

    @Argument(
        help: "A file; standard input by default and for -.", completion: .file(extensions: ["md", "markdown", "txt"]))
    var file: String?
    @Flag(help: "As HTML.")
    var html = false
    @Flag(help: "With the extensions of GitHub: tables, task lists, strikethrough, bare links.")
    var gfm = false
    @Flag(help: "With everything that tn supports: also wikilinks, tags, footnotes, math, highlights, front matter.")
    var extended = false
    @Flag(help: "Draw the pictures in the file's folder or below it.")
    var pictures = false
    @Option(help: ArgumentHelp("The width in cells; by default the terminal's, at most 80.", valueName: "n"))
    var width: Int?

    func validate() throws {
        if gfm, extended { throw ValidationError.gfmOrExtended }
        if let width, width < 10 { throw ValidationError.widthTooSmall }
        // A rule and a table are as wide as the page, and would fill the memory.
        if let width, width > 10_000 { throw ValidationError.widthTooLarge }
        if gfm || extended, !html { throw ValidationError.extensionsOfHTML }
        if width != nil, html { throw ValidationError.widthOfHTML }
        if pictures, html { throw ValidationError.picturesOfHTML }
    }

    /// The file, unless it is `-`, which stands for standard input.
    private var named: String? { file == "-" ? nil : file }

    /// The folder of the file, in which its pictures are looked for.
    private var folder: FilePath {
        guard let file = named else { return "." }
        let folder = FilePath(file).parent
        return folder.isEmpty ? "." : folder
    }

    func run() throws {
        let text = try named.map(InputText.text(ofFile:)) ?? InputText.piped(or: .noTextToDraw)
        if html {
            let page = Markdown.html(text, gfm ? .gfm : extended ? .extended : .commonMark)
            try StandardOutput.write(text: page)
        } else {
            try DrawnMarkdown.write(text, columns: width, pictures: pictures ? PrintedPictures(inFolder: folder) : nil)
        }
    }
}
