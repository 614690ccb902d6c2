#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The user's home folder.
public enum HomeFolder {
    /// Returns the folder that a value of `HOME` names, or the home folder in the user database if `HOME` names none.
    ///
    /// A relative path counts as none, as in the XDG specification: otherwise each working directory would get a
    /// notebook of its own.
    public static func path(_ home: String? = getenv("HOME").map { String(cString: $0) }) -> String {
        if let home, home.hasPrefix("/") { return home }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var text = [CChar](repeating: 0, count: 16_384)
        let isRead = getpwuid_r(getuid(), &entry, &text, text.count, &found) == 0
        guard isRead, found != nil, let folder = entry.pw_dir else { return "/" }
        let path = String(cString: folder)
        return path.hasPrefix("/") ? path : "/"
    }
}
