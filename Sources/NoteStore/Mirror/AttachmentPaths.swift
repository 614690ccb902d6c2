import Foundation

/// The paths of images and attachments in a mirrored folder, by identity, and the identities by path.
struct AttachmentPaths {
    private(set) var paths: [UUID: String]
    private var identities: [ExactText: Set<UUID>] = [:]

    init(_ paths: [UUID: String] = [:]) {
        self.paths = paths
        for (id, path) in paths { identities[ExactText(path), default: []].insert(id) }
    }

    subscript(id: UUID) -> String? {
        get { paths[id] }
        set {
            if let old = paths[id] { identities[ExactText(old)]?.remove(id) }
            if let newValue { identities[ExactText(newValue), default: []].insert(id) }
            paths[id] = newValue
        }
    }

    /// Returns the images and attachments whose file has a path, nearly always one.
    func identities(at path: ExactText) -> Set<UUID> { identities[path] ?? [] }
}
