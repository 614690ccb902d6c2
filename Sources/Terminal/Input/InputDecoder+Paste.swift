#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Bracketed paste: `ESC [ 200 ~` text `ESC [ 201 ~`.
///
/// Pasted text can hold the end's bytes (tmux passes them on), and what follows them would be read as keys. So the
/// last end of a burst counts, and what is between is text.
extension InputDecoder {
    private static let endMarker: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]
    private static let startMarker: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x30, 0x7E]
    private static let seam = endMarker + startMarker
    /// Bytes after an end that are kept back in case another end follows; more than a read of a terminal gives.
    private static let longestRest = 65_536

    mutating func beginPaste() {
        state = .paste
        paste.removeAll(keepingCapacity: true)
        pasteScanned = 0
        pasteEnd = nil
    }

    /// Takes all of `bytes` from `start` on; returns where reading goes on.
    mutating func readPaste(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ events: inout [InputEvent]
    ) -> Int {
        paste += bytes[start...]
        scanForEnd()
        if let end = pasteEnd, paste.count - end > InputDecoder.longestRest {
            endPaste(&events)
        } else if pasteEnd == nil, paste.count > configuration.pasteLimit {
            handOnPart(&events)
        }
        return bytes.count
    }

    /// Looks for ends in what has come since the last look.
    private mutating func scanForEnd() {
        let found = paste.withUnsafeBufferPointer { bytes in
            var last: Int?
            var position = pasteScanned
            while let place = bytes.firstPlace(of: InputDecoder.endMarker, from: position) {
                last = place
                position = place + 1
            }
            return last
        }
        pasteEnd = found ?? pasteEnd
        pasteScanned = max(pasteScanned, paste.count - InputDecoder.endMarker.count + 1)
    }

    /// The paste is over: hands it on, then reads as input what came after its end.
    mutating func endPaste(_ events: inout [InputEvent]) {
        let end = pasteEnd ?? paste.count
        let rest = Array(paste[min(end + 6, paste.count)...])
        paste.withUnsafeBufferPointer { bytes in
            var start = 0
            // Two pastes one after the other are two.
            while let seam = bytes.firstPlace(of: InputDecoder.seam, from: start), seam < end {
                events.append(.paste(InputDecoder.pasted(UnsafeBufferPointer(rebasing: bytes[start..<seam]))))
                start = seam + InputDecoder.seam.count
            }
            events.append(.paste(InputDecoder.pasted(UnsafeBufferPointer(rebasing: bytes[start..<end]))))
        }
        // A large paste's memory is given back.
        paste = []
        pasteEnd = nil
        state = .ground
        rest.withUnsafeBufferPointer { run($0, &events) }
    }

    private mutating func handOnPart(_ events: inout [InputEvent]) {
        let kept = Array(paste.suffix(5))
        events.append(.paste(paste.dropLast(5).withUnsafeBufferPointer(InputDecoder.pasted)))
        paste = kept
        pasteScanned = 0
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
    fileprivate func firstPlace(of pattern: [UInt8], from start: Int) -> Int? {
        guard let base = baseAddress else { return nil }
        var position = start
        while position + pattern.count <= count {
            guard let found = memchr(base + position, 0x1B, count - position - pattern.count + 1) else { return nil }
            position = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - base
            if self[position..<position + pattern.count].elementsEqual(pattern) { return position }
            position += 1
        }
        return nil
    }
}
