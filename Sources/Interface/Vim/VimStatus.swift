import ModalEditing
import Terminal

/// The state of vim keys in the status line.
struct VimStatus: Equatable {
    var mode: VimMode
    /// The register into which keys are recorded.
    var recording: Character?
    /// The keys of an unfinished command.
    var pending: String
    /// The command line being typed after `:`, `/` or `?`; `caret` is the number of characters before its caret.
    var line: String?
    var caret = 0

    /// `NORMAL`, followed by the recording register and the keys of an unfinished command.
    var text: String {
        var text = Texts.Vim.label(of: mode)
        if let recording { text += " " + Texts.Vim.recording(into: recording) }
        return pending.isEmpty ? text : text + " " + pending
    }

    /// Returns the part of the command line that fits into a row from its second cell on, and the column of the caret.
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
