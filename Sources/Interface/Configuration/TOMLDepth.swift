/// A check of how deeply the tables and lists of a TOML file are nested.
///
/// The parser, and the code that walks through its values, recurse once for each level. A key of a hundred thousand
/// names would therefore overflow the stack. The parser itself limits brackets only.
enum TOMLDepth {
    /// The largest number of names in a key, and of open brackets; no setting needs more than four.
    static let limit = 32

    /// Returns the number of the first line that nests more deeply than the limit, counted from 1; nil if none does.
    static func tooDeepLine(in text: String) -> Int? {
        var scanner = Scanner(bytes: Array(text.utf8)[...])
        return scanner.tooDeepLine()
    }

    private struct Scanner {
        var bytes: ArraySlice<UInt8>
        private var line = 1
        /// The number of names so far in the current key, which dots join.
        private var names = 0
        private var brackets = 0
        /// Whether a dot comes before the next name, which then continues the key.
        private var isJoined = false

        init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

        mutating func tooDeepLine() -> Int? {
            while let byte = bytes.first {
                switch byte {
                case UInt8(ascii: "#"): bytes = bytes.drop { $0 != UInt8(ascii: "\n") }
                case UInt8(ascii: "\""), UInt8(ascii: "'"):
                    skipString(byte)
                    addName()
                case UInt8(ascii: "."):
                    isJoined = true
                    bytes.removeFirst()
                case UInt8(ascii: " "), UInt8(ascii: "\t"): bytes.removeFirst()
                case _ where Self.isBare(byte):
                    bytes = bytes.drop(while: Self.isBare)
                    addName()
                default: take(byte)
                }
                if names > TOMLDepth.limit || brackets > TOMLDepth.limit { return line }
            }
            return nil
        }

        private mutating func addName() {
            names = isJoined ? names + 1 : 1
            isJoined = false
        }

        /// Skips a byte that ends a key, and counts brackets and lines.
        private mutating func take(_ byte: UInt8) {
            (names, isJoined) = (0, false)
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"): brackets += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): brackets = max(0, brackets - 1)
            case UInt8(ascii: "\n"): line += 1
            default: break
            }
            bytes.removeFirst()
        }

        /// Skips a string, which may span several lines if it begins with three quotes.
        private mutating func skipString(_ quote: UInt8) {
            let isLong = bytes.starts(with: [quote, quote, quote])
            let end = isLong ? [quote, quote, quote] : [quote]
            bytes = bytes.dropFirst(end.count)
            while let byte = bytes.first, !bytes.starts(with: end) {
                // The parser refuses a short string that does not end in its line.
                if byte == UInt8(ascii: "\n") {
                    guard isLong else { return }
                    line += 1
                }
                let isEscape = byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"")
                // An escaped line feed is left for the next iteration, which counts the line.
                bytes = bytes.dropFirst(isEscape && bytes.dropFirst().first != UInt8(ascii: "\n") ? 2 : 1)
            }
            bytes = bytes.dropFirst(end.count)
        }

        private static func isBare(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
                true
            default: false
            }
        }
    }
}
