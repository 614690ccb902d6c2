import Foundation

/// All sentences of the store for people: errors and skipped files carry facts, which are put into words here.
///
/// Exit statuses of the commands follow from the errors in `tn/Output/Failure.swift`.
extension StoreError {
    /// The problem, its location and the remedy, in one line.
    ///
    /// The line begins in lower case and has no full stop, so that it can follow a colon.
    public var sentence: String {
        switch self {
        case .cannotCreate(let path, ENOENT):
            "cannot create \(path): there is no such folder; create it first or choose another place"
        case .cannotCreate(let path, ENOLCK), .cannotCreate(let path, ENOTSUP):
            "cannot create \(path): its file system cannot lock files; keep the notebook on a disk of this machine"
        case .cannotCreate(let path, let errno):
            "cannot create \(path): \(systemWords(errno)); check the folder's permissions or choose another --database"
        case .noTemporaryFolder(let folder, let errno):
            "cannot create a temporary file in \(folder): \(systemWords(errno)); set TMPDIR to a folder that can be "
                + "written"
        case .notAFile(let path):
            "cannot write \(path): it is a folder, a pipe or a device; remove it or choose another name"
        case .noSuchFile(let path):
            "there is no file \(path)"
        case .replaced(let path, let rescue):
            "another program has replaced \(path); quit and start tn again, which brings your text into the new file"
                + (rescue.flatMap { $0.isEmpty ? nil : "; the old notebook is kept as \($0)" } ?? "")
        case .linked(let path, let names, let recorded?):
            "\(path) has \(names) names (hard links), and notes are saved under \(recorded) only; open that one; what is "
                + "shown here may be old, and nothing is saved; tn doctor lists the names"
        case .linked(let path, let names, nil):
            "\(path) has \(names) names (hard links), each with a log of its own: what is shown may be old, and nothing is "
                + "saved; tn doctor --repair saves under this name again if no other one has a log, and tn doctor lists "
                + "the names"
        case .newerSchema(let path, let found, let known):
            "\(path) was written by a newer tn (format \(found), this one knows \(known)); please update tn"
        case .notANotebook(let path):
            "\(path) is not a notebook of tn; choose another --database"
        case .busy(let path):
            "\(path) is busy: another program holds its lock; wait until it has ended and try again"
        case .diskFull(let path):
            "the disk is full; make room and try again (it holds \(path))"
        case .quotaUsedUp(let path):
            "the system gives your files no more room on the disk that holds \(path) (quota); remove some of them or have "
                + "the quota raised, and try again"
        case .readOnly(let path):
            "\(path) cannot be written; check its permissions and its folder's"
        case .corrupt(let path, let detail):
            "\(path) is damaged (\(detail)); run tn doctor --repair"
        case .inputOutput(let path, 5386), .inputOutput(let path, 5130), .inputOutput(let path, 3850):
            // SQLITE_IOERR_SHMMAP, _SHMLOCK and _LOCK of sqlite.org/rescode.html
            "the file system that holds \(path) cannot share memory or locks between programs, which a notebook needs; keep "
                + "the notebook on a disk of this machine"
        case .inputOutput(let path, let code):
            "reading or writing \(path) failed (SQLite error \(code)); check the disk"
        case .system(let path, EIO):
            "\(path): \(systemWords(EIO)); check the disk"
        case .system(let path, let errno):
            "\(path): \(systemWords(errno)); check the file and its folder"
        case .closed(let path):
            "\(path) is closed already"
        case .interrupted:
            "interrupted"
        case .database(let path, let code, let message):
            "\(path): \(message) (SQLite error \(code)); run tn doctor"
        default:
            missing
        }
    }

    private var missing: String {
        switch self {
        case .noSuchNote(let id):
            "there is no note \(id)"
        case .noSuchContainer(let id):
            "there is no folder, project or tag \(id)"
        case .noSuchReference(let reference):
            "no note is called “\(reference)”; tn list and tn search show what there is"
        case .ambiguousReference(let reference, let candidates):
            "“\(reference)” can be \(candidates.count) notes: "
                + candidates.map { "\($0.id.description.prefix(Self.length(for: candidates))) “\($0.title)”" }
                .joined(separator: ", ")
                + "; use one of these"
        case .noSuchPath(let path, let missing):
            path == missing || missing.isEmpty
                ? "there is no folder “\(path)”; tn folder list shows what there is"
                : "there is no “\(missing)” in the path “\(path)”; tn folder list shows what there is"
        case .noSuchVersion(let note, let number):
            "the note \(note) has no version \(number); tn history shows which it has"
        case .noSuchImage(let image):
            "there is no image \(image)"
        case .noSuchAttachment(let file):
            "the notebook has no file \(file); tn files shows which it has"
        default:
            refusal
        }
    }

    /// Returns how many characters of their identities tell notes apart: 8, as lists show them, or more.
    private static func length(for notes: [NoteRow]) -> Int {
        (8...36).first { length in Set(notes.map { $0.id.description.prefix(length) }).count == notes.count } ?? 36
    }

    private var refusal: String {
        switch self {
        case .emptyName: "a name cannot be empty"
        case .nameTaken(let name, let parent, _):
            "“\(name)” is already used\(parent.isEmpty ? "" : " in \(parent)"); choose another name"
        case .titleTaken(let title, let folder, _): "“\(folder)” already has a note “\(title)”; choose another title"
        case .cannotHoldNotes(let container): "“\(container)” cannot hold notes; choose a folder"
        case .cannotHoldFolders(let container): "“\(container)” cannot hold folders; choose another folder"
        case .wouldContainItself(let container): "“\(container)” cannot be moved into itself"
        case .systemContainer(let name): "“\(name)” is built in and can't be changed"
        case .inTrash(let name): "“\(name)” is in the Trash; restore it first"
        case .damagedAction(let subject):
            "the record of what was done to “\(subject)” is damaged and was removed; repeat for the next action"
        case .notInTrash(let name): "“\(name)” is not in the Trash"
        case .tagInText(let name, 1): "the text has #\(name): change it there (tn search tag:\(name) finds it)"
        case .tagInText(let name, let count):
            "the texts of \(count) notes have #\(name): change it there (tn search tag:\(name) finds them)"
        case .notATag(let name):
            "“\(name)” cannot stand in a text as a tag: use letters, digits, _, - and /, and not digits alone"
        case .unsupportedImage(let name): "\(name) is neither a JPEG nor a PNG image"
        case .damagedImage(let name): "\(name) is a damaged image: no program can show it"
        case .imageOfTooManyPixels(let name): "\(name) has too many pixels; make it smaller first"
        case .tooLarge(let name, let bytes, let limit):
            "\(name) is too large: \(megabytes(bytes, over: limit))"
        case .invalidUTF8(let name, let offset):
            "\(name) is not UTF-8 text: byte \(offset) is not the start of a character"
        case .unreadable(let name, let errno): "cannot read \(name): \(systemWords(errno))"
        case .notAnExport(let path, let program): "\(path) is not an export of \(program) that tn can read"
        case .encryptedExport(let path, let program):
            "\(path) is encrypted; choose a decrypted backup in \(program)"
        case .damagedArchive(let path): "\(path) is damaged, or not complete; get it again"
        case .newerArchive(let path): "\(path) was written by a newer tn; please update tn"
        case .folderInUse(let path):
            "\(path) holds other files; choose a new or empty folder, or one of an earlier export"
        case .exportRunning(let path):
            "another export is writing to \(path); wait until it has ended, or choose another folder"
        default: String(describing: self)
        }
    }
}

/// Words a size and the limit that it exceeds, in bytes; where nothing was read beyond the limit, only the limit.
private func megabytes(_ bytes: Int, over limit: Int) -> String {
    let (size, most) = (bytes / 1_000_000, limit / 1_000_000)
    return size > most ? "\(size) MB, the limit is \(most) MB" : "the limit is \(most) MB"
}

extension ImportProblem {
    /// The problem and its location, in words.
    public var sentence: String {
        switch reason {
        case .notFound: "\(path): no such file"
        case .unreadable(let errno): "\(path): cannot be read (\(systemWords(errno)))"
        case .unwritable(let errno): "\(path): cannot be written (\(systemWords(errno)))"
        case .invalidUTF8(let offset): "\(path): not UTF-8 at byte \(offset)"
        case .unknownEncoding(let name): "\(path): its encoding, \(name), cannot be read; save it as UTF-8"
        case .tooLarge(let bytes, let limit):
            "\(path): too large: \(megabytes(bytes, over: limit))"
        case .unknownKind where path.lowercased().hasSuffix(".zip"):
            "\(path): not a zip, whatever its name says; get it again"
        case .unknownKind where path.lowercased().hasSuffix(".enex"):
            "\(path): not an export of Evernote, whatever its name says; export the notes again"
        case .unknownKind: "\(path): not a Markdown or text file"
        case .notRegular: "\(path): neither a file nor a folder"
        case .linkToFolder: "\(path): a link to another folder; import that folder to have it"
        case .linkOutside: "\(path): a link that leads out of the folder; import the file that it leads to"
        case .locked: "\(path): locked by a password, or packed in a way that tn does not know; unpack it yourself"
        case .damagedArchive: "\(path): damaged; get the export again"
        case .bytesAfterEnd: "\(path): other bytes follow its end; if notes are missing, get the export again"
        case .inItsTrash: "\(path): left out, since it was in the other program's Trash"
        case .noText: "\(path): not a text that can be read"
        case .notOurs: "\(path): not written by an export, or changed since; move it away and export again"
        case .attachment(let name): "\(path): \(name) was left out: it cannot be read, or leads out of the folder"
        case .largeAttachment(let name, let bytes, let limit):
            "\(path): \(name) was left out: it has \(bytes / 1_000_000) MB, and files.largest allows \(limit / 1_000_000)"
        case .missingFile(let name): "\(path): shows \(name), which is not in the folder; its link is left as it is"
        case .keptTwice(let title): "\(path): changed here and in the notebook; its text is kept as “\(title)”"
        case .ambiguousEmbed(let name):
            "\(path): ![[\(name)]] shows another note, since several have that title; give one of them another title"
        case .reduced(let from, let to):
            "\(path): reduced from \(from.width)x\(from.height) to \(to.width)x\(to.height) pixels; the file is as it was"
        case .retitled(let title): "\(path): another note of its folder has this title, so it is called “\(title)”"
        case .brokenCharacters: "\(path): has halves of characters, which no text can hold; “\u{FFFD}” stands for them"
        case .elementsLeftOut(let names):
            "\(path): imported without its \(names.map(Self.plural(ofElement:)).joined(separator: " and "))"
        case .store(let error): "\(path): \(error.sentence)"
        case .unread(let error): error.sentence
        }
    }

    private static func plural(ofElement name: String) -> String {
        switch name {
        case "svg": "drawings"
        case "iframe": "embedded pages"
        case "img": "pictures that are part of the page"
        case "math": "formulas"
        case "select": "choices"
        default: "objects"
        }
    }
}

extension LeftOutFiles {
    /// The files that were left out, in words: one line for all of a kind.
    public var sentence: String {
        let isOne = count == 1
        let advice =
            switch ending {
            case "html", "htm":
                isOne ? "name it to have it as a note" : "name them to have them as notes"
            case "zip", "tar", "jex", "enex", "bear2bk", "textpack":
                isOne ? "import it by itself" : "import them by themselves"
            default: isOne ? "no note refers to it" : "no note refers to them"
            }
        if isOne { return "\(examples.first ?? "a file") was left out; \(advice)" }
        let kind = ending.isEmpty ? "without an ending" : "ending in .\(ending)"
        return "\(count) files \(kind) were left out, such as \(examples.joined(separator: ", ")); \(advice)"
    }
}

extension SearchRemark {
    /// The remark about a search, in words.
    public var sentence: String { phrasings[0] }

    /// The remark in several lengths, the longest first; only the shortest may leave out what to do.
    public var phrasings: [String] {
        switch self {
        case .unknownFilter(let name):
            let known = SearchQuery.filterNames.map { $0 + ":" }
            return Self.shortened("\(name): is not a filter", "; the filters are ", known)
        case .unknownValue(let filter, let value):
            let known = SearchQuery.values(of: filter).map { "\(filter):\($0)" }
            return Self.shortened("\(filter):\(value) is not a filter", "; try ", known)
        case .someWordsOnly:
            return ["No note has all the words; these have some", "Not all words, but some", "Some words only"]
        case .archived(let number):
            let count = number < 100 ? "\(number)" : "Over 99"
            return [
                "\(count) more in the Archive: add in:archive", "\(count) archived: add in:archive",
                "\(count): in:archive",
            ]
        }
    }

    /// Returns the sentence with all words, then with one word less each time, then without any.
    private static func shortened(_ sentence: String, _ lead: String, _ words: [String]) -> [String] {
        guard !words.isEmpty else { return [sentence] }
        let fewer = (1..<words.count).reversed().map { "\(sentence); try \(words.prefix($0).joined(separator: " ")) …" }
        return [sentence + lead + words.joined(separator: " ")] + fewer + [sentence]
    }
}

extension ImportResult {
    /// The message that the app shows after an import.
    public func toString() -> String {
        let notes = Texts.count(noteImportCount, "note") + " imported"
        let merged = mergedCount == 0 ? "" : ", \(mergedCount) merged"
        let unchanged = merged + (unchangedCount == 0 ? "" : ", \(unchangedCount) unchanged")
        guard errorsEncountered else { return "\(notes)\(unchanged)." }
        let errors = uniqueErrorMessages
        let count = Texts.count(errors.count, "problem")
        return "\(notes)\(unchanged), \(count):\n" + errors.joined(separator: "\n")
    }
}

/// Pieces of the store's sentences about a file or a notebook, and the names that the store gives.
enum Texts {
    // MARK: Damage, worded to follow “is damaged”

    static let valueOfWrongKind = "a row holds a value of the wrong kind"
    static let copyIsNoNotebook = "its copy is not a notebook"
    static let formatContradictsTables = "its format number does not match its tables"

    // MARK: Manuscripts and sites

    enum Site {
        static let backlinks = "Linked from"
        static let tags = "Tags"
    }

    /// The list at the end of a zip, in place of a file's name.
    static let listOfZip = "the zip's list"

    /// Returns a count with its noun: `1 note`, `3 notes`.
    static func count(_ number: Int, _ noun: String) -> String { number == 1 ? "1 \(noun)" : "\(number) \(noun)s" }
    static func words(_ number: Int) -> String { count(number, "word") }

    // MARK: Names

    /// - Parameter day: a date like 2025-11-12.
    static func recoveryFolder(_ day: String) -> String { "Recovered Notes \(day)" }
    /// The name of a folder whose own name was lost.
    static func namelessFolder(_ key: Int64) -> String { "Folder \(key)" }

    // MARK: Broken rules

    /// The rules of a notebook that are broken, worded to follow “a rule is broken”.
    enum BrokenRule {
        static let systemContainerMissing = "a system container is missing or was changed"
        static let systemContainerTwice = "a system container exists twice"
        static let unreachableContainer = "a container cannot be reached from the root"
        static let parentHoldsNoFolders = "a parent cannot hold folders"
        static let placeOfContainer = "a container's place is not its parent's"
        static let projectOfContainer = "a container's project is not its parent's"
        static let notGathered = "a folder does not feed its project's All"
        static let folderHoldsNoNotes = "a note is in a container that cannot hold it"
        static let noteWithoutFolder = "a note has no folder"
        static let placeOfNote = "a note's place is not its folder's"
        static let liveNoteWithOrigin = "a live note remembers an origin"
        static let titlesNotUnique = "titles of a project's folder are not unique"
        static let missingInList = "a list lacks a note"
        static let foreignInList = "a list shows a note that is not in it"
        static let misplacedInList = "a list has a note in the wrong place"
        static let wrongCount = "a count is wrong"
        static let tagInNoText = "a tag that exists only in texts is in none"
        static let noteWithoutText = "a note has no text"
        static let linkLeadsElsewhere = "a link does not lead to the note that it names"
        static let linkLeadsNowhere = "a link by title leads nowhere, although a note has the title"
        static let markedForIndex = "a note is marked for the index"

        /// - Parameter rows: the identities of the rows that break the rule.
        static func rows(_ rows: String, breaking rule: String) -> String { "\(rule): \(rows)" }
        static func wrongKey(of id: String) -> String { "the key of \(id) is wrong" }
        static func wrongTitle(of id: String) -> String { "the title of \(id) is wrong" }
        static func wrongTags(of id: String) -> String { "the tags of \(id) are wrong" }
        static func wrongSize(of id: String) -> String { "the size of \(id) is wrong" }
        /// - Parameter type: `trigger` or `view`.
        static func missing(_ type: String, _ name: String) -> String { "a \(type) is missing: \(name)" }
        static func foreign(_ type: String, _ name: String) -> String {
            "a \(type) does not belong to the notebook: \(name)"
        }
        static func indexed(_ indexed: Int, of notes: Int) -> String { "\(indexed) of \(notes) notes are indexed" }
    }
}

/// Returns the system's words for an error number.
func systemWords(_ errno: Int32) -> String { String(cString: strerror(errno)) }
