import Foundation
import Testing

@testable import NoteStore

/// Tests the export of a web site.
@Suite struct SiteTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }
    private let out: String

    init() throws {
        test = try TestNotebook()
        out = test.folder.path + "/site"
    }

    private func files() throws -> [String: String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: out).filter { $0.hasSuffix(".html") }
        return Dictionary(
            uniqueKeysWithValues: paths.map {
                ($0, String(decoding: FileManager.default.contents(atPath: out + "/" + $0) ?? Data(), as: UTF8.self))
            })
    }

    @Test func `no page commands the terminal that prints it`() throws {
        try test.note("Loud\n\n\u{1B}[31m red &#27;[31m `\u{1B}]0;x\u{7}` \u{0}")
        _ = try notebook.transfer.export(to: out, ExportOptions(format: .site))
        for (name, text) in try files() {
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" }, "\(name)")
        }
    }

    @Test(arguments: [ExportOptions.Format.site, .html])
    func `a link to a file whose scripts a browser would run saves it`(format: ExportOptions.Format) throws {
        let names = ["a.html", "b.HTM", "c.svg", "d.xml", "e.pdf", "f.html.txt"]
        let urls = try names.map { try notebook.attachments.add(Data($0.utf8), name: $0).url }
        let page = try test.note("the page", title: "Page")
        var text = urls.map { "[link](\($0)) <a href=\"\($0)\">raw</a> <\($0)>" }.joined(separator: "\n\n")
        text += "\n\n![picture](\(urls[2]))\n\n[[Page]] [note](\(page.getURL())) [web](https://x.org/a.html)"
        try test.note(text, title: "Start")
        _ = try notebook.transfer.export(to: out, ExportOptions(format: format))
        let start = try #require(try files()["Inbox/Start.html"])
        for (index, name) in names.enumerated() {
            let count = start.matches(of: try Regex("<a href=\"[^\"]*/\(name)\" download>")).count
            #expect(count == (index < 4 ? 3 : 0), "\(name): \(start)")
        }
        #expect(start.components(separatedBy: " download").count == 4 * 3 + 1)
        #expect(start.contains("/c.svg\" alt=\"picture\" />"))
    }

    @Test func `every address of a site leads to a file and to a place in it, and nothing runs`() throws {
        let home = try notebook.folders.create("Home & <garden>")
        let image = try notebook.images.add(TransferTests.png, name: "p.png")
        let pears = try test.note(
            "# Pears?\n\n## How to: bake\n\n## How to: bake\n#fruit/tree ![p](\(image.getURL())) ![gone](takenote://image/\(UUID()))",
            in: home.id)
        let file = try notebook.attachments.add(Data("x".utf8), name: "list 100%.pdf")
        try test.note(
            """
            [[Pears?]] [[Pears?#How to bake]] [a](\(pears.getURL())#How%20to%3A%20bake) [gone](takenote://note/\(UUID()))
            [[Nowhere]] [bad](javascript:alert(1)) <script>alert(1)</script> <img src=x onerror=alert(1)> \(file.markdown())
            <a href="\(pears.getURL())">raw</a> <a href="takenote://note/\(UUID())">raw</a> <iframe src=x></iframe>
            [x]( javascript:alert(1)) <a href="java&#10;script:x">y</a> [web](https://x.org) #fruit
            """, title: "<script>Start")
        try test.note("index", in: home.id, title: "index")
        let result = try notebook.transfer.export(to: out, ExportOptions(format: .site))
        #expect(result.noteCount == 3 && result.problems.isEmpty)
        let files = try files()
        #expect(files.count == 4)
        for (name, text) in files {
            #expect(
                !text.contains("<script") && !text.contains("takenote:") && !text.contains("javascript:"), "\(text)")
            #expect(!text.contains("onerror=a") && !text.contains("<iframe") && text.contains("width=device-width"))
            for match in text.matches(of: /(?:href|src)="([^"]*)"/) {
                let address = String(match.1)
                if address.hasPrefix("https://") || address == "x" { continue }
                let parts = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let path = try #require(String(parts[0]).removingPercentEncoding)
                let folder = URL(filePath: "/" + name).deletingLastPathComponent()
                let target = String(folder.appending(path: path).standardized.path.dropFirst())
                #expect(FileManager.default.fileExists(atPath: out + "/" + target), "\(name): \(address)")
                if parts.count > 1 {
                    #expect(files[target]?.contains("id=\"\(parts[1])\"") == true, "\(name): \(address)")
                }
            }
        }
        let start = try #require(files["Inbox/-script-Start.html"])
        #expect(start.contains("#how-to-bake\">a</a>") && start.contains("<a class=\"missing\">Nowhere</a>"))
        #expect(start.contains("<a class=\"missing\">gone</a>") && start.contains("<a>raw</a>"))
        let page = try #require(files["Home & -garden-/Pears-.html"])
        #expect(page.contains("Linked from") && page.contains("&lt;script&gt;Start"))
        #expect(page.components(separatedBy: "<h1").count == 2)
        #expect(files["index.html"]?.contains("#fruit/tree") == true)
    }
}
