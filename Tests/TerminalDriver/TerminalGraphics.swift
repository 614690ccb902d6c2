import Foundation

/// The part of kitty's graphics protocol that draws pictures over placeholders, and deletes them.
public struct TerminalGraphics {
    public struct Picture: Equatable, Sendable {
        public var png: [UInt8]
        public let columns: Int
        public let rows: Int
    }

    private(set) var pictures: [UInt32: Picture] = [:]
    /// The bytes of all sequences so far.
    private(set) var byteCount = 0
    /// What a terminal would not understand.
    private(set) var faults: [String] = []
    /// The number of the picture that is being received, and the base64 received so far.
    private var coming: (number: UInt32, data: String)?

    /// Processes the body of an APC string.
    mutating func take(_ body: String) {
        byteCount += body.utf8.count
        let parts = body.dropFirst().split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        guard body.hasPrefix("G"), let control = parts.first else { return faults.append("APC \(body.prefix(40))") }
        var keys: [String: String] = [:]
        for pair in control.split(separator: ",") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            keys[String(sides[0])] = sides.count > 1 ? String(sides[1]) : ""
        }
        let data = parts.count > 1 ? String(parts[1]) : ""
        if data.utf8.count > 4096 { faults.append("a piece of \(data.utf8.count) bytes") }
        if keys["q"] != "2" { faults.append("a reply is asked for") }
        let number = keys["i"].flatMap { UInt32($0) }
        switch keys["a"] {
        case "d":
            if coming != nil { faults.append("a deletion between pieces") }
            if let number { pictures[number] = nil }
        case "T":
            guard let number, keys["U"] == "1", keys["f"] == "100", coming == nil else {
                return faults.append("picture \(control)")
            }
            pictures[number] = Picture(
                png: [], columns: Int(keys["c"] ?? "") ?? 0, rows: Int(keys["r"] ?? "") ?? 0)
            coming = (number, data)
        case nil:
            if coming == nil { faults.append("a piece of nothing") }
            coming?.data += data
        default: faults.append("action \(control)")
        }
        if keys["m"] != "1", let done = coming, keys["a"] != "d" {
            pictures[done.number]?.png = Data(base64Encoded: done.data).map { Array($0) } ?? []
            coming = nil
        }
    }
}
