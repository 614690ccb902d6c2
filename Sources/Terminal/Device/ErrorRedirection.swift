import SystemPackage

/// A redirection of standard error into a file while the full screen is up.
///
/// A library's messages or a crash report would otherwise be drawn over the screen.
struct ErrorRedirection {
    private let saved: FileDescriptor

    /// Redirects standard error into a file that only its owner can read.
    ///
    /// Fails if standard error is not a terminal (it is redirected already) or if the file cannot be opened.
    init?(to path: String) {
        guard FileDescriptor.standardError.isTerminal else { return nil }
        do {
            let file = try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.create, .append, .closeOnExec], permissions: .ownerReadWrite)
            defer { try? file.close() }  // nothing was written through it
            saved = try FileDescriptor.standardError.duplicateForItself()
            _ = try file.duplicate(as: .standardError)
        } catch {
            return nil
        }
    }

    func end() {
        _ = try? saved.duplicate(as: .standardError)  // if this fails, the error cannot be reported anywhere
        try? saved.close()  // nothing was written through it
    }
}
