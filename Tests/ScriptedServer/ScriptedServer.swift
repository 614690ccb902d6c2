import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A server on a port of this machine that answers each connection with the next reply of a script.
///
/// It reads one request, writes the reply piece by piece, and closes the connection. It keeps the requests.
public final class ScriptedServer: Sendable {
    /// One action of the server on a connection.
    public enum Act: Sendable {
        case send([UInt8])
        /// Waits for a number of milliseconds.
        case pause(Int)
        /// Keeps the connection open without sending anything until the server stops.
        case hang
        /// Sends a text made from the request's head and body.
        case answer(@Sendable (String) -> String)
    }

    /// The actions on one connection.
    public struct Reply: Sendable {
        public var acts: [Act]

        public init(_ acts: [Act]) { self.acts = acts }

        /// Returns a whole response, sent exactly as given.
        public static func raw(_ text: String) -> Reply { Reply([.send(Array(text.utf8))]) }

        public static func status(_ status: Int, _ body: String = "", fields: String = "") -> Reply {
            raw(
                "HTTP/1.1 \(status) X\r\nConnection: close\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
        }

        /// Returns a stream of events, ended by closing the connection.
        public static func stream(_ payloads: [String], gap: Int = 0, ending: String = "data: [DONE]\n\n") -> Reply {
            var acts = [Act.send(Array(streamHead.utf8))]
            for payload in payloads {
                acts.append(.send(Array("data: \(payload)\n\n".utf8)))
                if gap > 0 { acts.append(.pause(gap)) }
            }
            return Reply(acts + [.send(Array(ending.utf8))])
        }

        /// Returns the words of an answer, each in a separate event.
        public static func answer(_ words: [String], finish: String = "stop") -> Reply {
            stream(
                words.map { #"{"choices":[{"index":0,"delta":{"content":\#(quoted($0))}}]}"# }
                    + [#"{"choices":[{"index":0,"delta":{},"finish_reason":"\#(finish)"}]}"#])
        }

        public static let streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

        public static func quoted(_ text: String) -> String {
            // A text can always be encoded inside a list.
            let data = (try? JSONEncoder().encode([text])) ?? Data()
            return String(String(decoding: data, as: UTF8.self).dropFirst().dropLast())
        }
    }

    public let port: UInt16
    private let listener: Int32
    private let script: Mutex<[Reply]>
    private let heard = Mutex<[String]>([])
    private let isStopped = Atomic<Bool>(false)
    private let open = Atomic<Int>(0)

    /// - Parameter script: the replies in order; the last one is repeated.
    public init?(_ script: [Reply]) {
        self.script = Mutex(script)
        #if canImport(Glibc)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listening = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, size) == 0 && listen(listening, 16) == 0 && getsockname(listening, $0, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound else { return nil }
        _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread { [self] in serve() }
    }

    public var url: String { "http://127.0.0.1:\(port)/v1" }

    /// The received requests, head and body.
    public var requests: [String] { heard.withLock { $0 } }

    /// The number of connections that are open now.
    public var openConnections: Int { open.load(ordering: .sequentiallyConsistent) }

    public func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private func serve() {
        while !isStopped.load(ordering: .sequentiallyConsistent) {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return }
            open.add(1, ordering: .sequentiallyConsistent)
            Thread.detachNewThread { [self] in
                handle(connection)
                close(connection)
                open.subtract(1, ordering: .sequentiallyConsistent)
            }
        }
    }

    private func handle(_ connection: Int32) {
        let request = read(connection)
        heard.withLock { $0.append(request) }
        let reply = script.withLock { script in script.count > 1 ? script.removeFirst() : script.first }
        for act in reply?.acts ?? [] {
            switch act {
            case .send(let bytes):
                // The client may have closed the connection.
                if !write(bytes, to: connection) { return }
            case .answer(let make):
                if !write(Array(make(request).utf8), to: connection) { return }
            case .pause(let milliseconds): usleep(useconds_t(milliseconds) * 1000)
            case .hang:
                var byte: UInt8 = 0
                // The loop ends when the client closes the connection.
                while recv(connection, &byte, 1, 0) > 0 {}
            }
        }
        shutdown(connection, Int32(SHUT_WR))
    }

    /// Sends all bytes; a long response takes several calls.
    private func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    /// Reads a request, with the length of the body given by its head.
    private func read(_ connection: Int32) -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(connection, &piece, piece.count, 0)
            guard count > 0 else { break }
            bytes += piece[..<count]
            let text = String(decoding: bytes, as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { continue }
            let length = text[..<end.lowerBound].split(separator: "\r\n")
                .first { $0.lowercased().hasPrefix("content-length:") }
                .flatMap { Int($0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)) }
            if text[end.upperBound...].utf8.count >= length ?? 0 { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
