import SystemPackage

/// Standard error led into a file while the full screen is up: a library's noise, or a crash report, would be drawn
/// over the screen.
struct ErrorRedirection {
    private let saved: FileDescriptor

    /// Leads standard error into a file, which is made readable for its owner only; nil when it is no terminal (then it
    /// is somebody's file already) or the file cannot be opened.
    init?(to path: String) {
        guard FileDescriptor.standardError.isTerminal else { return nil }
        do {
            let file = try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.create, .append, .closeOnExec], permissions: .ownerReadWrite)
            defer { try? file.close() }  // nothing was written by it
            saved = try FileDescriptor.standardError.duplicateForItself()
            _ = try file.duplicate(as: .standardError)
        } catch {
            return nil
        }
    }

    func end() {
        _ = try? saved.duplicate(as: .standardError)  // where it fails there is nowhere left to tell it
        try? saved.close()  // nothing was written by it
    }
}
