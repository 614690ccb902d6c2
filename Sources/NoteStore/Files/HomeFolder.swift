import SystemPackage

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
        guard let path = inUserDatabase(), path.hasPrefix("/") else { return "/" }
        return path
    }

    #if os(Linux)
    /// Returns the folder that `/etc/passwd` tells of this user.
    ///
    /// `getpwuid_r` asks modules of the system about a user who is not in that file, as in many containers. It loads them
    /// into the process, and in a program that is linked statically that ends in a crash.
    private static func inUserDatabase() -> String? {
        // Without the file, nothing is known of any user.
        guard let bytes = try? PrivateFile.read("/etc/passwd", limit: maximumSize) else { return nil }
        return folder(of: getuid(), in: String(decoding: bytes, as: UTF8.self))
    }

    /// The size in bytes up to which the file is read: some hundred thousand users.
    private static let maximumSize = 1 << 25
    #else
    private static func inUserDatabase() -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var text = [CChar](repeating: 0, count: 16_384)
        let isRead = getpwuid_r(getuid(), &entry, &text, text.count, &found) == 0
        guard isRead, found != nil, let folder = entry.pw_dir else { return nil }
        return String(cString: folder)
    }
    #endif

    /// Returns a user's home folder in a text as passwd(5) describes it; nil if the user is not in it.
    static func folder(of user: UInt32, in database: String) -> String? {
        for line in database.split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count > 5, UInt32(fields[2]) == user { return String(fields[5]) }
        }
        return nil
    }
}
