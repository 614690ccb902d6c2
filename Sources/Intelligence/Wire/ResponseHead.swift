import Foundation
import NoteStore

/// The status and the relevant header fields of an HTTP response.
public struct ResponseHead: Equatable, Sendable {
    public var status: Int
    /// The seconds after which the request may be repeated.
    public var retryAfter: Int?
}

/// Separates the headers of a response from its body, however the bytes are divided.
///
/// The headers of provisional responses (1xx) are skipped.
public struct ResponseSplitter: Sendable {
    public private(set) var head: ResponseHead?
    private var waiting: [UInt8] = []
    /// The time at which the response arrives, in seconds since 1970.
    private let now: Int
    /// Whether the response does not begin with HTTP headers.
    private(set) var isMalformed = false

    /// The greatest length of the headers in bytes, which curl limits too.
    private static let maximumLength = 300_000

    public init(now: Int = Int(Date().timeIntervalSince1970)) { self.now = now }

    /// Returns the bytes of the body.
    public mutating func body(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        if head != nil { return Array(bytes) }
        waiting += bytes
        while head == nil, let end = endOfHead() {
            read(waiting[..<end])
            waiting.removeFirst(end)
        }
        if head == nil {
            if waiting.count > Self.maximumLength { isMalformed = true }
            return []
        }
        defer { waiting = [] }
        return waiting
    }

    /// Returns the offset after the first empty line.
    private func endOfHead() -> Int? {
        var length = 0
        for (index, byte) in waiting.enumerated() {
            if byte == 0x0A {
                if length == 0 { return index + 1 }
                length = 0
            } else if byte != 0x0D {
                length += 1
            }
        }
        return nil
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>) {
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        let first = lines.first?.split(separator: " ") ?? []
        guard first.count >= 2, first[0].hasPrefix("HTTP/"), let status = Int(first[1]) else {
            isMalformed = true
            head = ResponseHead(status: 0)
            return
        }
        if (100..<200).contains(status) { return }
        var result = ResponseHead(status: status)
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "retry-after" else { continue }
            result.retryAfter = RetryTime.seconds(parts[1], now: now).map { max(0, min($0, 86_400)) }
        }
        head = result
    }
}
