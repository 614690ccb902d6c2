@testable import Terminal

/// Feeds a decoder and then lets time pass, like a terminal that sends nothing more.
struct Decoding {
    var configuration = InputDecoder.Configuration()

    static func all(_ text: String) -> [InputEvent] { Decoding().events([Array(text.utf8)]) }

    func events(_ chunks: [[UInt8]]) -> [InputEvent] {
        var decoder = InputDecoder(configuration: configuration)
        var events: [InputEvent] = []
        for chunk in chunks {
            decoder.decode(chunk, at: Timestamp(nanoseconds: 0), into: &events)
        }
        // A deadline may start another one, but at most as many as there are bytes.
        var limit = 100 + chunks.reduce(0) { $0 + $1.count }
        while let deadline = decoder.deadline, limit > 0 {
            decoder.expire(at: deadline, into: &events)
            limit -= 1
        }
        precondition(limit > 0, "the decoder waits for ever")
        return events
    }

    /// Returns the bytes whole, cut in two at every position, and one by one.
    func splittings(_ bytes: [UInt8]) -> [[[UInt8]]] {
        var all = [[bytes], bytes.map { [$0] }]
        for place in bytes.indices.dropFirst() {
            all.append([Array(bytes[..<place]), Array(bytes[place...])])
        }
        return all
    }
}

func key(_ key: Key, _ modifiers: Modifiers = [], text: String? = nil) -> InputEvent {
    .key(KeyPress(key, modifiers, text: text))
}

func key(_ character: Character, _ modifiers: Modifiers, text: String? = nil) -> InputEvent {
    .key(KeyPress(.character(character), modifiers, text: text))
}

func typed(_ text: String) -> [InputEvent] {
    text.map { .key(KeyPress(typed: $0)) }
}

func mouse(
    _ kind: MouseEvent.Kind, _ button: MouseEvent.Button, _ column: Int, _ row: Int, _ modifiers: Modifiers = []
) -> InputEvent {
    .mouse(MouseEvent(kind, button, at: Position(column: column, row: row), modifiers))
}
