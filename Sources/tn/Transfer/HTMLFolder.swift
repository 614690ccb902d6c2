import Foundation
import Markdown
import NoteStore

/// Turns a folder of exported Markdown files into pages that link to each other.
struct HTMLFolder {
    private let folder: String
    private let notebook: Notebook

    init(_ folder: String, _ notebook: Notebook) {
        self.folder = folder
        self.notebook = notebook
    }

    /// Replaces the files of these notes by pages.
    func convert(_ ids: [NoteID], _ paths: [String]) throws {
        let pages = Dictionary(zip(ids, paths.map(Self.page))) { first, _ in first }
        for (id, path) in zip(ids, paths) {
            let file = folder + "/" + path
            let up = String(repeating: "../", count: path.count { $0 == "/" })
            let title = try notebook.row(id)?.title ?? ""
            let body = try linked(Markdown.html(try InputText.text(ofFile: file), .extended), from: id, up, pages)
            do {
                try Data(Self.document(title, body).utf8).write(to: URL(filePath: folder + "/" + Self.page(path)))
                try FileManager.default.removeItem(atPath: file)
            } catch {
                throw Failure("cannot write \(file): \(error.localizedDescription)", status: .inputOutput)
            }
        }
    }

    private static func page(_ path: String) -> String { path.dropLast(path.hasSuffix(".md") ? 3 : 0) + ".html" }

    /// The page with links to Markdown files made links to pages, and links by title made links to theirs.
    private func linked(_ html: String, from id: NoteID, _ up: String, _ pages: [NoteID: String]) throws -> String {
        let files = html.replacing(/href="((?:[^":]|%3A)*)\.md(#[^"]*)?"/) { "href=\"\($0.1).html\($0.2 ?? "")\"" }
        var result = files
        for match in files.matches(of: /href="([^"]*)" class="wikilink"/) {
            let target = String(match.1)
            let title = target.prefix { $0 != "#" }.replacing("&amp;", with: "&")
            guard let row = try notebook.note(titled: title.removingPercentEncoding ?? String(title), from: id),
                let page = pages[row.id]?.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
            else { continue }
            let address = (up + page).replacing("&", with: "&amp;")
            result = result.replacing(
                "href=\"\(target)\" class=\"wikilink\"", with: "href=\"\(address)\" class=\"wikilink\"")
        }
        return result
    }

    private static func document(_ title: String, _ body: String) -> String {
        let title = title.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return """
            <!DOCTYPE html>
            <html>
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(title)</title>
            <style>body { max-width: 40em; margin: 2em auto; padding: 0 1em; font-family: sans-serif; line-height: 1.5 }</style>
            </head>
            <body>
            \(body)</body>
            </html>

            """
    }
}
