import ModalEditing
import Terminal

/// The state of vim's keys in the status line.
struct VimStatus: Equatable {
    var mode: VimMode
    /// The register that keys are recorded into.
    var recording: Character?
    /// The keys that wait for more.
    var pending: String
    /// The line that is being typed behind `:`, `/` or `?`, and the characters before its caret.
    var line: String?
    var caret = 0

    /// `NORMAL`, with what is recorded into and the keys that wait for more.
    var text: String {
        var text = Texts.Vim.label(of: mode)
        if let recording { text += " " + Texts.Vim.recording(into: recording) }
        return pending.isEmpty ? text : text + " " + pending
    }

    /// The part of the typed line that fits into a row, from its second cell on, and the column of the caret.
    ///
    /// A longer line is scrolled to the left.
    @MainActor
    func lineView(columns: Int) -> (text: String, caret: Int) {
        let line = line ?? ""
        var head = line.prefix(caret)
        let room = max(1, columns - 2)
        while TextWidth.shared.width(of: String(head)) >= room { head = head.dropFirst() }
        return (String(head + line.dropFirst(caret)), 1 + TextWidth.shared.width(of: String(head)))
    }
}
