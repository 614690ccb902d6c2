import Foundation
import Pictures
import SystemPackage

/// The files that texts show or link to: they are looked for beside the text, in the imported folder, and in the folder
/// where the other program keeps them.
extension ImportRun {
    /// A file that was stored in the notebook.
    struct Attachment {
        let url: String
        let name: String
        /// Whether a text shows it in place; any other file is only linked.
        let isPicture: Bool

        /// Returns the address with the fragment of the one in the file, unless the `#` is part of the file's name.
        func address(writtenAs target: String) -> String {
            func isNamed(_ path: String) -> Bool {
                let last = FilePath(path.removingPercentEncoding ?? path).lastComponent?.string ?? ""
                return Folding.key(last) == Folding.key(name)
            }
            if isNamed(target) { return url }
            let path = ImportRun.paths(before: target).first(where: isNamed) ?? ""
            return url + ImportRun.fragment(of: String(target.dropFirst(path.count)))
        }
    }

    /// Stores the file at an address; reports one that is missing or cannot be stored.
    ///
    /// - Parameter isNeeded: whether to report a missing file; a link need not lead to a file.
    func attachment(
        at address: String, in file: ImportPlan.File, isNeeded: Bool = true
    ) throws(StoreError) -> Attachment? {
        let written = Self.paths(of: address)
        var reason: ImportProblem.Reason?
        for candidate in candidates(for: written, in: file).map(\.direct) {
            if let known = images[candidate.whole] {
                return Attachment(url: known, name: format.name(of: candidate), isPicture: true)
            }
            if let known = files[candidate.whole] { return Attachment(known) }
            let size = format.size(at: candidate)
            if case .none = size { continue }
            shown.insert(candidate.whole.key)
            // A vault of a stranger must not bring in the user's own files; a picture beside the folder is likely meant.
            let isOutside = isOutside(candidate, of: file.root)
            if isOutside, !isNeeded { continue }
            reason = .attachment(name: format.name(of: candidate))
            if escapesFolder(candidate, from: file.root) { continue }
            switch try store(candidate, size, isPicture: isOutside) {
            case .success(let attachment): return attachment
            case .failure(let failure): reason = failure.reason
            }
            break
        }
        let name = written.last.map { FilePath($0).lastComponent?.string ?? $0 } ?? address
        if reason != nil || isNeeded {
            result.problems.append(ImportProblem(path: file.path, reason: reason ?? .missingFile(name: name)))
        }
        return nil
    }

    /// Returns the paths that an address may mean, the likeliest first.
    ///
    /// An address may have a fragment or a query, `name.png#right`, and characters in percent-encoding; a file's name
    /// may contain all of these.
    static func paths(of address: String) -> [String] {
        let path = String(address.prefix { $0 != "#" && $0 != "?" })
        var paths: [String] = []
        for path in [address, path] + Self.paths(before: address).dropFirst() {
            for form in [path, path.removingPercentEncoding] {
                if let form, !form.isEmpty, !paths.contains(form) { paths.append(form) }
            }
        }
        return paths
    }

    private func candidates(for written: [String], in file: ImportPlan.File) -> [FilePath] {
        let beside = file.location.parent
        var candidates: [FilePath] = []
        for address in written {
            candidates += [beside.pushing(FilePath(address)), file.root.pushing(FilePath(address).withoutRoot)]
        }
        // An export has written the whole address of each file, and others may have the name of one that was missing.
        if file.exported?.hasLinksOfNote == true { return candidates }
        return candidates + written.compactMap { format.media($0, from: beside) }
    }

    /// Whether a path that seems to be in the imported folder leads out of it through a link.
    private func escapesFolder(_ path: FilePath, from root: FilePath) -> Bool {
        path.absolute.starts(with: root.absolute) && path.leavesFolder(of: root)
    }

    /// Whether a path does not even seem to be in the imported folder.
    private func isOutside(_ path: FilePath, of root: FilePath) -> Bool {
        let (path, root) = (path.absolute.lexicallyNormalized(), root.absolute.lexicallyNormalized())
        if path.starts(with: root) { return false }
        guard let target = path.resolved, let folder = root.resolved else { return true }
        return !target.starts(with: folder)
    }

    /// Stores a file: a JPEG or PNG as an image, any other as it is.
    ///
    /// - Parameter isPicture: whether only a JPEG or PNG is stored.
    private func store(
        _ path: FilePath, _ size: MediaSize, isPicture: Bool
    ) throws(StoreError) -> Result<Attachment, ImportFailure> {
        let name = format.name(of: path)
        func tooLarge(_ bytes: Int, _ limit: Int) -> Result<Attachment, ImportFailure> {
            .failure(ImportFailure(.largeAttachment(name: name, bytes: bytes, limit: limit)))
        }
        guard case .file(let size) = size else { return .failure(ImportFailure(.attachment(name: name))) }
        // The size is checked first, so that a film is not read completely only to be refused.
        let most = max(ImportFile.limit, options.maximumFileSize)
        if size > most { return tooLarge(size, options.maximumFileSize) }
        guard let content = try? format.content(at: path, limit: most) else {  // the caller reports it
            return .failure(ImportFailure(.attachment(name: name)))
        }
        let isImage = NoteImage.MimeType(recognizing: Data(content.bytes.prefix(16))) != nil
        if isPicture, !isImage { return .failure(ImportFailure(.attachment(name: name))) }
        let limit = isImage ? ImportFile.limit : options.maximumFileSize
        if content.isTooLarge || content.bytes.count > limit { return tooLarge(content.size, limit) }
        if isImage {
            let image: NoteImage
            do {
                image = try take(image: Data(content.bytes), name: name)
            } catch .damagedImage(let name) {
                return .failure(ImportFailure(.store(.damagedImage(name: name))))
            } catch .imageOfTooManyPixels(let name) {
                return .failure(ImportFailure(.store(.imageOfTooManyPixels(name: name))))
            }
            tell(image, madeOf: content.bytes, at: path)
            images[path.whole] = image.getURL()
            result.imageCount += 1
            return .success(Attachment(url: image.getURL(), name: name, isPicture: true))
        }
        let file = try take(file: Data(content.bytes), name: name)
        files[path.whole] = file
        result.fileCount += 1
        return .success(Attachment(file))
    }

    /// Adds a remark about an image that is smaller than its file.
    func tell(_ image: NoteImage, madeOf bytes: [UInt8], at path: FilePath) {
        guard let before = PictureHeader(data: Data(bytes)), let after = PictureHeader(data: image.imageData),
            after.shownWidth < before.shownWidth || after.shownHeight < before.shownHeight
        else { return }
        result.problems.append(
            ImportProblem(
                path: path.string,
                reason: .reduced(
                    from: PictureSize(before.shownWidth, before.shownHeight),
                    to: PictureSize(after.shownWidth, after.shownHeight))))
    }
}

extension FilePath {
    /// The path without `..`, so that a file to which texts of several folders refer has one path.
    ///
    /// On the disk a `..` after a link leads to the parent of the link's target; in an archive there are no links.
    fileprivate var direct: FilePath {
        guard components.contains(where: { $0.kind == .parentDirectory }) else { return self }
        return resolved ?? lexicallyNormalized()
    }
}

extension FilePath {
    /// The path from the root of the file system, which is the same for each way to write a path of the given folder.
    fileprivate var whole: FilePath { absolute.lexicallyNormalized() }
}

extension ImportRun.Attachment {
    fileprivate init(_ file: NoteFile) {
        self.init(url: file.url, name: file.name, isPicture: file.isPicture)
    }
}
