/// Bracketed paste: `ESC [ 200 ~` text `ESC [ 201 ~`.
///
/// What is pasted is text or nothing, and never keys:
///
/// - Only the end ends it, however long it pauses. After a pause the paste is told to be stalled, and Ctrl-C gives it up:
///   a Ctrl-C that is read alone, after the pause was told; one within the text is text. What has come is handed on,
///   and what comes later is dropped up to the end. A second Ctrl-C gives the keys back without the end.
/// - Pasted text can hold the end's bytes (tmux passes them on). So what follows an end without a pause belongs to the
///   paste: the last end of a burst counts, and what is left after it is taken as text, its control keys as nothing.
/// - A paste beyond `Configuration.pasteLimit` is refused whole.
///
/// What cannot be known: an end that is forged and followed by a pause of `pasteEndTimeout` looks like a true one; keys
/// that are pressed within that time of the end look like pasted text, and are typed.
extension InputDecoder {
    private static let endMarker: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]
    private static let startMarker: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x30, 0x7E]
    private static let seam = endMarker + startMarker
    /// Bytes that may follow the end of a paste that is dropped; more than a read of a terminal gives.
    private static let maximumRestLength = 65_536

    mutating func beginPaste() {
        begin(.paste)
        paste = Paste()
    }

    /// Takes all of `bytes` from `start` on, or up to the end of a paste that is dropped; returns where reading goes on.
    mutating func readPaste(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ events: inout [InputEvent]
    ) -> Int {
        if start == 0, paste.isStalled, paste.end == nil, isControlC(bytes) {
            giveUpPaste(&events)
            return bytes.count
        }
        paste.bytes += bytes[start...]
        paste.scanForEnd(of: InputDecoder.endMarker)
        if paste.isDropped {
            dropPaste()
        } else if paste.bytes.count > configuration.pasteLimit {
            (paste.isDropped, paste.isRefused) = (true, true)
            dropPaste()
        }
        return bytes.count
    }

    /// Keeps of a paste that is dropped only what may be the beginning of its end, or follows it.
    private mutating func dropPaste() {
        let kept = paste.end ?? max(0, paste.bytes.count - InputDecoder.endMarker.count + 1)
        paste.dropped += kept
        // A new array, since the old one would keep its memory.
        paste.bytes = Array(paste.bytes[kept...])
        paste.scanned = max(0, paste.scanned - kept)
        guard paste.end != nil else { return }
        paste.end = 0
        guard paste.bytes.count > InputDecoder.maximumRestLength else { return }
        // So much without a pause was not typed: the end was none.
        paste.dropped += paste.bytes.count
        (paste.bytes, paste.scanned, paste.end) = ([], 0, nil)
    }

    /// Silence while a paste is being read: it is over when its end has come, and stalled when it has not.
    mutating func pastePaused(_ events: inout [InputEvent]) {
        if paste.end != nil {
            endPaste(&events)
        } else if !paste.isStalled {
            paste.isStalled = true
            if !paste.isDropped || paste.isRefused { events.append(.pasteStatus(.stalled(bytes: paste.count))) }
        }
    }

    /// Ctrl-C, alone: hands on what has come, then drops the rest; the second time gives the keys back.
    private mutating func giveUpPaste(_ events: inout [InputEvent]) {
        if paste.isDropped {
            endDroppedPaste(&events)
            return
        }
        events.append(.paste(paste.bytes.withUnsafeBufferPointer(InputDecoder.pasted)))
        events.append(.pasteStatus(.abandoned))
        paste = Paste()
        paste.isDropped = true
        paste.isStalled = true
    }

    private mutating func endDroppedPaste(_ events: inout [InputEvent]) {
        let status: PasteStatus =
            paste.isRefused
            ? .refused(bytes: paste.end == nil ? paste.count : paste.dropped, limit: configuration.pasteLimit) : .ended
        events.append(.pasteStatus(status))
        paste = Paste()
        begin(.ground)
    }

    /// The paste is over: hands it on, with what followed its end at once.
    private mutating func endPaste(_ events: inout [InputEvent]) {
        let (bytes, end) = (paste.bytes, paste.end ?? paste.bytes.count)
        let rest = Array(bytes[min(end + InputDecoder.endMarker.count, bytes.count)...])
        if paste.isDropped {
            endDroppedPaste(&events)
        } else {
            if paste.isStalled { events.append(.pasteStatus(.ended)) }
            handOn(bytes, upTo: end, &events)
        }
        // A large paste's memory is given back.
        paste = Paste()
        begin(.ground)
        if rest.starts(with: InputDecoder.startMarker) {
            // Two pastes one after the other are two; the second is under way.
            beginPaste()
            paste.bytes = Array(rest.dropFirst(InputDecoder.startMarker.count))
        } else if !rest.isEmpty {
            handOnRest(rest, &events)
        }
    }

    /// Hands on the text up to the end that counts, in several parts where one paste follows the other.
    private func handOn(_ paste: [UInt8], upTo end: Int, _ events: inout [InputEvent]) {
        paste.withUnsafeBufferPointer { bytes in
            var start = 0
            while let seam = bytes.firstIndex(of: InputDecoder.seam, from: start), seam < end {
                events.append(.paste(InputDecoder.pasted(UnsafeBufferPointer(rebasing: bytes[start..<seam]))))
                start = seam + InputDecoder.seam.count
            }
            events.append(.paste(InputDecoder.pasted(UnsafeBufferPointer(rebasing: bytes[start..<end]))))
        }
    }

    /// What followed the end of a paste without a pause, and is followed by no other end: its text goes on the paste, what
    /// the terminal reports is reported, and what would be a command is nothing.
    private mutating func handOnRest(_ rest: [UInt8], _ events: inout [InputEvent]) {
        var reader = InputDecoder(configuration: configuration)
        var found: [InputEvent] = []
        rest.withUnsafeBufferPointer { reader.run($0, &found) }
        reader.flushText(&found)
        var text = ""
        var reports: [InputEvent] = []
        for event in found {
            switch event {
            case .key(let press): text += InputDecoder.pastedText(of: press)
            case .paste(let pasted): text += pasted
            case .mouse, .pasteStatus, .capabilitiesChanged: break
            case .focus, .resized, .colorScheme, .reply: reports.append(event)
            }
        }
        if !text.isEmpty {
            if case .paste(let pasted) = events.last {
                events[events.count - 1] = .paste(pasted + text)
            } else {
                events.append(.paste(text))
            }
        }
        events += reports
        if case .paste = reader.state {
            beginPaste()
            paste.bytes = reader.paste.bytes
        }
    }

    /// What a key stands for in a text.
    private static func pastedText(of press: KeyPress) -> String {
        if press.modifiers.subtracting(.shift).isEmpty {
            switch press.key {
            case .enter: return "\n"
            case .tab: return "\t"
            default: return press.text ?? ""
            }
        }
        return press == KeyPress(.character("j"), .control) ? "\n" : ""
    }

    /// Whether bytes are one press of Ctrl-C, in whatever way a terminal says it, and nothing else.
    private func isControlC(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // The longest way to say it is a sequence with the key of another layout.
        guard bytes.count <= 32 else { return false }
        if bytes.count == 1 { return bytes[0] == 0x03 }
        var reader = InputDecoder(configuration: configuration)
        var found: [InputEvent] = []
        reader.run(bytes, &found)
        guard found.count == 1, case .key(let press) = found[0], case .ground = reader.state else { return false }
        return press.bindings.contains(KeyPress.Binding(.character("c"), .control))
    }

    /// Hands on what has come of a paste whose end will not come any more, since the terminal is gone.
    mutating func handOnUnfinishedPaste(_ events: inout [InputEvent]) {
        guard case .paste = state, !paste.isDropped, paste.count > 0 else { return }
        if paste.end == nil { paste.end = paste.bytes.count }
        endPaste(&events)
    }

    /// The text of a paste: UTF-8 repaired, CR and CR LF made LF.
    static func pasted(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard bytes.contains(0x0D) else { return String(decoding: bytes, as: UTF8.self) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            if byte != 0x0D {
                text.append(byte)
            } else if index + 1 == bytes.count || bytes[index + 1] != 0x0A {
                text.append(0x0A)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether bytes look like a paste from a terminal that does not say so: three or more characters and a line end.
    func isBurst(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count > 3, case .ground = state, cluster.isEmpty else { return false }
        var lineEnds = 0
        for byte in bytes {
            if byte == 0x0D || byte == 0x0A {
                lineEnds += 1
            } else if byte < 0x20 && byte != 0x09 || byte == 0x7F {
                return false
            }
        }
        return lineEnds > 0 && bytes.count - lineEnds >= 3
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Where a pattern that begins with ESC next begins; nil when it is not there.
    fileprivate func firstIndex(of pattern: [UInt8], from start: Int) -> Int? {
        guard let base = baseAddress else { return nil }
        var position = start
        while position + pattern.count <= count {
            let length = count - position - pattern.count + 1
            guard let offset = UnsafeRawPointer(base + position).firstOffset(of: 0x1B, count: length) else {
                return nil
            }
            position += offset
            if self[position..<position + pattern.count].elementsEqual(pattern) { return position }
            position += 1
        }
        return nil
    }
}

/// A paste that is being read.
struct Paste: Sendable {
    /// What has come and is neither handed on nor dropped, ends included.
    var bytes: [UInt8] = []
    /// How far ends were looked for.
    var scanned = 0
    /// Where the last end begins.
    var end: Int?
    /// Whether the pause in it was told.
    var isStalled = false
    /// Whether what comes is dropped: the paste was given up, or is refused.
    var isDropped = false
    /// Whether it was longer than pastes may be.
    var isRefused = false
    /// How many bytes were dropped.
    var dropped = 0

    var count: Int { bytes.count + dropped }

    /// Looks for ends in what has come since the last look.
    mutating func scanForEnd(of marker: [UInt8]) {
        let found = bytes.withUnsafeBufferPointer { bytes in
            var last: Int?
            var position = scanned
            while let index = bytes.firstIndex(of: marker, from: position) {
                last = index
                position = index + 1
            }
            return last
        }
        end = found ?? end
        scanned = max(scanned, bytes.count - marker.count + 1)
    }
}
