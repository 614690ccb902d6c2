import Foundation

@testable import Terminal

/// The part of kitty's graphics protocol that the program sends: pictures for placeholders, and their deletion.
struct EmulatedGraphics {
    struct Picture: Equatable {
        var png: [UInt8]
        let columns: Int
        let rows: Int
    }

    private(set) var pictures: [UInt32: Picture] = [:]
    /// What a terminal would not understand.
    private(set) var faults: [String] = []
    /// The picture whose pieces are coming, and their base64.
    private var coming: (number: UInt32, data: String)?

    /// Takes the body of an APC string.
    mutating func take(_ body: String) {
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

extension TerminalEmulator {
    /// The part of a picture that a cell shows; nil if it shows none.
    func picture(column: Int, row: Int) -> (number: Int, column: Int, row: Int)? {
        let cell = cells[row][column]
        let scalars = Array(cell.text.unicodeScalars)
        guard scalars.count == 3, scalars[0].value == 0x10EEEE,
            case .rgb(let red, let green, let blue) = cell.style
                .foreground.kind, let mark = PicturePlaceholder.marks.firstIndex(of: UInt16(scalars[1].value)),
            let second = PicturePlaceholder.marks.firstIndex(of: UInt16(scalars[2].value))
        else { return nil }
        let number = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
        return pictures[number] == nil ? nil : (Int(number), second, mark)
    }

    var pictures: [UInt32: EmulatedGraphics.Picture] { graphics.pictures }
}
