import Foundation
import NoteStore

/// Errors in words: what is wrong, where, and what to do.
///
/// The one place where the store's facts become sentences.
///
/// The sentences begin in lower case and have no full stop, so that they can follow a colon.
public enum Sentence {
    /// The sentence for any error; one that is not of the notebook speaks for itself.
    public static func of(_ error: any Error) -> String {
        switch error {
        case let error as StoreError: describe(error)
        case let error as any CustomStringConvertible: error.description
        // What names no file and no cause would say nothing to people.
        default: (error as NSError).localizedDescription
        }
    }

    /// What kept a file from being taken in or written, and which.
    public static func of(_ problem: ImportProblem) -> String {
        if case .store(let error) = problem.reason { return "\(problem.path): \(describe(error))" }
        return problem.message
    }

    private static func describe(_ error: StoreError) -> String {
        switch error {
        case .cannotCreate(let path, let errno):
            "cannot create \(path): \(reason(errno)); check the folder's permissions or choose another --database"
        case .noSuchFile(let path):
            "there is no file \(path)"
        case .replaced(let path, let rescue):
            "another program has replaced \(path); quit and start tn again, which brings your text into the new file"
                + (rescue.flatMap { $0.isEmpty ? nil : "; the old notebook is kept as \($0)" } ?? "")
        case .newerSchema(let path, let found, let known):
            "\(path) was written by a newer tn (format \(found), this one knows \(known)); please update tn"
        case .notANotebook(let path):
            "\(path) is not a notebook of tn; choose another --database"
        case .busy(let path):
            "\(path) is busy: another program holds its lock; wait until it has ended and try again"
        case .diskFull(let path):
            "the disk that holds \(path) is full; make room and try again"
        case .readOnly(let path):
            "\(path) cannot be written; check its permissions and its folder's"
        case .corrupt(let path, let detail):
            "\(path) is damaged (\(detail)); run tn doctor --repair"
        case .inputOutput(let path, let code):
            "reading or writing \(path) failed (SQLite error \(code)); check the disk"
        case .system(let path, let errno):
            "\(path): \(reason(errno)); check the file and its folder"
        case .closed(let path):
            "\(path) is closed already"
        case .interrupted:
            "it was interrupted"
        case .database(let path, let code, let message):
            "\(path): \(message) (SQLite error \(code)); run tn doctor"
        default:
            describeMissing(error)
        }
    }

    private static func describeMissing(_ error: StoreError) -> String {
        switch error {
        case .noSuchNote(let id):
            "there is no note \(id)"
        case .noSuchContainer(let id):
            "there is no folder, project or tag \(id)"
        case .noSuchReference(let reference):
            "no note is called “\(reference)”; tn list and tn search show what there is"
        case .ambiguousReference(let reference, let candidates):
            "“\(reference)” can be \(candidates.count) notes: "
                + candidates.map { "\($0.id.uuid.uuidString.prefix(8)) “\($0.title)”" }.joined(separator: ", ")
                + "; use one of these"
        case .noSuchPath(let path, let missing):
            path == missing
                ? "there is no folder “\(path)”; tn folder list shows what there is"
                : "there is no “\(missing)” in the path “\(path)”; tn folder list shows what there is"
        case .noSuchVersion(let note, let number):
            "the note \(note) has no version \(number); tn history shows which it has"
        case .noSuchImage(let image):
            "there is no image \(image)"
        default:
            describeRefusal(error)
        }
    }

    private static func describeRefusal(_ error: StoreError) -> String {
        switch error {
        case .emptyName: "a name cannot be empty"
        case .nameTaken(let name, let place, _):
            "“\(name)” is already used\(place.isEmpty ? "" : " in \(place)"); choose another name"
        case .titleTaken(let title, let folder, _): "“\(folder)” already has a note “\(title)”; choose another title"
        case .cannotHoldNotes(let container): "“\(container)” cannot hold notes; choose a folder"
        case .cannotHoldFolders(let container): "“\(container)” cannot hold folders; choose another place"
        case .wouldContainItself(let container): "“\(container)” cannot be moved into itself"
        case .systemContainer(let name): "“\(name)” is built in and can't be changed"
        case .inTrash(let name): "“\(name)” is in the Trash; restore it first"
        case .notInTrash(let name): "“\(name)” is not in the Trash"
        case .unsupportedImage(let name): "\(name) is neither a JPEG nor a PNG image"
        case .tooLarge(let name, let bytes, let limit):
            "\(name) is too large: \(bytes / 1_000_000) MB, and \(limit / 1_000_000) MB is the most"
        case .invalidUTF8(let name, let offset): "\(name) is not UTF-8 text: byte \(offset) begins no character"
        case .unreadable(let name, let errno): "cannot read \(name): \(reason(errno))"
        case .notAnExport(let path, let program): "\(path) is not an export of \(program) that tn can read"
        case .encryptedExport(let path, let program):
            "\(path) is encrypted; choose a decrypted backup in \(program)"
        case .newerArchive(let path): "\(path) was written by a newer tn; please update tn"
        case .folderInUse(let path):
            "\(path) holds other files; choose a new or empty folder, or one of an earlier export"
        default: String(describing: error)
        }
    }

    /// The system's words for an error number.
    private static func reason(_ errno: Int32) -> String {
        String(cString: strerror(errno))
    }
}
