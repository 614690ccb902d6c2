/// What a program has set in a terminal, apart from what is seen: what must be as it was when it has gone.
struct TerminalSettings {
    /// The modes that are on at the start: automatic wrap, the cursor, smooth keys.
    private static let initial: Set<String> = ["?7", "?25"]

    private var modes = initial
    /// The flags of the kitty keyboard protocol, of the main screen and of the alternate one, the current ones last.
    private var keyboards = [[0], [0]]
    private var otherKeys = "0"
    private var cursorShape = "0"
    private var titles: [String] = []
    private var title = ""
    private var link = ""

    func isOn(_ mode: String) -> Bool { modes.contains(mode) }

    private var screen: Int { ["?1049", "?1047", "?47"].contains(where: isOn) ? 1 : 0 }

    var keyboardFlags: Int { keyboards[screen].last ?? 0 }

    mutating func setMode(_ mode: String, _ isOn: Bool) {
        if isOn { modes.insert(mode) } else { modes.remove(mode) }
    }

    /// `>flags` pushes, `<count` pops, `=flags;how` sets.
    mutating func setKeyboard(_ body: String) {
        let number = Int(body.dropFirst().prefix { $0 != ";" })
        switch body.first {
        case ">": keyboards[screen].append(number ?? 0)
        case "<":
            keyboards[screen].removeLast(min(number ?? 1, keyboards[screen].count))
            if keyboards[screen].isEmpty { keyboards[screen] = [0] }
        default: keyboards[screen][keyboards[screen].count - 1] = number ?? 0
        }
    }

    /// `>4;2`, and `>4` for the default.
    mutating func setOtherKeys(_ body: String) {
        guard body.hasPrefix(">4") else { return }
        otherKeys = body.split(separator: ";").dropFirst().first.map { String($0) } ?? "0"
    }

    mutating func setCursorShape(_ body: String) {
        cursorShape = String(body.dropLast())
        if cursorShape.isEmpty { cursorShape = "0" }
    }

    /// `22;0` keeps the title, `23;0` brings it back.
    mutating func keepTitle(_ body: String) {
        if body.hasPrefix("22") { titles.append(title) }
        if body.hasPrefix("23"), let last = titles.popLast() { title = last }
    }

    /// A string's introducer and its text: titles and links are kept.
    mutating func takeString(_ text: String) {
        if text.hasPrefix("]2;") || text.hasPrefix("]0;") { title = String(text.dropFirst(3)) }
        if text.hasPrefix("]8;") {
            link =
                text.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false).last.map { String($0) } ?? ""
        }
    }

    /// All that is not as it was at the start, in words.
    var leftovers: [String] {
        var all = modes.symmetricDifference(Self.initial).sorted().map { "mode \($0) is \(isOn($0) ? "on" : "off")" }
        if keyboards != [[0], [0]] { all.append("keyboard \(keyboards)") }
        if otherKeys != "0" { all.append("other keys \(otherKeys)") }
        if cursorShape != "0" { all.append("cursor shape \(cursorShape)") }
        if !titles.isEmpty || !title.isEmpty { all.append("title “\(title)”, \(titles.count) kept") }
        if !link.isEmpty { all.append("link \(link)") }
        return all
    }
}
