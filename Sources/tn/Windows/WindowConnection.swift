import Dispatch
import Interface
import NoteStore
import Terminal
import TextEditing
import ViewModel

/// Connects this window with other programs of the user, for their requests and for shared copies.
///
/// Nothing waits on the main thread: requests come through the mailbox, and copies are sent from a queue.
@MainActor
final class WindowConnection {
    private weak var interface: NotebookInterface?
    private let notebook: String
    private let loop: EventLoop
    private var server: WindowServer?
    private let queue = DispatchQueue(label: "tn.window.copies", qos: .userInitiated)
    /// The last copy made in any window.
    private var copied: SharedCopy?

    /// The pause before a request is tried again while the user types.
    private static let retryPause = Duration.milliseconds(100)

    init(_ interface: NotebookInterface, notebook: String, loop: EventLoop) {
        (self.interface, self.notebook, self.loop) = (interface, notebook, loop)
        listen()
        interface.textCopied = { [weak self] in self?.give(.text($0)) }
        interface.model.notesCopied = { [weak self] in self?.give(.notes($0)) }
        takeCopiedBefore()
    }

    /// Stops accepting requests.
    func end() {
        server?.stop()
        server = nil
        // The last copy is still sent, but a window that does not answer must not delay the end of this one.
        let sent = DispatchSemaphore(value: 0)
        queue.async { sent.signal() }
        _ = sent.wait(timeout: .now() + .milliseconds(200))
    }

    private func listen() {
        let mailbox = loop.mailbox
        do {
            server = try WindowServer { [weak self] request, reply in
                mailbox.post {
                    guard let self else { return reply(WindowAnswer(.refused)) }
                    self.answer(request, reply)
                }
            }
        } catch {
            interface?.model.say(Texts.notReachable(error), kind: .refused)
        }
    }

    private func answer(_ request: WindowRequest, _ reply: @escaping WindowServer.Reply) {
        guard let interface else { return reply(WindowAnswer(.refused)) }
        switch request.action {
        case .show(let address):
            guard request.database == notebook else { return reply(WindowAnswer(.otherNotebook)) }
            show(address, request, reply)
        case .take(let copy):
            take(copy, of: request.database, in: interface)
            reply(WindowAnswer(.done))
        case .giveCopied:
            reply(WindowAnswer(.done, copied: copied(for: request.database)))
        }
    }

    /// Shows a note, as soon as the user pauses.
    private func show(_ address: String, _ request: WindowRequest, _ reply: @escaping WindowServer.Reply) {
        guard let interface else { return reply(WindowAnswer(.refused)) }
        guard request.isAwaited else { return reply(WindowAnswer(.typing)) }
        switch interface.come(to: address) {
        case .done: reply(WindowAnswer(.done))
        case .dialog: reply(WindowAnswer(.dialog))
        case .noNote: reply(WindowAnswer(.noNote))
        case .typing:
            loop.schedule(after: Self.retryPause) { [weak self] in
                guard let self else { return reply(WindowAnswer(.refused)) }
                show(address, request, reply)
            }
        }
    }

    // MARK: Copies

    /// Sends a copy made here to the other windows.
    private func give(_ copy: SharedCopy) {
        copied = copy
        let notebook = notebook
        queue.async { OpenWindows().give(copy, from: notebook) }
    }

    private func take(_ copy: SharedCopy, of notebook: String, in interface: NotebookInterface) {
        switch copy {
        case .text(let clipping): interface.take(clipping)
        case .notes(let notes):
            // Notes of another notebook do not exist here.
            guard notebook == self.notebook else { return }
            interface.model.take(copiedNotes: notes)
        }
        copied = copy
    }

    private func copied(for notebook: String) -> SharedCopy? {
        if case .notes = copied, notebook != self.notebook { return nil }
        return copied
    }

    /// Gets the last copy from another window that was open before this one.
    private func takeCopiedBefore() {
        let (notebook, mailbox) = (notebook, loop.mailbox)
        queue.async { [weak self] in
            guard let copy = OpenWindows().copied(for: notebook) else { return }
            mailbox.post {
                guard let self, let interface = self.interface, self.copied == nil else { return }
                self.take(copy, of: notebook, in: interface)
            }
        }
    }
}
