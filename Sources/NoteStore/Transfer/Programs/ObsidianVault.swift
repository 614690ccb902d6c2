import SystemPackage

/// An Obsidian vault, which is a folder with `.obsidian` in it.
///
/// Its files are read as plain files.
struct ObsidianVault: ProgramFormat {
    let plan: ImportPlan

    static func recognizes(_ path: FilePath) -> Bool {
        (try? FileStatus(path.appending(".obsidian"), followsLinks: true))?.kind == .folder  // no vault
    }

    init(reading path: FilePath) {
        plan = ImportPlan(paths: [path.string])
    }

    func read(_ file: ImportPlan.File) throws(ImportFailure) -> ImportFile {
        try ImportFile(reading: file)
    }

    func media(_ address: String, from folder: FilePath) -> FilePath? { plan.medium(named: address, from: folder) }
}
