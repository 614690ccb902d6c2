/// Reads files one after the other, but many at once from git: starting it costs more than reading most of them.
final class ObjectReader {
    private let store: any CommitStore
    /// What has not been read yet, the next one last.
    private var waiting: [String]
    private var sizes: [String: Int]?
    private var read: [String: [UInt8]] = [:]

    /// How many bytes are read at once, unless one file alone has more.
    private static let batch = 32_000_000

    /// - Parameter objects: in the order in which they will be wanted.
    init(_ store: any CommitStore, _ objects: [String]) { (self.store, waiting) = (store, objects.reversed()) }

    /// The bytes of an object, which are forgotten afterwards; nil if there are none or too many.
    func bytes(_ object: String) throws(GitError) -> [UInt8]? {
        if let bytes = read.removeValue(forKey: object) { return bytes }
        guard waiting.contains(object) else { return try store.contents(of: [object])[object] }
        if sizes == nil { sizes = try store.sizes(of: Set(waiting)) }
        let sizes = sizes ?? [:]
        var (next, count) = (Set<String>(), 0)
        // Objects before the requested one were read already, or are not needed.
        while let last = waiting.last, last != object { waiting.removeLast() }
        while let last = waiting.last, next.isEmpty || count + (sizes[last] ?? 0) <= Self.batch {
            waiting.removeLast()
            guard let size = sizes[last], next.insert(last).inserted else { continue }
            count += size
        }
        read = try store.contents(ofSized: next)
        return read.removeValue(forKey: object)
    }
}
