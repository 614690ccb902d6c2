import SystemPackage

/// A notebook of zk or nb: Markdown whose files are named by numbers or short codes, and whose titles stand in the texts.
///
/// zk keeps its settings in `.zk`; nb keeps a list of the files in `.index`, in each of its notebooks.
struct NumberedNotes: ProgramFormat {
    let plan: ImportPlan
    /// Whether zk's settings say that `:one:two:` are tags.
    private let hasColonTags: Bool

    static func recognizes(_ path: FilePath) -> Bool {
        kind(of: path.appending(".zk")) == .folder || isNotebook(path) || isNotebook(path.appending("home"))
    }

    /// Whether a folder is a notebook of nb, whose first one is called `home`.
    private static func isNotebook(_ path: FilePath) -> Bool {
        kind(of: path.appending(".index")) == .file && kind(of: path.appending(".git")) != nil
    }

    private static func kind(of path: FilePath) -> FileStatus.Kind? {
        try? FileStatus(path, followsLinks: true).kind  // it does not exist
    }

    init(reading path: FilePath) {
        plan = ImportPlan(paths: [path.string])
        let settings = try? RegularFile.head(path.appending(".zk/config.toml"), count: 65_536)  // nb has none
        let lines = String(decoding: settings ?? [], as: UTF8.self).split(whereSeparator: \.isNewline)
        hasColonTags = lines.contains { $0.filter { !$0.isWhitespace } == "colon-tags=true" }
    }

    func read(_ file: ImportPlan.File) throws(ImportFailure) -> ImportFile {
        try ImportFile(reading: file, isNamedByText: true, hasColonTags: hasColonTags)
    }

    func media(_ address: String, from folder: FilePath) -> FilePath? { plan.medium(named: address, from: folder) }
}
