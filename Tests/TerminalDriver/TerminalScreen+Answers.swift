/// The answers to queries, and control strings.
extension TerminalScreen {
    private mutating func answer(_ text: String) { answers += Array(text.utf8) }

    /// Reports the size in cells and in pixels, with cells of 10 by 20 pixels.
    mutating func answerSize() { answer("\u{1B}[48;\(rows);\(columns);\(rows * 20);\(columns * 10)t") }

    mutating func question(_ body: String, _ final: UInt8) {
        switch body + String(UnicodeScalar(final)) {
        case "c", "0c": if let attributes = personality.attributes { answer("\u{1B}[\(attributes)c") }
        case ">c", ">0c": if personality.attributes != nil { answer("\u{1B}[>1;4000;29c") }
        case ">q", ">0q": if let version = personality.version { answer("\u{1B}P>|\(version)\u{1B}\\") }
        case "?u" where personality.hasKeyboardProtocol: answer("\u{1B}[?\(settings.keyboardFlags)u")
        case "5n": answer("\u{1B}[0n")
        case "6n" where personality.tellsPosition: answer("\u{1B}[\(row + 1);\(column + 1)R")
        case "?996n" where personality.tellsColorScheme: answer("\u{1B}[?997;1n")
        case "18t": answer("\u{1B}[8;\(rows);\(columns)t")
        case _ where final == UInt8(ascii: "t"): settings.keepTitle(body)
        default:
            guard final == UInt8(ascii: "p"), body.hasSuffix("$"), body.hasPrefix("?"), !personality.modes.isEmpty
            else { return }
            let mode = String(body.dropLast())
            let known = personality.modes[mode]
            answer("\u{1B}[\(mode);\(known == 2 && settings.isOn(mode) ? 1 : known ?? 0)$y")
        }
    }

    /// Handles a control string that has ended: `body` is its introducer and its text.
    mutating func finishString() {
        let text = String(decoding: body, as: UTF8.self)
        switch text {
        case "]10;?": if personality.background != nil { answer("\u{1B}]10;rgb:e0e0/e0e0/e0e0\u{1B}\\") }
        case "]11;?": if let background = personality.background { answer("\u{1B}]11;rgb:\(background)\u{1B}\\") }
        case "P$qm": if personality.tellsStyle { answer("\u{1B}P1$r\(lastStyle)m\u{1B}\\") }
        case _ where text.hasPrefix("P+q"): answer("\u{1B}P0+r\u{1B}\\")
        case _ where text.hasPrefix("]8;"):
            pen.link =
                text.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false).last.map { String($0) } ?? ""
        case _ where text.hasPrefix("Ptmux;"): feed(Array(body.dropFirst(6)))
        case _ where text.hasPrefix("_"): graphics.take(String(text.dropFirst()))
        default: settings.takeString(text)
        }
    }
}
