import Foundation
import NoteStore
import Processes
import SystemPackage

/// `tn export --manuscript`: the notes of a project or folder as one work.
extension Export {
    /// Writes the work to the file, in the format of the file's extension.
    func writeManuscript(of notebook: Notebook) throws {
        var manuscript = try work(of: notebook)
        manuscript.author = author ?? ""
        manuscript.keepsLines = keepLines
        if manuscript.noteCount == 0 { throw Failure.emptyManuscript(folder ?? "") }
        if !force, PrivateFile.exists(FilePath(target)) { throw Failure.fileInUse(target) }
        if let form = Manuscript.Form(ofFile: target) {
            try write(manuscript, as: form, of: notebook)
        } else {
            try PDFWriter.write(try notebook.transfer.page(of: manuscript), titled: manuscript.title, to: target)
        }
        try StandardOutput.write(line: Texts.written(manuscript))
    }

    private func write(_ manuscript: Manuscript, as form: Manuscript.Form, of notebook: Notebook) throws {
        do {
            try notebook.transfer.write(manuscript, as: form, to: target, replaces: force)
        } catch {
            switch error {
            case .folderInUse(let path): throw Failure.folderInUse(path)
            default: throw error
            }
        }
    }

    private func work(of notebook: Notebook) throws -> Manuscript {
        if !ref.isEmpty { return try notebook.transfer.manuscript(of: try notebook.notes.resolve(ref)) }
        return try notebook.transfer.manuscript(of: try notebook.containers.resolve(path: folder ?? "").id)
    }

    /// Whether a manuscript can be written in the format of the target's extension.
    var isManuscriptFile: Bool { Manuscript.Form(ofFile: target) != nil || PDFWriter.isPDF(target) }
}

/// Converts a page to a PDF with the programs that are installed.
enum PDFWriter {
    static func isPDF(_ path: String) -> Bool { FilePath(path).extension?.lowercased() == "pdf" }

    /// The programs with which pandoc can make a PDF, the best first.
    private static let engines = [
        "typst", "weasyprint", "tectonic", "xelatex", "lualatex", "pdflatex", "prince", "wkhtmltopdf",
    ]
    private static let deadline = Duration.seconds(300)
    private static let errorLimit = 4000

    /// Writes the PDF, completely or not at all.
    static func write(_ page: String, titled title: String, to target: String) throws {
        let environment = ProcessInfo.processInfo.environment
        let search = environment["PATH"] ?? ""
        guard let pandoc = Command.path(of: "pandoc", in: search),
            let engine = engines.first(where: { Command.path(of: $0, in: search) != nil })
        else { throw Failure.noPDFProgram }
        let folder = try PrivateFile.makeTemporaryFolder()
        defer { try? PrivateFile.removeAll(folder) }  // the system empties its temporary folder
        let (source, result) = (folder.appending("manuscript.html"), folder.appending("manuscript.pdf"))
        try PrivateFile.write(page.utf8, to: source)
        var command = Command(
            path: pandoc,
            words: [
                "pandoc", "--from=html", "--standalone", "--pdf-engine=\(engine)", "--metadata=pagetitle:\(title)",
                "--output=\(result.string)", source.string,
            ])
        command.errorOutput = .collected(limit: errorLimit)
        let ended: CommandResult
        do {
            ended = try command.run(deadline: deadline)
        } catch {
            throw Failure.cannotStart("pandoc", error)
        }
        guard ended.isSuccess, PrivateFile.exists(result) else {
            throw Failure.pdfFailed(engine, String(decoding: ended.errorOutput, as: UTF8.self))
        }
        try PrivateFile.write(try PrivateFile.read(result), to: FilePath(target))
    }
}
