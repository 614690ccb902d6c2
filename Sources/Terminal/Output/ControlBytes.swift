/// The control sequences that frames consist of; `TerminalModes` and `Probe` hold the others.
enum ControlBytes {
    static let beginUpdate = Array("\u{1B}[?2026h".utf8)
    static let endUpdate = Array("\u{1B}[?2026l".utf8)
    static let hideCursor = Array("\u{1B}[?25l".utf8)
    static let showCursor = Array("\u{1B}[?25h".utf8)
    static let wrapOn = Array("\u{1B}[?7h".utf8)
    static let wrapOff = Array("\u{1B}[?7l".utf8)
    static let eraseToEnd = Array("\u{1B}[K".utf8)
    static let endLink = Array("\u{1B}]8;;\u{1B}\\".utf8)
    static let beginLink = Array("\u{1B}]8;".utf8)
    static let stringTerminator = Array("\u{1B}\\".utf8)
    static let resetStyle = Array("\u{1B}[m".utf8)
    /// DECLRMM: allows margins at the sides; switching it off removes them.
    static let sideMarginsOn = Array("\u{1B}[?69h".utf8)
    static let sideMarginsOff = Array("\u{1B}[?69l".utf8)
    static let resetRegion = Array("\u{1B}[r".utf8)

    /// The sequence for a cursor shape that does not blink: nothing on the screen moves by itself.
    static func cursorShape(_ shape: Cursor.Shape) -> [UInt8] {
        switch shape {
        case .block: Array("\u{1B}[2 q".utf8)
        case .underline: Array("\u{1B}[4 q".utf8)
        case .bar: Array("\u{1B}[6 q".utf8)
        }
    }

    /// The number of decimal digits of a number that is not negative.
    static func digits(_ number: Int) -> Int {
        number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : String(number).utf8.count
    }
}

extension [UInt8] {
    /// Appends a number in decimal; it must not be negative.
    mutating func append(decimal number: Int) {
        if number < 10 {
            append(UInt8(truncatingIfNeeded: number) + 0x30)
            return
        }
        if number >= 100 { append(decimal: number / 100) }
        let rest = number >= 100 ? number % 100 : number
        append(UInt8(truncatingIfNeeded: rest / 10) + 0x30)
        append(UInt8(truncatingIfNeeded: rest % 10) + 0x30)
    }

    /// Appends `CSI number final`; 1 is left out, as every sequence with one number allows.
    mutating func appendControl(_ number: Int, _ final: Character) {
        append(0x1B)
        append(0x5B)
        if number != 1 { append(decimal: number) }
        append(final.asciiValue ?? 0)
    }
}
