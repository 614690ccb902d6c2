/// The modes that a full-screen program switches on, with the bytes that undo them.
struct TerminalModes: Sendable {
    var mouse = true
    /// Bracketed paste and focus reports; terminals that do not know these ignore them.
    var reports = true
    var keyboardProtocol = false
    var modifyOtherKeys = false
    var colorSchemeReports = false
    var inBandResize = false
    var graphemeClusters = false
    /// Whether the terminal has side margins, which are set for single scrolls only but must always be undone.
    var sideMargins = false
    var cursorShapes = true
    var title = false
    /// The numbers of the pictures that the terminal holds.
    var pictures: [UInt32] = []
    /// Whether commands for pictures must be wrapped, so that tmux passes them on.
    var passesPictures = false

    /// The bytes that switch to the alternate screen, clear it, since not every terminal does, and set the initial
    /// modes.
    var enter: [UInt8] { enter(from: "\u{1B}[?1049h\u{1B}[m\u{1B}[H\u{1B}[2J") }

    private func enter(from screen: String) -> [UInt8] {
        var text = screen + "\u{1B}[?7l"
        if mouse { text += "\u{1B}[?1002h\u{1B}[?1006h" }
        if reports { text += "\u{1B}[?1004h\u{1B}[?2004h" }
        if title { text += TerminalModes.pushTitle }
        return Array(text.utf8) + negotiated
    }

    /// The bytes for the modes that are on only after the terminal has said that it supports them.
    var negotiated: [UInt8] {
        var text = ""
        if keyboardProtocol { text += TerminalModes.pushKeyboard }
        if modifyOtherKeys { text += "\u{1B}[>4;2m" }
        if graphemeClusters { text += "\u{1B}[?2027h" }
        if inBandResize { text += "\u{1B}[?2048h" }
        if colorSchemeReports { text += "\u{1B}[?2031h" }
        return Array(text.utf8)
    }

    /// The bytes that set all modes again in a terminal that something else has reset, without growing a stack or
    /// changing the screen.
    var again: [UInt8] {
        var modes = self
        (modes.title, modes.keyboardProtocol) = (false, false)
        let keyboard = keyboardProtocol ? TerminalModes.setKeyboard : ""
        return modes.enter(from: "\u{1B}[r") + Array(keyboard.utf8)
    }

    /// The bytes that undo all modes, in an order that works even if the terminal was interrupted inside a sequence or
    /// frame.
    ///
    /// Modes that could swallow the other sequences are undone first. The screen is switched last, so that no
    /// half-reset state is seen.
    var leave: [UInt8] {
        var text = "\u{1B}[?2026l"
        // This ends an open link, and also a string that was cut off.
        if reports { text += "\u{1B}]8;;\u{1B}\\" }
        text += "\u{1B}[m"
        if sideMargins { text += "\u{1B}[?69l" }
        text += "\u{1B}[r"
        if mouse { text += "\u{1B}[?1003l\u{1B}[?1002l\u{1B}[?1000l\u{1B}[?1006l" }
        if reports { text += "\u{1B}[?1004l\u{1B}[?2004l" }
        if colorSchemeReports { text += "\u{1B}[?2031l" }
        if inBandResize { text += "\u{1B}[?2048l" }
        if graphemeClusters { text += "\u{1B}[?2027l" }
        if keyboardProtocol { text += "\u{1B}[<u" }
        if modifyOtherKeys { text += "\u{1B}[>4m" }
        text += "\u{1B}[?7h"
        if cursorShapes { text += "\u{1B}[0 q" }
        text += "\u{1B}[?25h"
        if title { text += "\u{1B}[23;0t" }
        // Clear first: a terminal without an alternate screen, or with it disabled, has our last frame on its only
        // screen.
        let deletions = pictures.flatMap { PictureTransmission.deletion($0, throughTmux: passesPictures) }
        return deletions + Array((text + "\u{1B}[H\u{1B}[2J\u{1B}[?1049l").utf8)
    }

    static let pushTitle = "\u{1B}[22;0t"
    /// Flags 1 and 4 of the keyboard protocol: disambiguated keys and alternate keys.
    static let pushKeyboard = "\u{1B}[>5u"
    static let setKeyboard = "\u{1B}[=5u"
    static let keyboardQuery = "\u{1B}[?u"
    static let attributesQuery = Array("\u{1B}[c".utf8)
}
