import Crypto
import Foundation
import SystemPackage

/// The key of a chunk's vector: the chunk's note, and the hash of the embedded text.
public struct VectorKey: Hashable, Sendable {
    public let note: NoteID
    let hash: VectorHash

    /// - Parameter text: the text that is embedded.
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

    /// - Parameter bytes: at least sixteen bytes.
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

/// The vectors of a notebook's chunks by one model, in a separate file beside the notebook.
///
/// They can be made again at any time, so backups leave them out, and a file that is damaged or of another model is
/// ignored. Each number is a signed byte, since only the directions of vectors are compared. Only its owner can read
/// the file, because a vector reveals something about its text.
public struct VectorFile: Sendable {
    /// The path of the file.
    public let path: String
    private let model: VectorHash

    private static let magic = Array("tnvec\u{1}\r\n".utf8)
    /// The size of the head: the magic bytes, the model's hash, and the number of dimensions.
    private static let headSize = magic.count + 16 + 4
    /// The size of a key: a note's UUID and a text's hash.
    private static let keySize = 32
    /// The maximum number of vectors that are kept, and read for a question.
    public static let maximumVectors = 300_000
    public static let maximumDimensions = 8192

    /// - Parameter model: a text that differs for models whose vectors cannot be compared.
    public init(of notebook: Notebook, model: String) { self.init(path: notebook.path + ".vectors", VectorHash(model)) }

    private init(path: String, _ model: VectorHash) { (self.path, self.model) = (path, model) }

    /// The file in which the vectors of this model grow while those of another one are still used.
    public var unfinished: VectorFile { VectorFile(path: path + ".new", model) }

    /// The content of a file.
    public struct Content: Sendable {
        public internal(set) var dimensions = 0
        public internal(set) var keys: [VectorKey] = []
        /// The vectors, one after the other.
        public internal(set) var codes: [Int8] = []

        public init() {}

        public var isEmpty: Bool { keys.isEmpty }

        /// The vector at an index of `keys`, with `dimensions` components of a byte each.
        public func code(_ index: Int) -> ArraySlice<Int8> { codes[index * dimensions..<(index + 1) * dimensions] }

        /// Adds a vector, unless its length differs from that of the first one.
        public mutating func add(_ key: VectorKey, _ code: [Int8]) {
            if keys.isEmpty { dimensions = code.count }
            guard code.count == dimensions, keys.count < VectorFile.maximumVectors else { return }
            keys.append(key)
            codes += code
        }

        /// Removes the vectors whose keys do not meet a condition.
        public mutating func keep(_ isKept: (VectorKey) -> Bool) {
            var kept = Content()
            for (index, key) in keys.enumerated() where isKept(key) { kept.add(key, Array(code(index))) }
            self = kept
        }
    }

    /// Whether there is a file, of any model.
    public var exists: Bool { PrivateFile.exists(FilePath(path)) }

    /// Reads the vectors of this model; the result is empty if the file cannot be read, is damaged, or belongs to
    /// another model.
    public func read() -> Content { read(ofAnyModel: false) }

    /// Reads the vectors of whatever model made them, which can only be compared with each other.
    public func readOfAnyModel() -> Content { read(ofAnyModel: true) }

    private func read(ofAnyModel: Bool) -> Content {
        // Without vectors, only the words are searched.
        guard exists, let bytes = try? PrivateFile.read(FilePath(path)), bytes.count >= Self.headSize,
            Array(bytes.prefix(Self.magic.count)) == Self.magic,
            ofAnyModel || VectorHash(bytes: bytes[Self.magic.count...]) == model
        else { return Content() }
        let dimensions = bytes[Self.headSize - 4..<Self.headSize].reduce(0) { $0 << 8 | Int($1) }
        guard (1...Self.maximumDimensions).contains(dimensions) else { return Content() }
        let size = Self.keySize + dimensions
        // The vector at the end may be incomplete because the disk was full.
        let count = min((bytes.count - Self.headSize) / size, Self.maximumVectors)
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

    /// Writes all vectors, completely or not at all, to a file that only its owner can read.
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

    /// Removes the file, of any model.
    public func remove() throws(StoreError) {
        for path in [path, path + ".new"] { try PrivateFile.removeAll(FilePath(path)) }
    }
}
