import SystemPackage

/// The mark of an import that has not ended, by which the next one of the same files finishes it.
///
/// A file may link to any other, so links are rewritten after all notes are made. An import that was stopped or killed
/// before that leaves notes with the links of their files; the files have not changed, but their notes are not done.
extension ImportRun {
    /// The key of the setting that lists the given folders of such imports, one a line.
    static let unfinishedKey = "importing"
    /// The maximum number of folders in that list; the newest ones stay.
    private static let maximumCount = 100

    /// Whether an earlier import of one of these folders has not ended.
    func isUnfinished() throws(StoreError) -> Bool {
        guard let value = try notebook.settings.value(Self.unfinishedKey) else { return false }
        return !roots.isDisjoint(with: value.split(separator: "\n").map(String.init))
    }

    /// Adds the folders of this import to the list, or takes them away once it has ended.
    func mark(isUnfinished: Bool, _ transaction: Transaction) throws {
        let value: String? = try transaction.value("SELECT value FROM setting WHERE key = ?", [Self.unfinishedKey])
        let others = (value ?? "").split(separator: "\n").map(String.init).filter { !roots.contains($0) }
        let all = (others + (isUnfinished ? roots.sorted() : [])).suffix(Self.maximumCount)
        if all.isEmpty {
            try transaction.run("DELETE FROM setting WHERE key = ?", [Self.unfinishedKey])
        } else {
            try transaction.run(
                "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)",
                [Self.unfinishedKey, all.joined(separator: "\n")])
        }
        isMarked = isUnfinished
    }

    /// Takes the mark away after the last change of an import that was not stopped.
    func finish() throws(StoreError) {
        guard isMarked, !result.wasCancelled else { return }
        try notebook.write { try mark(isUnfinished: false, $0) }
    }

    /// The given folders, as lines.
    static func roots(of plan: ImportPlan) -> Set<String> {
        Set(Set(plan.files.lazy.map(\.root)).map { $0.absolute.key.replacing("\n", with: " ") })
    }
}
