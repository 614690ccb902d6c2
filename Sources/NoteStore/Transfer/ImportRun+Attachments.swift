import Foundation
import SystemPackage

/// The files that texts show: found beside the text, in the imported folder, or where the other program keeps them.
extension ImportRun {
    /// Stores an image and returns its address in the notebook; reports an image that cannot be stored.
    func address(ofImage address: String, in file: ImportPlan.File) throws(StoreError) -> String? {
        let written = Self.paths(of: address)
        var isThere = false
        for candidate in candidates(for: written, in: file) {
            if let known = images[candidate] { return known }
            guard (try? FileStatus(candidate, followsLinks: true)) != nil else { continue }  // not this one
            isThere = true
            if escapesFolder(candidate, from: file.root) { continue }
            if let url = try addImage(candidate) {
                images[candidate] = url
                return url
            }
            break
        }
        let name = written.last.flatMap { FilePath($0).lastComponent?.string } ?? address
        result.problems.append(
            ImportProblem(path: file.path, reason: isThere ? .image(name: name) : .missingFile(name: name)))
        return nil
    }

    /// The paths that an address may mean, the likeliest first.
    ///
    /// An address may have a fragment or a query, `name.png#right`, and characters in percent-encoding; a file's name
    /// may contain all of these.
    static func paths(of address: String) -> [String] {
        let path = String(address.prefix { $0 != "#" && $0 != "?" })
        var paths: [String] = []
        for path in [address, address.removingPercentEncoding, path, path.removingPercentEncoding] {
            if let path, !path.isEmpty, !paths.contains(path) { paths.append(path) }
        }
        return paths
    }

    private func candidates(for written: [String], in file: ImportPlan.File) -> [FilePath] {
        let beside = file.location.removingLastComponent()
        var candidates: [FilePath] = []
        for address in written {
            candidates += [beside.pushing(FilePath(address)), file.root.pushing(FilePath(address).withoutRoot)]
        }
        return candidates + written.compactMap { format.media($0) }
    }

    /// Whether a path that seems to be in the imported folder leads out of it through a link.
    private func escapesFolder(_ path: FilePath, from root: FilePath) -> Bool {
        path.absolute.starts(with: root.absolute) && path.leavesFolder(of: root)
    }

    /// Stores an image file and returns its address; `nil` if it is no image that a notebook can hold.
    private func addImage(_ image: FilePath) throws(StoreError) -> String? {
        // Checks the type first, so that a film is not read to its end only to be refused.
        guard let head = try? RegularFile.head(image, count: 16),  // the caller reports what cannot be read
            NoteImage.MimeType(recognizing: Data(head)) != nil,
            let content = try? RegularFile.read(image, limit: ImportFile.limit), !content.isTooLarge  // likewise
        else { return nil }
        let url = try notebook.images.add(Data(content.bytes), name: image.string).getURL()
        result.imageCount += 1
        return url
    }
}
