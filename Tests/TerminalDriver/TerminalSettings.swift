/// The invisible settings that a program makes in a terminal, which must be restored when it has ended.
struct TerminalSettings {
    /// The modes that are initially on: automatic wrap, and the visible cursor.
    private static let initial: Set<String> = ["?7", "?25"]

    private var modes = initial
    /// The flag stacks of the kitty keyboard protocol for the main and the alternate screen; current flags are last.
    private var keyboards = [[0], [0]]
    private var otherKeys = "0"
    private var cursorShape = "0"
    private var titles: [String] = []
    private var title = ""

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

    /// `22;0` saves the title, `23;0` restores it.
    mutating func keepTitle(_ body: String) {
        if body.hasPrefix("22") { titles.append(title) }
        if body.hasPrefix("23"), let last = titles.popLast() { title = last }
    }

    /// Handles a control string, given as introducer and text: records titles.
    mutating func takeString(_ text: String) {
        if text.hasPrefix("]2;") || text.hasPrefix("]0;") { title = String(text.dropFirst(3)) }
    }

    /// Describes all settings that differ from their initial values.
    var leftovers: [String] {
        var all = modes.symmetricDifference(Self.initial).sorted().map { "mode \($0) is \(isOn($0) ? "on" : "off")" }
        if keyboards != [[0], [0]] { all.append("keyboard \(keyboards)") }
        if otherKeys != "0" { all.append("other keys \(otherKeys)") }
        if cursorShape != "0" { all.append("cursor shape \(cursorShape)") }
        if !titles.isEmpty || !title.isEmpty { all.append("title “\(title)”, \(titles.count) kept") }
        return all
    }
}
