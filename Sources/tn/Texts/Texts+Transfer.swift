import ArgumentParser
import NoteStore
import SystemPackage

/// The messages about manuscripts and changed files.
extension Texts {
    static func written(_ manuscript: Manuscript) -> String {
        "\(count(manuscript.noteCount, "note")), \(count(manuscript.wordCount, "word")) exported."
    }
    static let linkingNotes = "linking notes"
    static func changedFiles(_ number: Int) -> String {
        "\(count(number, "file")) changed since the last import: merge the changes into the notes, keep both, or skip? "
            + "[M/b/s] "
    }
}

extension Failure {
    static func fileInUse(_ path: String) -> Failure {
        Failure("\(path) already exists; choose another name, or add --force to replace it", status: .cannotCreate)
    }
    static func emptyManuscript(_ path: String) -> Failure {
        Failure("\(path) has no notes for a manuscript; choose another folder", status: .noInput)
    }
    static let noPDFProgram = Failure(
        "a PDF needs pandoc and typst, weasyprint or LaTeX; install them, or export .html and print it",
        status: .unavailable)
    static func cannotStart(_ program: String, _ error: any Error) -> Failure {
        Failure("\(program) cannot be started: \(error)", status: .unavailable)
    }
    static func pdfFailed(_ engine: String, _ words: String) -> Failure {
        Failure(
            "pandoc with \(engine) made no PDF: \(words.isEmpty ? "it took too long" : words)", status: .internalError)
    }
}

extension ValidationError {
    static let linesOfMarkdown = ValidationError("--keep-lines goes with --html, --site or --manuscript.")
    static let authorOfManuscript = ValidationError("--author goes with --manuscript.")
    static func fileAsFolder(_ path: String) -> ValidationError {
        let advice =
            switch FilePath(path).extension?.lowercased() {
            case "json": "for the whole notebook in this file add --json"
            case "zip": "export to a folder and pack that"
            case "txt": "tn show writes the text of one note"
            default: "for one file add --manuscript, with notes or --folder"
            }
        return ValidationError("“\(path)” would be a folder: \(advice); or name a folder without such an ending.")
    }
    static let manuscriptOfWhat = ValidationError("--manuscript needs notes or --folder.")
    static let manuscriptEnding = ValidationError("the file of a manuscript ends in .md, .html, .epub or .pdf.")
}
