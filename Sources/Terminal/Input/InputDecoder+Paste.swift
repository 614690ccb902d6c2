/// Bracketed paste: `ESC [ 200 ~` text `ESC [ 201 ~`.
///
/// Pasted bytes become text or are dropped; they are never keys:
///
/// - Only the end marker ends a paste, however long it pauses. After a pause the paste is reported as stalled, and
///   Ctrl-C abandons it. That Ctrl-C must be read alone, after the stall was reported; one among other bytes is text.
///   The text so far is emitted, and later bytes are dropped up to the end marker. A second Ctrl-C makes keys work
///   again without the marker.
/// - Pasted text can contain the end marker (tmux passes it on). So bytes that follow a marker without a pause belong
///   to the paste: the last marker of a burst counts, and the bytes after it are taken as text, without their control
///   keys. They are a key only if they are a single press of a control key or of Esc: over a slow line, Ctrl-S arrives
///   with the paste that was made before it.
/// - A paste longer than `Configuration.pasteLimit` is refused completely.
///
/// Two cases cannot be told apart. A forged end marker that is followed by a pause of `pasteEndTimeout`, at once or
/// after one control character, looks like a true one. Keys pressed within that time after the end look like pasted
/// text, and are inserted as text.
extension InputDecoder {
    private static let endMarker: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]
    private static let startMarker: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x30, 0x7E]
    private static let seam = endMarker + startMarker
    /// The most bytes that may follow the end of a dropped paste; more than one read from a terminal returns.
    private static let maximumRestLength = 65_536

    mutating func beginPaste() {
        begin(.paste)
        paste = Paste()
    }

    /// Adds all of `bytes` from `start` on to the paste, and returns the index at which to continue.
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

    /// Keeps only the bytes of a dropped paste that may begin its end marker, or that follow it.
    private mutating func dropPaste() {
        let kept = paste.end ?? max(0, paste.bytes.count - InputDecoder.endMarker.count + 1)
        paste.dropped += kept
        // Make a new array, since the old one would keep its memory.
        paste.bytes = Array(paste.bytes[kept...])
        paste.scanned = max(0, paste.scanned - kept)
        guard paste.end != nil else { return }
        paste.end = 0
        guard paste.bytes.count > InputDecoder.maximumRestLength else { return }
        // Nobody types this much without a pause, so the marker was not the end.
        paste.dropped += paste.bytes.count
        (paste.bytes, paste.scanned, paste.end) = ([], 0, nil)
    }

    /// Handles a pause in a paste: ends the paste if its end has been read, and reports it as stalled if not.
    mutating func pastePaused(_ events: inout [InputEvent]) {
        if paste.end != nil {
            endPaste(&events)
        } else if !paste.isStalled {
            paste.isStalled = true
            if !paste.isDropped || paste.isRefused { events.append(.pasteStatus(.stalled(bytes: paste.count))) }
        }
    }

    /// Handles a lone Ctrl-C: the first emits the text so far and drops the rest, the second ends the paste.
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

    /// Ends the paste: emits it, with the bytes that followed its end without a pause.
    private mutating func endPaste(_ events: inout [InputEvent]) {
        let (bytes, end) = (paste.bytes, paste.end ?? paste.bytes.count)
        let rest = Array(bytes[min(end + InputDecoder.endMarker.count, bytes.count)...])
        if paste.isDropped {
            endDroppedPaste(&events)
        } else {
            if paste.isStalled { events.append(.pasteStatus(.ended)) }
            emitPaste(bytes, upTo: end, &events)
        }
        // Release the memory of a large paste.
        paste = Paste()
        begin(.ground)
        if rest.starts(with: InputDecoder.startMarker) {
            // Two consecutive pastes stay two; the second one is under way.
            beginPaste()
            paste.bytes = Array(rest.dropFirst(InputDecoder.startMarker.count))
        } else if !rest.isEmpty {
            emitRest(rest, &events)
        }
    }

    /// Emits the text up to the end marker at `end`, split where one paste directly follows another.
    private func emitPaste(_ paste: [UInt8], upTo end: Int, _ events: inout [InputEvent]) {
        paste.withUnsafeBufferPointer { bytes in
            var start = 0
            while let seam = bytes.firstIndex(of: InputDecoder.seam, from: start), seam < end {
                events.append(.paste(InputDecoder.pasted(UnsafeBufferPointer(rebasing: bytes[start..<seam]))))
                start = seam + InputDecoder.seam.count
            }
            events.append(.paste(InputDecoder.pasted(UnsafeBufferPointer(rebasing: bytes[start..<end]))))
        }
    }

    /// Handles bytes that follow the last end marker of a paste without a pause.
    ///
    /// Their text is added to the paste, and terminal reports become events. Command keys are ignored, unless a single
    /// one is all that follows.
    private mutating func emitRest(_ rest: [UInt8], _ events: inout [InputEvent]) {
        var reader = InputDecoder(configuration: configuration)
        var found: [InputEvent] = []
        rest.withUnsafeBufferPointer { reader.run($0, &found) }
        reader.flushText(&found)
        if rest == [0x1B] {
            events.append(.key(KeyPress(.escape)))
            return
        }
        if found.count == 1, case .key(let press) = found[0], press.modifiers == .control, case .ground = reader.state {
            events += found
            return
        }
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

    /// The text that a key adds to a paste.
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

    /// Whether bytes are exactly one press of Ctrl-C, in any encoding that terminals use.
    private func isControlC(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // The longest encoding is a sequence with the key of another layout.
        guard bytes.count <= 32 else { return false }
        if bytes.count == 1 { return bytes[0] == 0x03 }
        var reader = InputDecoder(configuration: configuration)
        var found: [InputEvent] = []
        reader.run(bytes, &found)
        guard found.count == 1, case .key(let press) = found[0], case .ground = reader.state else { return false }
        return press.bindings.contains(KeyPress.Binding(.character("c"), .control))
    }

    /// Emits the text of an unfinished paste when the terminal is gone.
    mutating func emitUnfinishedPaste(_ events: inout [InputEvent]) {
        guard case .paste = state, !paste.isDropped, paste.count > 0 else { return }
        if paste.end == nil { paste.end = paste.bytes.count }
        endPaste(&events)
    }

    /// The text of a paste, with invalid UTF-8 repaired, and CR and CR LF turned into LF.
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

    /// Whether bytes look like an unmarked paste: three or more characters and a line end.
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
    /// The index of the next match of a pattern that begins with ESC; nil if there is none.
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

/// The state of a paste that is being read.
struct Paste: Sendable {
    /// The bytes that are neither emitted nor dropped, end markers included.
    var bytes: [UInt8] = []
    /// The index up to which end markers were searched for.
    var scanned = 0
    /// The index of the last end marker.
    var end: Int?
    /// Whether the paste has paused; a pause is reported unless the paste was abandoned.
    var isStalled = false
    /// Whether new bytes are dropped: the paste was abandoned or refused.
    var isDropped = false
    /// Whether the paste was longer than the limit.
    var isRefused = false
    /// The number of dropped bytes.
    var dropped = 0

    var count: Int { bytes.count + dropped }

    /// Searches the new bytes for end markers.
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
