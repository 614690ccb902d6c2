import Synchronization
import TextPrimitives

/// The link targets in use, shared by all screens of the process.
struct LinkTable: Sendable {
    static let shared = Mutex(LinkTable())

    /// The longest target that is written, in bytes: the length that the OSC 8 specification asks terminals to support.
    static let maximumTargetLength = 2083

    private(set) var targets: [String] = []
    private var numbers: [String: UInt16] = [:]

    /// Returns the number of a target; `.none` if its scheme is not allowed, it is too long, or the table is full.
    mutating func id(of target: String) -> LinkID {
        if let known = numbers[target] { return LinkID(rawValue: known) }
        let encoded = LinkTable.encoded(target)
        guard LinkTable.isAllowed(encoded), targets.count < Int(UInt16.max) else { return .none }
        targets.append(encoded)
        let number = UInt16(targets.count)
        numbers[target] = number
        return LinkID(rawValue: number)
    }

    func target(of id: LinkID) -> String? {
        id == .none ? nil : targets[Int(id.rawValue) - 1]
    }

    private static func isAllowed(_ target: String) -> Bool {
        guard target.utf8.count <= maximumTargetLength else { return false }
        let scheme = target.prefix { $0 != ":" }.lowercased()
        return ["http", "https", "mailto", "takenote"].contains(scheme) && target.utf8.count > scheme.utf8.count
    }

    /// Writes every byte outside 0x21...0x7E as `%XX`, so that a target cannot end an escape sequence.
    private static func encoded(_ target: String) -> String {
        var bytes: [UInt8] = []
        for byte in target.utf8 {
            if (0x21...0x7E).contains(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                Hexadecimal.append(byte, to: &bytes, uppercase: true)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
