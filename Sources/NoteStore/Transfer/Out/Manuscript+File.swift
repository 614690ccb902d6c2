import Foundation
import SystemPackage

extension Manuscript {
    /// The file formats of a manuscript.
    public enum Form: String, CaseIterable, Sendable {
        case markdown, html, epub

        /// Makes the form for the extension of a file's name.
        public init?(ofFile path: String) {
            switch FilePath(path).lowercasedExtension {
            case "md", "markdown": self = .markdown
            case "html", "htm": self = .html
            case "epub": self = .epub
            default: return nil
            }
        }
    }
}

extension Notebook.Transfer {
    /// Writes a manuscript to a file, completely or not at all.
    ///
    /// The pictures of Markdown are written to a folder beside the file, as in an export.
    ///
    /// - Parameter replaces: whether an existing file is replaced.
    /// - Throws: `cannotCreate` with `EEXIST` if the file exists and is not to be replaced.
    public func write(
        _ manuscript: Manuscript, as form: Manuscript.Form, to path: String, replaces: Bool = false
    ) throws(StoreError) {
        if !replaces, DiskFile.exists(path) { throw .cannotCreate(path: path, errno: EEXIST) }
        let target = FilePath(path)
        let bytes: [UInt8]
        switch form {
        case .html: bytes = Array(try page(of: manuscript).utf8)
        case .epub: bytes = try book(of: manuscript)
        case .markdown:
            let folder = SafeName((target.stem ?? "manuscript") + "-images").name
            let markdown = try markdown(of: manuscript, picturesIn: folder)
            if !markdown.pictures.isEmpty {
                try write(markdown.pictures, beside: target.parent, in: folder)
            }
            bytes = Array(markdown.text.utf8)
        }
        try PrivateFile.write(bytes, to: target)
    }

    private func write(
        _ pictures: [String: [UInt8]], beside folder: FilePath, in name: String
    ) throws(StoreError) {
        let path = folder.appending(name).string
        let folder = try ExportFolder(path, force: false)
        do {
            for (address, bytes) in pictures.sorted(by: { $0.key < $1.key }) {
                try folder.write(bytes, to: [String(address.dropFirst(name.utf8.count + 1))], note: nil)
            }
            try folder.finish()
        } catch {
            guard case .system(let errno) = error else { throw .folderInUse(path: path) }
            throw ExportFolder.storeError(errno, at: path)
        }
    }
}
