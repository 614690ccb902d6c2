import Foundation
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension Notebook {
    /// The real path of a file, without symbolic links; a path that has none stays as it is given.
    ///
    /// SQLite puts its own files beside the file that a link points to. All that belongs to the notebook must be there
    /// too, whatever name it was opened by: journals, drafts, backups, locks.
    public static func resolved(_ path: String) -> String {
        let real = realPath(path, links: 0)
        return real == absolute(path) ? path : real
    }

    /// The path from the root, without `.` and `..`; links are not followed.
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
        let folder = file.removingLastComponent()
        return FilePath(realPath(folder.string, links: links)).appending(name).string
    }

    /// How many links the system follows before it reports a loop.
    private static let linkLimit = 40

    private static func linkTarget(_ path: FilePath) -> FilePath? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path.string, &bytes, bytes.count - 1)
        guard count > 0 else { return nil }
        bytes[count] = 0
        return path.removingLastComponent().pushing(FilePath(platformString: bytes))
    }
}
