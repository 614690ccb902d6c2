/// The text before the `|` in `[[…]]`, with all its possible meanings.
///
/// A title may itself contain a `#`, a `^` or a `/`, so only the existing titles tell what is a title, what is a
/// heading or block, and what is a folder. The readings are in the order in which they are tried: the longest title
/// first.
struct LinkReference {
    /// One reading: a title, the folders of its note, and the anchor in the note.
    struct Reading: Equatable {
        /// The folded title; empty means the note that contains the link.
        let titleKey: String
        /// Folded names of the folders that the note must be in, the innermost last; empty means anywhere.
        let folderKeys: [String]
        let anchor: LinkAnchor?

        /// Whether a path is read as a title, which it may be, or may have been before a folder was renamed.
        var isWholePath: Bool { folderKeys.isEmpty && titleKey.contains("/") }
    }

    let readings: [Reading]

    /// The maximum number of `#` and `^` at which a title is assumed to end.
    ///
    /// No title meant to be linked has more.
    private static let markLimit = 8

    init(_ reference: String) {
        var readings: [Reading] = []
        func add(_ name: Substring, _ anchor: LinkAnchor?) {
            for form in Self.forms(of: name) where !readings.contains(where: { form.isSame(as: $0) }) {
                readings.append(Reading(titleKey: form.title, folderKeys: form.folders, anchor: anchor))
            }
        }
        add(reference[...], nil)
        // Most references have no mark, and comparing characters costs far more than comparing bytes.
        let mayHaveMarks = reference.utf8.contains { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "^") }
        let marks = mayHaveMarks ? reference.indices.filter { reference[$0] == "#" || reference[$0] == "^" } : []
        for mark in marks.prefix(Self.markLimit).reversed() {
            // `[[Title#]]` means the note itself, as it does while a heading is being typed.
            add(reference[..<mark], LinkAnchor(reference[mark...]))
        }
        self.readings = readings
    }

    /// Whether it can only mean notes that have it for their title, wherever they are.
    var isPlain: Bool { readings.count == 1 && readings[0].folderKeys.isEmpty }

    /// The folded titles of the notes that may be meant, and the folded names of the folders that choose among them.
    var keys: (titles: Set<String>, folders: Set<String>) {
        (Set(readings.map(\.titleKey)), Set(readings.flatMap(\.folderKeys)))
    }

    private struct Form {
        let title: String
        var folders: [String] = []

        func isSame(as reading: Reading) -> Bool { title == reading.titleKey && folders == reading.folderKeys }
    }

    /// Returns the name read as a title and as a path, each also without `.md`.
    private static func forms(of name: Substring) -> [Form] {
        let key = Folding.key(String(name))
        // `[[#Heading]]` means its own note; `[[]]` means nothing.
        if key.isEmpty { return [Form(title: "")] }
        var forms: [Form] = []
        for key in [key] + (key.hasSuffix(".md") ? [String(key.dropLast(3))] : []) where !key.isEmpty {
            forms.append(Form(title: key))
            guard key.contains(byte: UInt8(ascii: "/")) else { continue }
            let names = key.split(separator: "/").map { Folding.trimmed(String($0)) }
            guard let title = names.last, !title.isEmpty else { continue }
            // `./` and `../` depend on the note that contains the link, which does not matter here.
            forms.append(
                Form(title: title, folders: names.dropLast().filter { $0 != "." && $0 != ".." && !$0.isEmpty }))
        }
        return forms
    }
}
