/// A write-ahead log with a damaged frame, and the transactions after it.
///
/// SQLite reads a log up to the first frame whose checksum is wrong, and the next write goes over the rest. Each frame
/// holds the checksum of all before it, so the frames after a damaged one still prove that they are what was written
/// (sqlite.org/fileformat2.html#walformat).
struct DamagedLog {
    private let bytes: [UInt8]
    private let pageSize: Int
    private let isBigEndian: Bool
    /// Whether the header is what was written.
    let isHeaderWhole: Bool

    static let headerSize = 32
    private static let frameHeader = 24
    /// The first four bytes of a log; the last bit tells the order of bytes in checksums.
    private static let mark: UInt32 = 0x377f_0682
    private static let version: UInt32 = 3_007_000

    init(_ bytes: [UInt8], pageSize: Int) {
        (self.bytes, self.pageSize) = (bytes, pageSize)
        let isMarked = bytes.count >= Self.headerSize && Self.number(bytes, 0) & ~1 == Self.mark
        // The log was most likely written on the same kind of machine.
        isBigEndian = isMarked ? bytes[3] & 1 == 1 : false
        isHeaderWhole =
            isMarked
            && Self.sum(bytes[..<24], after: Checksum(), isBigEndian: isBigEndian) == Checksum(bytes, 24)
    }

    /// Returns the log with all transactions that it proves, with new checksums; nil if they are those that SQLite reads.
    ///
    /// A damaged page is in it as it is, unless its number is damaged. Its contents are recovered as in a damaged file.
    ///
    /// Transactions that follow without a damaged frame between them are not lost. A program that was killed before it told
    /// the others has left them, and whoever reads the log from its beginning finds them.
    ///
    /// - Parameter readable: the number of frames that SQLite reads.
    func repaired(readable: Int) -> [UInt8]? {
        let salts = salts
        guard count > readable,
            let last = (readable..<count).last(where: {
                self.salts(of: $0) == salts && committedSize(at: $0) > 0 && isWhole($0)
            })
        else { return nil }
        let isDamaged = (readable..<last).contains { self.salts(of: $0) != salts || !isWhole($0) }
        guard isDamaged || !isHeaderWhole else { return nil }
        let size = committedSize(at: last)
        var result: [UInt8] = []
        for number in [Self.mark | (isBigEndian ? 1 : 0), Self.version, UInt32(pageSize), 0] {
            Self.append(number, to: &result)
        }
        result += salts
        var sum = Self.sum(result[...], after: Checksum(), isBigEndian: isBigEndian)
        sum.append(to: &result)
        for frame in 0...last where self.salts(of: frame) == salts {
            let page = Self.number(bytes, start(of: frame))
            let isWhole = isWhole(frame)
            guard isWhole || 1...size ~= page else { continue }
            let begin = result.count
            Self.append(page, to: &result)
            Self.append(isWhole ? committedSize(at: frame) : 0, to: &result)
            sum = Self.sum(result[begin...], after: sum, isBigEndian: isBigEndian)
            sum = Self.sum(content(of: frame), after: sum, isBigEndian: isBigEndian)
            result += salts
            sum.append(to: &result)
            result += content(of: frame)
        }
        return result
    }

    /// Whether exactly one transaction follows the frames that SQLite reads, without a damaged frame.
    ///
    /// A program that was killed before it told the others leaves one transaction. If there are more, they are from a
    /// machine with an index of its own, as on a network's disk.
    ///
    /// - Parameter readable: the number of frames that SQLite reads.
    func continuesOnce(after readable: Int) -> Bool {
        let salts = salts
        let ends = (readable..<max(readable, count)).filter {
            self.salts(of: $0) == salts && committedSize(at: $0) > 0
        }
        guard isHeaderWhole, ends.count == 1 else { return false }
        return (readable...ends[0]).allSatisfy { self.salts(of: $0) == salts && isWhole($0) }
    }

    // MARK: - Frames

    private var count: Int { max(0, bytes.count - Self.headerSize) / (Self.frameHeader + pageSize) }

    private func start(of frame: Int) -> Int { Self.headerSize + frame * (Self.frameHeader + pageSize) }

    /// The salts of the present log, which frames of earlier logs in the same file do not have.
    private var salts: ArraySlice<UInt8> {
        isHeaderWhole || count == 0 ? bytes[16..<24] : salts(of: min(1, count - 1))
    }

    private func salts(of frame: Int) -> ArraySlice<UInt8> { bytes[start(of: frame) + 8..<start(of: frame) + 16] }

    private func content(of frame: Int) -> ArraySlice<UInt8> {
        bytes[start(of: frame) + Self.frameHeader..<start(of: frame + 1)]
    }

    /// The size of the file in pages after the transaction that a frame ends; 0 if it ends none.
    private func committedSize(at frame: Int) -> UInt32 { Self.number(bytes, start(of: frame) + 4) }

    /// Whether a frame is what was written, by the checksum in it and by that of the frame before.
    private func isWhole(_ frame: Int) -> Bool {
        let start = start(of: frame)
        let before = Checksum(bytes, frame == 0 ? 24 : self.start(of: frame - 1) + 16)
        let sum = Self.sum(bytes[start..<start + 8], after: before, isBigEndian: isBigEndian)
        return Self.sum(content(of: frame), after: sum, isBigEndian: isBigEndian) == Checksum(bytes, start + 16)
    }

    // MARK: - Checksums

    private struct Checksum: Equatable {
        var first: UInt32 = 0
        var second: UInt32 = 0

        init() {}

        init(_ bytes: [UInt8], _ offset: Int) {
            (first, second) = (DamagedLog.number(bytes, offset), DamagedLog.number(bytes, offset + 4))
        }

        func append(to bytes: inout [UInt8]) {
            DamagedLog.append(first, to: &bytes)
            DamagedLog.append(second, to: &bytes)
        }
    }

    private static func sum(_ bytes: ArraySlice<UInt8>, after before: Checksum, isBigEndian: Bool) -> Checksum {
        var sum = before
        bytes.withUnsafeBytes { bytes in
            func word(_ offset: Int) -> UInt32 {
                let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
            }
            for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                sum.first = sum.first &+ word(offset) &+ sum.second
                sum.second = sum.second &+ word(offset + 4) &+ sum.first
            }
        }
        return sum
    }

    /// The number in four bytes, the highest first.
    private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }
}
