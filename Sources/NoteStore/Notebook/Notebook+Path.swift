import Foundation
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension Notebook {
    /// Returns the real path of a file, without symbolic links; a path without links is returned as it is.
    ///
    /// SQLite puts its own files beside the file that a link points to. All other files of the notebook must be there
    /// too, under whatever name it was opened: journals, drafts, backups, locks.
    ///
    /// A path that SQLite would read as something else is made absolute: `:memory:` and `file:…` name files here as
    /// everywhere, and the name of a lock cannot be added to a path that ends in `/`.
    public static func resolved(_ path: String) -> String {
        let real = realPath(path, links: 0)
        if path.hasPrefix(":") || path.hasPrefix("file:") || path.hasSuffix("/") { return real }
        // Most paths are real ones; comparing is much faster than making a path absolute.
        return real == path || real == absolute(path) ? path : real
    }

    /// Returns the path from the root, without `.` and `..`; links are not followed.
    public static func absolute(_ path: String) -> String { FilePath(path).absolute.string }

    private static func realPath(_ path: String, links: Int) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        // The file is missing; its folder, or the target of a link at its path, may exist.
        let file = FilePath(absolute(path))
        if links < linkLimit, let target = linkTarget(file) { return realPath(target.string, links: links + 1) }
        guard let name = file.lastComponent else { return file.string }
        let folder = file.parent
        return FilePath(realPath(folder.string, links: links)).appending(name).string
    }

    /// The number of links that the system follows before it reports a loop.
    private static let linkLimit = 40

    private static func linkTarget(_ path: FilePath) -> FilePath? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path.string, &bytes, bytes.count - 1)
        guard count > 0 else { return nil }
        bytes[count] = 0
        return path.parent.pushing(FilePath(platformString: bytes))
    }
}
