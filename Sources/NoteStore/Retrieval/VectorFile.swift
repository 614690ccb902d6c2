import Crypto
import Foundation
import SystemPackage

/// Where the vector of a chunk belongs: its note, and the hash of what was embedded.
public struct VectorKey: Hashable, Sendable {
    public let note: NoteID
    let hash: VectorHash

    /// - Parameter text: what is embedded.
    public init(note: NoteID, text: String) {
        self.note = note
        hash = VectorHash(text)
    }

    init(note: NoteID, hash: VectorHash) { (self.note, self.hash) = (note, hash) }
}

/// The first half of a text's SHA-256.
struct VectorHash: Hashable, Sendable {
    let high, low: UInt64

    init(_ text: String) {
        let digest = Array(SHA256.hash(data: Data(text.utf8)))
        self.init(bytes: digest[...])
    }

    /// - Parameter bytes: sixteen or more.
    init(bytes: ArraySlice<UInt8>) {
        var halves: [UInt64] = []
        for half in 0..<2 {
            let start = bytes.startIndex + half * 8
            halves.append(bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) })
        }
        (high, low) = (halves[0], halves[1])
    }

    var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
    }
}

/// The vectors of a notebook's chunks by one model, in a file of their own beside the notebook.
///
/// They can be made again at any time, so backups leave them out, and a file that is damaged or of another model counts
/// as none. Each number is a signed byte: the direction of a vector is all that is compared. The file belongs to its
/// owner alone, since a vector tells about its text.
public struct VectorFile: Sendable {
    /// The file.
    public let path: String
    private let model: VectorHash

    private static let magic = Array("tnvec\u{1}\r\n".utf8)
    /// Magic, the model's hash, the count of dimensions.
    private static let headSize = magic.count + 16 + 4
    /// A note's UUID and a text's hash.
    private static let keySize = 32
    /// The most vectors that are kept, and read for a question.
    public static let most = 300_000
    public static let mostDimensions = 8192

    /// - Parameter model: whatever tells vectors of one kind from others.
    public init(of notebook: Notebook, model: String) {
        self.model = VectorHash(model)
        path = notebook.path + ".vectors"
    }

    /// What a file holds.
    public struct Content: Sendable {
        public internal(set) var dimensions = 0
        public internal(set) var keys: [VectorKey] = []
        /// The vectors, one after the other.
        public internal(set) var codes: [Int8] = []

        public init() {}

        public var isEmpty: Bool { keys.isEmpty }

        public func code(_ index: Int) -> ArraySlice<Int8> { codes[index * dimensions..<(index + 1) * dimensions] }

        /// Adds a vector; one of another length than the first is left out.
        public mutating func add(_ key: VectorKey, _ code: [Int8]) {
            if keys.isEmpty { dimensions = code.count }
            guard code.count == dimensions, keys.count < VectorFile.most else { return }
            keys.append(key)
            codes += code
        }

        /// Keeps only what satisfies a condition.
        public mutating func keep(_ isKept: (VectorKey) -> Bool) {
            var kept = Content()
            for (index, key) in keys.enumerated() where isKept(key) { kept.add(key, Array(code(index))) }
            self = kept
        }
    }

    /// Whether there is a file, of whatever model.
    public var exists: Bool { PrivateFile.exists(FilePath(path)) }

    /// What is kept of this model; nothing where the file cannot be read, is damaged, or of another model.
    public func read() -> Content {
        // Without it the words alone are searched.
        guard exists, let bytes = try? PrivateFile.read(FilePath(path)), bytes.count >= Self.headSize,
            Array(bytes.prefix(Self.magic.count)) == Self.magic,
            VectorHash(bytes: bytes[Self.magic.count...]) == model
        else { return Content() }
        let dimensions = bytes[Self.headSize - 4..<Self.headSize].reduce(0) { $0 << 8 | Int($1) }
        guard (1...Self.mostDimensions).contains(dimensions) else { return Content() }
        let size = Self.keySize + dimensions
        // What was cut off by a full disk is no vector.
        let count = min((bytes.count - Self.headSize) / size, Self.most)
        var content = Content()
        content.dimensions = dimensions
        content.keys.reserveCapacity(count)
        content.codes.reserveCapacity(count * dimensions)
        bytes.withUnsafeBytes { raw in
            for index in 0..<count {
                let start = Self.headSize + index * size
                content.keys.append(Self.key(raw, start))
                let code = UnsafeRawBufferPointer(rebasing: raw[start + Self.keySize..<start + size])
                content.codes.append(contentsOf: code.bindMemory(to: Int8.self))
            }
        }
        return content
    }

    private static func key(_ raw: UnsafeRawBufferPointer, _ start: Int) -> VectorKey {
        func byte(_ index: Int) -> UInt8 { raw[start + index] }
        let uuid = UUID(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8), byte(9), byte(10),
                byte(11), byte(12), byte(13), byte(14), byte(15)
            ))
        return VectorKey(
            note: NoteID(uuid), hash: VectorHash(bytes: Array(raw[start + 16..<start + 32])[...]))
    }

    /// Writes all, completely or not at all, for its owner only.
    public func write(_ content: Content) throws(StoreError) {
        var bytes = Self.magic + model.bytes
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: content.dimensions >> (24 - 8 * $0)) }
        bytes.reserveCapacity(Self.headSize + content.keys.count * (Self.keySize + content.dimensions))
        for (index, key) in content.keys.enumerated() {
            withUnsafeBytes(of: key.note.uuid.uuid) { bytes += $0 }
            bytes += key.hash.bytes
            bytes += content.code(index).lazy.map { UInt8(bitPattern: $0) }
        }
        try PrivateFile.write(bytes, to: FilePath(path))
    }

    /// Removes the file, of whatever model.
    public func remove() throws(StoreError) {
        do {
            if exists { try FileManager.default.removeItem(atPath: path) }
        } catch {
            throw StoreError(errno: Errno.ioError.rawValue, path: path)
        }
    }
}
