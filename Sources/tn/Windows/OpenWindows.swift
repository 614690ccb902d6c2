import Foundation
import NoteStore
import SystemPackage

/// The open windows of the user, seen from another process.
struct OpenWindows: Sendable {
    var folder = WindowFolder()

    /// Has the window of a notebook come to a note.
    ///
    /// - Returns: false if no window of this notebook is open, or it does not answer.
    /// - Throws: `Failure` if the window cannot do it now.
    func show(address: String, in database: String) throws -> Bool {
        for socket in folder.others() {
            let request = WindowRequest(.show(address: address), database: database)
            guard let answer = ask(socket, request) else { continue }
            switch answer.outcome {
            case .done: return true
            case .otherNotebook: continue
            case .dialog: throw Failure.windowHasDialog
            case .typing: throw Failure.windowIsBusy
            case .noNote: throw Failure(StoreError.noSuchReference(address))
            case .refused: throw Failure.windowRefuses
            }
        }
        return false
    }

    /// Gives all other windows what was copied in this one.
    func give(_ copy: SharedCopy, from database: String) {
        for socket in folder.others() { _ = ask(socket, WindowRequest(.take(copy), database: database)) }
    }

    /// What was last copied in another window; nil if there is none, or nothing was copied there.
    func copied(for database: String) -> SharedCopy? {
        folder.others().lazy.compactMap { ask($0, WindowRequest(.giveCopied, database: database))?.copied }.first
    }

    /// Asks one window; nil if it has ended, or gives no answer in time.
    private func ask(_ socket: FilePath, _ request: WindowRequest) -> WindowAnswer? {
        let deadline = ContinuousClock.now + .seconds(WindowRequest.patience + 1)
        let connection: LocalSocket
        do {
            connection = try LocalSocket.connected(to: socket)
        } catch {
            // Nobody listens there any more: its program was killed.
            if error == .connectionRefused { WindowFolder.remove(socket) }
            return nil
        }
        guard connection.isOfThisUser, let line = WindowLine.encoded(request), connection.write(line, before: deadline),
            let answer = connection.line(limit: WindowLine.limit, before: deadline)
        else { return nil }
        return WindowLine.decoded(answer, as: WindowAnswer.self)
    }
}

extension OpenWindows {
    /// Has the open window come to the note of a reference, in the form that commands accept.
    ///
    /// - Returns: false if there is no such window, so that the caller opens one.
    /// - Throws: also what is wrong with the reference.
    static func come(to reference: String, in options: NotebookOptions) throws -> Bool {
        let windows = OpenWindows()
        // Most of the time no window is open, and the notebook need not be opened twice.
        guard !windows.folder.others().isEmpty else { return false }
        let notebook = try Notebook.forCommand(options.path)
        let row = try notebook.notes.resolve(reference: reference)
        try notebook.close()
        let isAddress = Notebook.Notes.uuid(in: reference) != nil
        let heading = isAddress ? reference.utf8.firstIndex(of: UInt8(ascii: "#")) : nil
        let address = row.getURL() + (heading.map { String(reference[$0...]) } ?? "")
        guard try windows.show(address: address, in: options.path) else { return false }
        StandardError.notice(Texts.openedInWindow(row.title))
        return true
    }
}
