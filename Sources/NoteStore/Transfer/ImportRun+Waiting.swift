import Foundation

/// Images and files on their way into the notebook: those of many notes are stored in one transaction, since each
/// transaction waits for the disk.
extension ImportRun {
    /// The notes and files that the next transaction stores.
    struct Waiting {
        var images: [(image: NoteImage, hash: String)] = []
        var files: [String: (file: NoteFile, data: Data)] = [:]
        /// The names of the files that images came from.
        var names: [(image: UUID, name: String)] = []
        /// The size of the images and files, in bytes.
        var size = 0

        var isEmpty: Bool { images.isEmpty && files.isEmpty && names.isEmpty }
    }

    /// The size of images and files above which they do not wait any longer, in bytes.
    private static let waitingLimit = 32_000_000

    /// Returns the image that `add` would make of a picture, and has the next transaction store it.
    func take(image data: Data, name: String) throws(StoreError) -> NoteImage {
        let (image, hash, isNew) = try notebook.images.prepared(data, name: name)
        if isNew {
            waiting.images.append((image, hash))
            waiting.size += image.imageData.count
        }
        waiting.names.append((image.imageUUID, name))
        try storeIfMuchWaits()
        return image
    }

    /// Returns the file that `add` would make, and has the next transaction store it.
    func take(file data: Data, name: String) throws(StoreError) -> NoteFile {
        let (file, hash, isNew) = try notebook.attachments.prepared(data, name: name)
        // The same bytes keep the first name.
        if let known = waiting.files[hash]?.file { return known }
        if isNew {
            waiting.files[hash] = (file, data)
            waiting.size += data.count
            try storeIfMuchWaits()
        }
        return file
    }

    private func storeIfMuchWaits() throws(StoreError) {
        if waiting.size > Self.waitingLimit { try storeWaiting() }
    }

    /// Stores what waits in a transaction of its own.
    func storeWaiting() throws(StoreError) {
        if waiting.isEmpty { return }
        try notebook.write { try store(waiting, $0) }
        waiting = Waiting()
    }

    func store(_ waiting: Waiting, _ transaction: Transaction) throws {
        for (image, hash) in waiting.images {
            try transaction.insertImage(
                image.imageUUID, hash: hash, type: image.mimeType, created: transaction.now, data: image.imageData)
        }
        for (hash, (file, data)) in waiting.files.sorted(by: { $0.value.file.name < $1.value.file.name }) {
            try transaction.insertFile(file, hash: hash, data: data)
        }
        for (image, name) in waiting.names { try transaction.remember(name, ofImage: image) }
    }
}
