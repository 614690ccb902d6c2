#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Standard error led into a file while the full screen is up: a library's noise, or a crash report, would be drawn
/// over the screen.
struct ErrorRedirection {
    private let saved: Int32

    /// Leads standard error into a file, which is made readable for its owner only; nil when it is no terminal (then it
    /// is somebody's file already) or the file cannot be opened.
    init?(to path: String) {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        dup2(file, STDERR_FILENO)
        close(file)
    }

    func end() {
        guard saved >= 0 else { return }
        dup2(saved, STDERR_FILENO)
        close(saved)
    }
}
