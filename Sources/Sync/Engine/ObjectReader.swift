/// Hands out files one after the other, but reads them from git in batches, since starting git costs more than reading
/// most files.
final class ObjectReader {
    private let store: any CommitStore
    /// The objects that are not read yet, in reverse order.
    private var waiting: [String]
    private var sizes: [String: Int]?
    private var read: [String: [UInt8]] = [:]

    /// The most bytes of a batch, unless a single file has more.
    private static let batch = 32_000_000

    /// - Parameter objects: The objects' names in the order in which they will be requested.
    init(_ store: any CommitStore, _ objects: [String]) { (self.store, waiting) = (store, objects.reversed()) }

    /// Returns the bytes of an object and releases them, or returns `nil` if the object is missing or too large.
    func bytes(_ object: String) throws(GitError) -> [UInt8]? {
        if let bytes = read.removeValue(forKey: object) { return bytes }
        guard waiting.contains(object) else { return try store.contents(of: [object])[object] }
        if sizes == nil { sizes = try store.sizes(of: Set(waiting)) }
        let sizes = sizes ?? [:]
        var (next, count) = (Set<String>(), 0)
        // Objects before the requested one were already read or are not needed.
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
