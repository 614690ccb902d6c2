import Dispatch
import Processes
import Synchronization
import SystemPackage

/// Makes this window reachable for other programs of the user, through a socket in the state folder.
///
/// All waiting happens on the server's own threads. A request is passed to the handler, and answered when the handler
/// has the answer.
final class WindowServer: Sendable {
    typealias Reply = @Sendable (WindowAnswer) -> Void

    private let path: FilePath
    private let listener: LocalSocket
    /// The source is only set up and cancelled, which Dispatch allows on any thread.
    private nonisolated(unsafe) let source: any DispatchSourceRead
    private let handle: @Sendable (WindowRequest, @escaping Reply) -> Void
    private let count = Mutex(0)

    /// The maximum number of connections that are served at once; further ones are closed.
    private static let maximumConnections = 8

    /// Begins to listen.
    ///
    /// - Parameter handle: called on another thread for each request; calls its second argument once, from any thread.
    /// - Throws: the reason why the socket cannot be made.
    init(
        in folder: WindowFolder = WindowFolder(), handle: @escaping @Sendable (WindowRequest, @escaping Reply) -> Void
    ) throws {
        try folder.make()
        path = folder.own
        self.handle = handle
        let listener = try LocalSocket.listening(at: path)
        self.listener = listener
        source = DispatchSource.makeReadSource(
            fileDescriptor: listener.descriptor, queue: DispatchQueue(label: "tn.window", qos: .userInitiated))
        source.setEventHandler { [weak self] in
            while let connection = listener.accepted() { self?.take(connection) }
        }
        source.resume()
    }

    /// Stops listening, and removes the socket.
    func stop() {
        source.cancel()
        WindowFolder.remove(path)
    }

    private func take(_ connection: LocalSocket) {
        let isFree = count.withLock { count in
            guard count < Self.maximumConnections else { return false }
            count += 1
            return true
        }
        guard isFree else { return }
        onOwnThread("tn.window") { [self] in
            serve(connection)
            count.withLock { $0 -= 1 }
        }
    }

    /// Reads one request, waits for its answer and writes it.
    private func serve(_ connection: LocalSocket) {
        let deadline = ContinuousClock.now + .seconds(WindowRequest.patience)
        guard connection.isOfThisUser, let line = connection.line(limit: WindowLine.limit, before: deadline) else {
            return
        }
        let answer: WindowAnswer
        if let request = WindowLine.decoded(line, as: WindowRequest.self) {
            let (box, isThere) = (AnswerBox(), DispatchSemaphore(value: 0))
            handle(request) { found in
                box.answer.withLock { $0 = found }
                isThere.signal()
            }
            _ = isThere.wait(timeout: .now() + WindowRequest.patience)
            answer = box.answer.withLock { $0 } ?? WindowAnswer(.refused)
        } else {
            answer = WindowAnswer(.refused)
        }
        guard let bytes = WindowLine.encoded(answer) else { return }
        // The requesting program may have ended, but the request was carried out.
        _ = connection.write(bytes, before: .now + .seconds(WindowRequest.patience))
    }
}

/// An answer that another thread provides.
private final class AnswerBox: Sendable {
    let answer = Mutex<WindowAnswer?>(nil)
}
