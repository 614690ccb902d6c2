/// Takes the body of an answer apart: a stream of events, or one text of JSON.
///
/// It is a value: bytes in, events out, whatever the pieces in which the bytes come. It follows the standard of
/// server-sent events (WHATWG HTML, 9.2.6) and accepts what servers make of it: any line end, comments, no blank line at
/// the end, several JSON texts in one event.
public struct EventStreamDecoder: Sendable {
    /// One payload, as it was sent.
    public enum Event: Equatable, Sendable {
        /// What stood behind `data:`.
        case data(String)
        /// What came without an event stream around it.
        case plain(String)
    }

    private enum Form { case unknown, stream, plain }

    private var form = Form.unknown
    private var line: [UInt8] = []
    private var skipsLineFeed = false
    private var isFirstLine = true
    /// The data of the event that has not ended.
    private var data: [String] = []
    /// The bytes of `data`, those left out included.
    private var dataSize = 0
    private var plain: [UInt8] = []
    /// Whether something was longer than any answer, and its rest was dropped.
    public private(set) var isCut = false
    /// How many lines made no sense in an event stream.
    public private(set) var strayLines = 0

    /// Bytes of one line, or of a whole answer without a stream, that are kept.
    ///
    /// An answer has at most a hundred thousand tokens of a few bytes; the rest is a server that never ends.
    static let longest = 8_000_000

    public init() {}

    public mutating func decode(_ bytes: some Sequence<UInt8>) -> [Event] {
        var events: [Event] = []
        for byte in bytes { take(byte, &events) }
        return events
    }

    /// What is left at the end of the body.
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
        // The first character that is not blank tells a stream from one text of JSON.
        if form == .unknown, !Self.isBlank(byte), !isByteOrderMark {
            form = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") ? .plain : .stream
            if form == .plain { (plain, line) = (line.drop { $0 != byte } + [], []) }
        }
    }

    private var isByteOrderMark: Bool { isFirstLine && line.count <= 3 && [0xEF, 0xBB, 0xBF].starts(with: line) }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private mutating func append(_ byte: UInt8, to part: WritableKeyPath<Self, [UInt8]>) {
        if self[keyPath: part].count < Self.longest { self[keyPath: part].append(byte) } else { isCut = true }
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
            if dataSize <= Self.longest { data.append(String(decoding: value, as: UTF8.self)) } else { isCut = true }
        case "event", "id", "retry", "": break
        default: strayLines += 1
        }
    }

    private mutating func endEvent(_ events: inout [Event]) {
        dataSize = 0
        guard !data.isEmpty else { return }
        let whole = data.joined(separator: "\n")
        // A server that leaves out the blank lines means several events.
        events += data.count == 1 || JSONValue(parsing: whole) != nil ? [.data(whole)] : data.map { .data($0) }
        data = []
    }

    private static func lines(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map(String.init)
    }
}
