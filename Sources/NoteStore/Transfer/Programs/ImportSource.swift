import SystemPackage

/// Something to import: files as they are, or another program's export, read where it lies.
public struct ImportSource: Sendable {
    let format: any ImportFormat
    public var plan: ImportPlan { format.plan }

    /// The sources in these paths: one for all plain files, and one for each export of another program.
    ///
    /// Those programs are Obsidian (a vault), Joplin (its RAW folder), Simplenote and Standard Notes (their JSON).
    ///
    /// - Throws: `StoreError` if an export cannot be read.
    public static func sources(_ paths: [String]) throws -> [ImportSource] {
        var plain: [String] = []
        var sources: [ImportSource] = []
        for path in paths {
            if let program = program(of: path) {
                sources.append(ImportSource(format: try program.init(reading: FilePath(path))))
            } else {
                plain.append(path)
            }
        }
        return (plain.isEmpty ? [] : [ImportSource(plain: ImportPlan(paths: plain))]) + sources
    }

    /// Whether a file or folder is another program's export.
    public static func isExport(_ path: String) -> Bool { program(of: path) != nil }

    /// A source of Markdown and text files.
    public init(plain plan: ImportPlan) {
        self.init(format: PlainFiles(plan: plan))
    }

    private init(format: any ImportFormat) {
        self.format = format
    }

    private static func program(of path: String) -> (any ProgramFormat.Type)? {
        let all: [any ProgramFormat.Type] = [JoplinRaw.self, ObsidianVault.self, Simplenote.self, StandardNotes.self]
        return all.first { $0.recognizes(FilePath(path)) }
    }
}
