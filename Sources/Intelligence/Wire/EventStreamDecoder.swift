import TextPrimitives

/// Decodes the body of a response, which is either an event stream or one JSON text.
///
/// It is a value that turns bytes into events, however the bytes are divided. It follows the standard of server-sent
/// events (WHATWG HTML, 9.2.6) and accepts common deviations: any line end, comments, no blank line at the end, and
/// several JSON texts in one event.
public struct EventStreamDecoder: Sendable {
    /// A payload as it was sent.
    public enum Event: Equatable, Sendable {
        /// The text after `data:`.
        case data(String)
        /// A body that is not an event stream.
        case plain(String)
    }

    private enum Form { case unknown, stream, plain }

    private var form = Form.unknown
    private var line: [UInt8] = []
    private var skipsLineFeed = false
    private var isFirstLine = true
    /// The data lines of the current event.
    private var data: [String] = []
    /// The size of `data` in bytes, including those that were dropped.
    private var dataSize = 0
    private var plain: [UInt8] = []
    /// Whether a line or a body exceeded the limit and its rest was dropped.
    public private(set) var isCut = false
    /// The number of lines that are not valid in an event stream.
    private(set) var strayLines = 0

    /// The greatest length of a line, or of a body that is not a stream, in bytes.
    ///
    /// An answer has at most a hundred thousand tokens of a few bytes. A longer response is one that never ends.
    static let maximumLength = 8_000_000

    public init() {}

    /// Decodes the next bytes, wherever they were divided, and returns the events that they complete.
    public mutating func decode(_ bytes: some Sequence<UInt8>) -> [Event] {
        var events: [Event] = []
        for byte in bytes { take(byte, &events) }
        return events
    }

    /// Returns the remaining events at the end of the body.
    public mutating func finish() -> [Event] {
        var events: [Event] = []
        if !line.isEmpty { endLine(&events) }
        endEvent(&events)
        if form == .plain {
            let text = String(decoding: plain, as: UTF8.self)
            events += JSONValue(parsing: text) != nil ? [.plain(text)] : Self.lines(of: text).map { .plain($0) }
        }
        self = EventStreamDecoder(strayLines: strayLines, isCut: isCut)
        return events
    }

    private init(strayLines: Int, isCut: Bool) { (self.strayLines, self.isCut) = (strayLines, isCut) }

    private mutating func take(_ byte: UInt8, _ events: inout [Event]) {
        if form == .plain { return append(byte, to: \.plain) }
        if skipsLineFeed, byte == 0x0A {
            skipsLineFeed = false
            return
        }
        skipsLineFeed = byte == 0x0D
        if byte == 0x0A || byte == 0x0D { return endLine(&events) }
        append(byte, to: \.line)
        // The first character that is not blank distinguishes a stream from a JSON text.
        if form == .unknown, !byte.isBlank, !isByteOrderMark {
            form = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") ? .plain : .stream
            if form == .plain { (plain, line) = (line.drop { $0 != byte } + [], []) }
        }
    }

    private var isByteOrderMark: Bool { isFirstLine && line.count <= 3 && [0xEF, 0xBB, 0xBF].starts(with: line) }

    private mutating func append(_ byte: UInt8, to part: WritableKeyPath<Self, [UInt8]>) {
        if self[keyPath: part].count < Self.maximumLength { self[keyPath: part].append(byte) } else { isCut = true }
    }

    private mutating func endLine(_ events: inout [Event]) {
        if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isFirstLine = false
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return endEvent(&events) }
        let field = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(field.count + 1)
        if value.first == 0x20 { value = value.dropFirst() }
        switch String(decoding: field, as: UTF8.self) {
        case "data":
            dataSize += value.count
            if dataSize <= Self.maximumLength {
                data.append(String(decoding: value, as: UTF8.self))
            } else {
                isCut = true
            }
        case "event", "id", "retry", "": break
        case "error":
            // Some servers report an error in a field of its own instead of in the data.
            endEvent(&events)
            let error = String(decoding: value, as: UTF8.self)
            events.append(.data("{\"error\":" + (JSONValue(parsing: error) ?? .text(error)).line + "}"))
        case _ where line.first == UInt8(ascii: "{"):
            // Others write it as a line of JSON.
            endEvent(&events)
            events.append(.data(String(decoding: line, as: UTF8.self)))
        default: strayLines += 1
        }
    }

    private mutating func endEvent(_ events: inout [Event]) {
        dataSize = 0
        guard !data.isEmpty else { return }
        let whole = data.joined(separator: "\n")
        // If a server omits the blank lines, each data line is an event.
        events += data.count == 1 || JSONValue(parsing: whole) != nil ? [.data(whole)] : data.map { .data($0) }
        data = []
    }

    private static func lines(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map(String.init)
    }
}
