/// Turns a terminal's bytes into events: a pure state machine over bytes and time.
///
/// A sequence may be cut at any byte. A malformed sequence is dropped up to the byte that broke it, and decoding
/// continues there. Typed text is never dropped. Memory is bounded: 256 bytes for a control sequence, 4 KiB for a
/// reply, `Configuration.pasteLimit` for a paste (a longer one is refused).
///
///     ground ─ ESC ─► escape ─┬ [ ─► control sequence    ├ ] ─► OSC ─┐
///                             ├ O ─► SS3                 ├ P ─► DCS ─┼─ ESC or BEL ─► ground
///                             └ x ─► Alt-x               └ _ ─► APC ─┘
///
/// The caller passes the bytes it has read to `decode`, and calls `expire` when `deadline` has passed: a lone ESC is
/// known to be a key only by the pause after it.
public struct InputDecoder: Sendable {
    public struct Configuration: Sendable {
        /// The longest time from ESC to the rest of a key.
        ///
        /// 25 ms is more than a local line needs; 50 ms suits SSH. Under the kitty keyboard protocol no key sends a
        /// bare ESC, and `sequenceTimeout` applies instead.
        public var escapeTimeout: Duration = .milliseconds(25)
        /// The longest pause within a sequence that is clearly not a typed key: a slow line's gap between packets.
        public var sequenceTimeout: Duration = .milliseconds(500)
        /// The longest time for the rest of a character.
        ///
        /// Its bytes were sent together, and nothing else is delayed.
        public var characterTimeout: Duration = .milliseconds(100)
        /// The time after `sequenceTimeout` during which the rest of a sequence is still recognised, and not typed.
        public var stallTimeout: Duration = .seconds(5)
        /// The pause after which a paste without an end is reported as stalled; it continues all the same.
        public var pasteStallTimeout: Duration = .seconds(1)
        /// The time for which bytes after the end marker still belong to the paste: pasted text may contain the marker.
        public var pasteEndTimeout: Duration = .milliseconds(30)
        /// The same time once bytes have followed the end marker: it was probably not the end, and a slow line may
        /// pause.
        public var pasteRestTimeout: Duration = .milliseconds(250)
        /// The longest paste in bytes; a longer one is refused completely.
        public var pasteLimit = 64 << 20
        /// Whether the Backspace key sends 0x08 (the terminal's erase character), so that 0x7F is Ctrl-Backspace.
        public var backspaceIsControlH = false
        /// Whether text with line ends that arrives at once is a paste, for terminals without bracketed paste.
        public var burstIsPaste = false
        /// Whether the kitty keyboard protocol is on.
        public var hasKeyboardProtocol = false
        /// Whether replies from the terminal are expected, so that an ESC more likely begins a reply than is a key.
        public var awaitsReplies = false
        /// The longest reply with the terminal's clipboard, in bytes of base64; 0 if none is awaited, which limits it
        /// like any other reply.
        public var clipboardLimit = 0
        /// Whether key releases are reported.
        public var reportsReleases = false

        public init() {}
    }

    public var configuration: Configuration

    /// The time at which `expire` must be called unless bytes come first; nil if nothing is incomplete.
    public internal(set) var deadline: Timestamp?

    enum State: Sendable {
        case ground
        /// ESC was read; `isAlt` when it was the second one.
        case escape
        case controlSequence
        /// A sequence that grew too long: its bytes are dropped up to the final one.
        case controlSequenceIgnored
        /// `ESC [ [`: a function key of the Linux console.
        case linuxFunction
        /// `ESC [ M`: three bytes of X10's mouse report follow.
        case x10Mouse
        case ss3
        case string(StringKind)
        case stringEscape(StringKind)
        /// The same after a pause: only the end of the string is accepted.
        case lateStringEscape(StringKind)
        /// A string that grew too long: its bytes are dropped up to its end.
        case stringIgnored
        case utf8
        case paste
    }

    enum StringKind: Sendable {
        case osc, dcs, apc
    }

    var state = State.ground
    /// Whether another ESC came before the sequence being read.
    var isAlt = false
    /// The bytes of the sequence being read, after its introducer.
    var collected: [UInt8] = []
    /// The number of those bytes that came before the sequence paused, nil before a pause; see
    /// `InputDecoder+Stalls.swift`.
    var stalledAt: Int?
    /// Whether a lone ESC came although the keyboard protocol is on, which sends none.
    var hasSeenBareEscape = false

    /// The scalars of a cluster that may continue; see `InputDecoder+Text.swift`.
    var cluster = ""
    var recognizer = Unicode._CharacterRecognizer()
    var clusterLength = 0
    var lastScalar: Unicode.Scalar = " "
    var partialScalar = PartialScalar()

    /// The paste that is being read; see `InputDecoder+Paste.swift`.
    var paste = Paste()

    static let maximumSequenceLength = 256
    static let maximumStringLength = 4096

    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        collected.reserveCapacity(InputDecoder.maximumSequenceLength)
    }

    /// Decodes the bytes read at `now` and appends the events.
    public mutating func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, at now: Timestamp, into events: inout [InputEvent]
    ) {
        if configuration.burstIsPaste, isBurst(bytes) {
            events.append(.paste(InputDecoder.pasted(bytes)))
            return
        }
        run(bytes, &events)
        flushSettledText(&events)
        setDeadline(now)
    }

    /// Decodes the bytes of a part of an array, without a copy.
    mutating func decode(_ bytes: ArraySlice<UInt8>, at now: Timestamp, into events: inout [InputEvent]) {
        bytes.withUnsafeBufferPointer { decode($0, at: now, into: &events) }
    }

    /// Decodes a copy of the bytes, for callers that have no buffer.
    public mutating func decode(_ bytes: some Sequence<UInt8>, at now: Timestamp, into events: inout [InputEvent]) {
        ContiguousArray(bytes).withUnsafeBufferPointer { decode($0, at: now, into: &events) }
    }

    /// Ends what is incomplete if the deadline has passed: a lone ESC becomes the Escape key, half a sequence is
    /// dropped.
    public mutating func expire(at now: Timestamp, into events: inout [InputEvent]) {
        guard let deadline, deadline <= now else { return }
        switch state {
        case .ground: flushText(&events)
        case .utf8:
            state = .ground
            isAlt = false
            partialScalar = PartialScalar()
            take("\u{FFFD}", &events)
            flushText(&events)
        case .escape:
            state = .ground
            if configuration.hasKeyboardProtocol { hasSeenBareEscape = true }
            emit(.escape, [], &events)
        case .paste: pastePaused(&events)
        default: if !stall() { abandon(&events) }
        }
        // The bytes after a paste's end are decoded only now, and may contain an incomplete sequence.
        self.deadline = nil
        flushSettledText(&events)
        setDeadline(now)
    }

    private mutating func setDeadline(_ now: Timestamp) {
        switch state {
        case .ground: deadline = cluster.isEmpty ? nil : now + configuration.escapeTimeout
        case .escape, .controlSequence, .ss3, .string, .stringEscape, .lateStringEscape:
            deadline = now + sequencePatience
        case .utf8: deadline = now + configuration.characterTimeout
        case .paste:
            if let end = paste.end {
                let isLast = paste.bytes.count == end + 6
                deadline = now + (isLast ? configuration.pasteEndTimeout : configuration.pasteRestTimeout)
            } else {
                deadline = paste.isStalled ? nil : now + configuration.pasteStallTimeout
            }
        default: deadline = now + configuration.sequenceTimeout
        }
    }

    /// The longest pause allowed in the incomplete sequence.
    private var sequencePatience: Duration {
        if let stalledAt {
            return collected.count > stalledAt ? configuration.sequenceTimeout : configuration.stallTimeout
        }
        if !collected.isEmpty || configuration.awaitsReplies { return configuration.sequenceTimeout }
        if case .escape = state, configuration.hasKeyboardProtocol { return configuration.sequenceTimeout }
        return configuration.escapeTimeout
    }

    /// Whether no sequence or cluster is incomplete.
    var isAtRest: Bool {
        if case .ground = state { return cluster.isEmpty && !isAlt }
        return false
    }

    /// The number of bytes held for an incomplete sequence or cluster, without pastes.
    var heldBytes: Int { collected.count + cluster.utf8.count }

    // MARK: - State machine

    mutating func run(_ bytes: UnsafeBufferPointer<UInt8>, _ events: inout [InputEvent]) {
        var index = 0
        while index < bytes.count {
            switch state {
            case .ground: index = readGround(bytes, index, &events)
            case .paste: index = readPaste(bytes, index, &events)
            default:
                // A state that refuses a byte changes to another state. In the end that is ground, which refuses no
                // byte.
                if takes(bytes[index], &events), step(bytes[index], &events) { index += 1 }
                if stalledAt != nil { endStall() }
            }
        }
    }

    /// Reads text and control characters up to a byte that begins something else.
    private mutating func readGround(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ events: inout [InputEvent]
    ) -> Int {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte >= 0x80 {
                state = .utf8
                return index
            }
            index += 1
            if byte == 0x1B {
                flushText(&events)
                begin(.escape)
                isAlt = false
                return index
            }
            if byte < 0x20 || byte == 0x7F {
                flushText(&events)
                events.append(.key(controlKey(byte, [])))
            } else if index < bytes.count, bytes[index] >= 0x80 {
                take(Unicode.Scalar(byte), &events)
            } else {
                if !cluster.isEmpty { flushText(&events) }
                events.append(.key(KeyPress(typed: Character(Unicode.Scalar(byte)))))
            }
        }
        return index
    }

    mutating func begin(_ next: State) {
        state = next
        stalledAt = nil
        collected.removeAll(keepingCapacity: true)
    }

    /// Processes one byte in a state other than ground and paste; false if it must be processed again in the new state.
    private mutating func step(_ byte: UInt8, _ events: inout [InputEvent]) -> Bool {
        switch state {
        case .ground, .paste: return false
        case .escape: return stepEscape(byte, &events)
        case .controlSequence: return stepControlSequence(byte, &events)
        case .controlSequenceIgnored:
            if byte < 0x20 || byte > 0x7E { return leave(for: byte) }
            if byte >= 0x40 {
                state = .ground
                isAlt = false
            }
            return true
        case .linuxFunction:
            state = .ground
            guard (0x41...0x45).contains(byte) else { return leave(for: byte) }
            emit(.function(Int(byte) - 0x40), [], &events)
            return true
        case .x10Mouse: return stepX10Mouse(byte, &events)
        case .ss3: return stepSS3(byte, &events)
        case .string(let kind): return stepString(byte, kind, &events)
        case .stringEscape(let kind), .lateStringEscape(let kind):
            if byte == UInt8(ascii: "\\") {
                state = .ground
                finishString(kind, &events)
                return true
            }
            begin(.escape)
            isAlt = false
            return false
        case .stringIgnored:
            if byte == 0x07 { state = .ground } else if byte < 0x20 { return leave(for: byte) }
            return true
        case .utf8: return stepUTF8(byte, &events)
        }
    }

    /// Leaves a sequence that is broken off by `byte`.
    ///
    /// CAN and SUB only end it, ESC begins another, and any other byte is processed again.
    mutating func leave(for byte: UInt8) -> Bool {
        isAlt = false
        if byte == 0x1B {
            begin(.escape)
            return true
        }
        state = .ground
        return byte == 0x18 || byte == 0x1A
    }

    private mutating func stepEscape(_ byte: UInt8, _ events: inout [InputEvent]) -> Bool {
        switch byte {
        case UInt8(ascii: "["): begin(.controlSequence)
        case UInt8(ascii: "O"): begin(.ss3)
        case UInt8(ascii: "]"): beginString(.osc, &events)
        case UInt8(ascii: "P"): beginString(.dcs, &events)
        case UInt8(ascii: "_"): beginString(.apc, &events)
        case 0x1B:
            if isAlt { events.append(.key(KeyPress(.escape, .alt))) }
            isAlt.toggle()
        case 0x80...:
            state = .utf8
            partialScalar.isAlt = true
            return false
        default:
            state = .ground
            if isAlt { events.append(.key(KeyPress(.escape))) }
            isAlt = false
            if byte < 0x20 || byte == 0x7F {
                events.append(.key(controlKey(byte, .alt)))
            } else {
                events.append(.key(KeyPress(.character(Character(Unicode.Scalar(byte))), .alt)))
            }
        }
        return true
    }

    /// Starts a string; if ESC ESC came before it, the first ESC was the Escape key.
    private mutating func beginString(_ kind: StringKind, _ events: inout [InputEvent]) {
        if isAlt { events.append(.key(KeyPress(.escape))) }
        isAlt = false
        begin(.string(kind))
    }

    // MARK: - Keys

    /// Emits a key, with Alt if another ESC came before its sequence.
    mutating func emit(_ key: Key, _ modifiers: Modifiers, _ events: inout [InputEvent]) {
        events.append(.key(KeyPress(key, isAlt ? modifiers.union(.alt) : modifiers)))
        isAlt = false
    }

    private func controlKey(_ byte: UInt8, _ modifiers: Modifiers) -> KeyPress {
        let control = modifiers.union(.control)
        switch byte {
        case 0x00: return KeyPress(.character(" "), control)
        case 0x09: return KeyPress(.tab, modifiers)
        case 0x0D: return KeyPress(.enter, modifiers)
        case 0x08: return KeyPress(.backspace, configuration.backspaceIsControlH ? modifiers : control)
        case 0x7F: return KeyPress(.backspace, configuration.backspaceIsControlH ? control : modifiers)
        case 0x01...0x1A: return KeyPress(.character(Character(Unicode.Scalar(byte + 0x60))), control)
        default: return KeyPress(.character(Character(Unicode.Scalar(byte + 0x40))), control)
        }
    }
}
