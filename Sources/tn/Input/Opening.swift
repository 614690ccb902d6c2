/// A request to open the notebook full-screen in a plain form: `tn`, `tn open REF`, `tn takenote://…`.
///
/// Setting up the parser takes a seventh of the time to the first frame (measured November 2026), so it is not used
/// here.
struct Opening: Equatable {
    /// The notebook's file; nil for the default one.
    var database: String?
    /// The notebook's name; nil for the default one.
    var notebook: String?
    /// The note to open; nil reopens the last location.
    var reference: String?

    /// Parses the plain forms directly; nil for anything else, which the parser then handles or explains.
    init?(plainly words: [String]) {
        // A word that begins with a dash is not a value: it may be an option, or a mistake.
        guard !words.dropFirst().contains(where: { $0.utf8.first == UInt8(ascii: "-") }) else { return nil }
        var rest = words[...]
        if rest.first == "--database" {
            rest = rest.dropFirst()
            guard let path = rest.popFirst(), !path.isEmpty else { return nil }
            database = path
        } else if rest.first == "-n" {
            rest = rest.dropFirst()
            guard let name = rest.popFirst(), NamedNotebooks.problem(of: name) == nil else { return nil }
            notebook = name
        }
        guard let word = rest.popFirst() else { return }
        if word.lowercased().hasPrefix("takenote://") {
            reference = word
        } else if word == "open" {
            reference = rest.popFirst()
        }
        guard reference != nil, rest.isEmpty else { return nil }
    }

    func run() throws {
        var options = NotebookOptions(database: database, notebook: notebook)
        if let reference { options = options.holding(reference) }
        if let reference, try OpenWindows.come(to: reference, in: options) { return }
        try FullScreen.run(options, opening: reference)
    }
}
