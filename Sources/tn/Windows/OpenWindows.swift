import Foundation
import NoteStore
import SystemPackage

/// The open windows of the user, seen from another process.
struct OpenWindows: Sendable {
    var folder = WindowFolder()

    /// Makes the window of a notebook show a note.
    ///
    /// - Returns: false if no window of this notebook is open, or if it does not answer.
    /// - Throws: `Failure` if the window cannot show it now.
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

    /// Sends a copy made in this window to all other windows.
    func give(_ copy: SharedCopy, from database: String) {
        for socket in folder.others() { _ = ask(socket, WindowRequest(.take(copy), database: database)) }
    }

    /// Returns the last copy made in another window; nil if there is no window or no copy.
    func copied(for database: String) -> SharedCopy? {
        folder.others().lazy.compactMap { ask($0, WindowRequest(.giveCopied, database: database))?.copied }.first
    }

    /// Sends a request to a window; nil if the window has ended, or does not answer in time.
    private func ask(_ socket: FilePath, _ request: WindowRequest) -> WindowAnswer? {
        let deadline = ContinuousClock.now + .seconds(WindowRequest.patience + 1)
        let connection: LocalSocket
        do {
            connection = try LocalSocket.connected(to: socket)
        } catch {
            // No process listens there any more, since its program was killed.
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
    /// Makes the open window show the note of a reference, in the form that commands accept.
    ///
    /// - Returns: false if there is no such window, so that the caller opens one.
    /// - Throws: also the error of an invalid reference.
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
