/// The terminal that the program has: raw mode, screen, modes, size, output that never blocks.
///
/// Whatever `enter()` changed is undone by `leave()`, on every way out; `CrashGuard` does it where Swift code cannot.
/// What is sent goes into a queue that is written as the line takes it; `isLineFree` says when a frame may be sent.
@MainActor
public final class TerminalDevice {
    public internal(set) var capabilities: Capabilities {
        didSet { if capabilities.widthModel != oldValue.widthModel { WidthModel.current = capabilities.widthModel } }
    }
    public private(set) var size: Size
    public private(set) var options: TerminalOptions

    let line: TerminalLine
    /// Grows by one whenever the screen was handed to somebody else: what was on it is not there any more.
    private(set) var generation = 0
    private(set) var isEntered = false
    /// Whether the line has failed for good.
    private(set) var isLost = false
    /// How often the keyboard's flags were set since the terminal last said that they are.
    private var keyboardAttempts = 0
    /// Bytes that the line has not taken yet, from `sent` on.
    private var queue: [UInt8] = []
    private var sent = 0

    var modes = TerminalModes()
    var probe: Probe
    private var savedAttributes: TerminalAttributes?
    private var enteredAt = Timestamp(nanoseconds: 0)
    /// From the first question to the end of the answers.
    private var answerTime: Duration?
    private var errorRedirection: ErrorRedirection?
    private var title: String?
    /// Whether the terminal itself draws ambiguous characters wide, as far as it was measured.
    private var measuredIsWide = false

    /// Opens the terminal and changes nothing yet.
    public init(options: TerminalOptions) throws(TerminalError) {
        var capabilities = Capabilities(environment: options.environment)
        line = try TerminalLine(path: options.path)
        guard capabilities.isUsable else { throw .dumbTerminal(capabilities.term) }
        if let depth = options.colorDepth { capabilities.colorDepth = depth }
        if options.ambiguousIsWide == true { capabilities.widthModel.insert(.ambiguousIsWide) }
        capabilities.isLowBandwidth = options.isLowBandwidth
        self.options = options
        self.capabilities = capabilities
        probe = Probe(capabilities, environment: options.environment, asks: options.probes)
        size = line.size ?? TerminalDevice.environmentSize(options.environment)
        modes.mouse = options.mouse && capabilities.hasMouse
        modes.reports = capabilities.hasMouse
        modes.cursorShapes = capabilities.hasCursorShapes
        WidthModel.current = capabilities.widthModel
    }

    private static func environmentSize(_ environment: [String: String]) -> Size {
        guard let columns = Int(environment["COLUMNS"] ?? ""), let rows = Int(environment["LINES"] ?? ""), columns > 0,
            rows > 0
        else { return .fallback }
        return Size(columns: columns, rows: rows).drawable
    }

    /// Reads the size again; true when it is another.
    func refreshSize() -> Bool {
        guard let current = line.size, current != size else { return false }
        size = current
        return true
    }

    // MARK: - In and out

    /// Takes the terminal: raw mode, alternate screen, modes; asks what it can do, without waiting for the answers.
    public func enter() throws(TerminalError) {
        guard !isEntered else { return }
        guard let attributes = line.attributes else {
            isLost = true
            throw .noTerminal
        }
        savedAttributes = attributes
        line.set(attributes.raw)
        isEntered = true
        enteredAt = .now
        generation += 1
        armCrashGuard()
        errorRedirection = options.errorLog.flatMap { ErrorRedirection(to: $0) }
        send(modes.enter + titleBytes)
        if probe.isOutstanding { send(probe.questions) } else { checkKeyboard() }
    }

    /// Gives the terminal back as it was found: modes, screen, attributes, and no answer of ours left in its input.
    public func leave() {
        guard isEntered else { return }
        isEntered = false
        if !isLost {
            queue.append(contentsOf: modes.leave)
            if capabilities.isProbed { queue.append(contentsOf: TerminalModes.attributesQuestion) }
            drain(milliseconds: 1000)
            // Of a terminal that has not answered yet the last answer is still to come, if it is not mute.
            let isAnswering = capabilities.isProbed || probe.isOutstanding && Timestamp.now < enteredAt + .seconds(2)
            if isAnswering { awaitFence(milliseconds: fenceTime) }
        }
        queue.removeAll()
        sent = 0
        if let savedAttributes { line.set(savedAttributes) }
        CrashGuard.disarm()
        errorRedirection?.end()
        errorRedirection = nil
    }

    /// Stops the program as Ctrl-Z does and returns when it goes on, with the terminal taken again.
    ///
    /// The whole process group stops, so that a program that started us stops as well. Where nobody could wake us (a
    /// session leader) the kernel drops the signal, and this returns at once.
    public func suspend() {
        let wasEntered = isEntered
        leave()
        SignalPipe.stopProcessGroup()
        if wasEntered { reenter() }
    }

    /// Lends the terminal to another program while `body` runs.
    public func withTerminalReleased<Result>(_ body: () throws -> Result) rethrows -> Result {
        let wasEntered = isEntered
        leave()
        let released = SignalPipe.releaseToChild()
        defer {
            SignalPipe.takeBack(released)
            if wasEntered {
                // Whatever the program left behind is not what we are to leave behind.
                if let savedAttributes { line.set(savedAttributes) }
                line.discardInput()
                reenter()
            }
        }
        return try body()
    }

    /// After a stop that was not ours: everything is set again, from whatever state the terminal is in.
    func takeAgain() {
        guard isEntered, let savedAttributes else { return }
        line.set(savedAttributes.raw)
        generation += 1
        _ = refreshSize()
        send(modes.leave + modes.enter + titleBytes)
        checkKeyboard()
    }

    /// What sets the modes again, in a terminal that another program may have reset, and asks for the keyboard's.
    var modesAgain: [UInt8] {
        modes.again + (modes.keyboardProtocol ? Array(TerminalModes.keyboardQuestion.utf8) : [])
    }

    func reenter() {
        // Whoever emptied the pipe meanwhile may have read a wake-up of the mailbox.
        SignalPipe.wake()
        _ = refreshSize()
        do { try enter() } catch { isLost = true }
    }

    /// How long the terminal's last answer is waited for, in milliseconds.
    ///
    /// A second, and longer on a line on which the first one took longer: an answer that comes after us is typed at
    /// the shell.
    private var fenceTime: Int32 {
        let usual = (answerTime ?? .zero).wholeNanoseconds / 1_000_000 * 3 / 2
        return Int32(min(max(usual, 1000), 5000))
    }

    private func armCrashGuard() {
        guard let savedAttributes else { return }
        CrashGuard.arm(
            descriptor: line.descriptor.rawValue, attributes: savedAttributes.forHandlers, restoring: modes.leave)
    }

    /// Reads away what the terminal still sends, up to its answer to the question asked last.
    private func awaitFence(milliseconds: Int32) {
        let end = Timestamp.now + .milliseconds(Int64(milliseconds))
        var decoder = InputDecoder()
        var events: [InputEvent] = []
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            while true {
                let left = end.since(.now).wholeNanoseconds / 1_000_000
                guard left > 0, line.wait(for: .input, milliseconds: Int32(left)) else { return }
                guard case .bytes(let count) = line.read(into: buffer) else { return }
                decoder.decode(buffer[..<count], at: .now, into: &events)
                if events.contains(where: { if case .reply(.attributes) = $0 { true } else { false } }) { return }
                events.removeAll()
            }
        }
    }

    // MARK: - Output

    /// Whether all that was sent has been taken.
    var isLineFree: Bool { sent == queue.count }

    /// Queues bytes and writes what the line takes now.
    func send(_ bytes: some Collection<UInt8>) {
        queue.append(contentsOf: bytes)
        flush()
    }

    /// Writes what the line takes, and returns at once.
    func flush() {
        while sent < queue.count, !isLost {
            switch queue.withUnsafeBytes({ line.write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }) {
            case .bytes(let count): sent += count
            case .wouldBlock: return
            case .lost: isLost = true
            }
        }
        queue.removeAll(keepingCapacity: true)
        sent = 0
    }

    private func drain(milliseconds: Int32) {
        flush()
        while !isLineFree, !isLost, line.wait(for: .output, milliseconds: milliseconds) { flush() }
    }

    func declareLost() { isLost = true }

    // MARK: - Answers

    /// Takes in an answer; what it makes possible is switched on.
    func receive(_ reply: TerminalReply) {
        let before = capabilities
        if case .attributes = reply, answerTime == nil { answerTime = Timestamp.now.since(enteredAt) }
        probe.receive(reply, &capabilities)
        if let depth = options.colorDepth { capabilities.colorDepth = depth }
        if capabilities.widthModel != before.widthModel {
            measuredIsWide = capabilities.widthModel.contains(.ambiguousIsWide)
        }
        setAmbiguousWidth()
        var wanted = modes
        if case .keyboard(let flags) = reply {
            if modes.keyboardProtocol {
                confirmKeyboard(flags)
            } else {
                capabilities.hasKeyboardProtocol = true
                wanted.keyboardProtocol = true
            }
        }
        if case .version(let version) = reply, ["XTerm", "mintty"].contains(where: version.hasPrefix) {
            wanted.modifyOtherKeys = !capabilities.hasKeyboardProtocol
        }
        if case .mode(2027, state: 2) = reply { wanted.graphemeClusters = true }
        if capabilities.hasInBandResize, !before.hasInBandResize { wanted.inBandResize = true }
        wanted.sideMargins = capabilities.hasSideMargins
        change(to: wanted)
    }

    private func setAmbiguousWidth() {
        let isWide = options.ambiguousIsWide ?? measuredIsWide
        if isWide != capabilities.widthModel.contains(.ambiguousIsWide) {
            capabilities.widthModel.formSymmetricDifference(.ambiguousIsWide)
        }
    }

    /// Takes over what of the options can change while the terminal is in use: the width of ambiguous characters, and
    /// whether the line is slow.
    func take(_ changed: TerminalOptions) {
        options.ambiguousIsWide = changed.ambiguousIsWide
        options.isLowBandwidth = changed.isLowBandwidth
        capabilities.isLowBandwidth = changed.isLowBandwidth
        setAmbiguousWidth()
    }

    // MARK: - Keyboard

    /// Asks whether the keyboard's flags are as they were set; they are put right by the answer.
    func checkKeyboard() {
        guard modes.keyboardProtocol, isEntered else { return }
        send(Array(TerminalModes.keyboardQuestion.utf8))
    }

    /// Another program, or a reset, may have taken the flags away: they are set again, and asked for again.
    ///
    /// A terminal that does not keep them after all is treated as one without: there a lone ESC is a key.
    private func confirmKeyboard(_ flags: Int) {
        if flags & 1 != 0 {
            keyboardAttempts = 0
            capabilities.hasKeyboardProtocol = true
        } else if keyboardAttempts < 2 {
            keyboardAttempts += 1
            send(Array(TerminalModes.setKeyboard.utf8))
            checkKeyboard()
        } else {
            capabilities.hasKeyboardProtocol = false
        }
    }

    /// Whether answers to the questions of the start may still come; a mute terminal is not waited for long.
    func awaitsReplies(at now: Timestamp) -> Bool {
        probe.isOutstanding && now < enteredAt + .seconds(3)
    }

    /// The terminal's theme changed or was reported: its reports are switched on, its background is asked again.
    func receive(_ scheme: ColorScheme) {
        capabilities.colorScheme = scheme
        var wanted = modes
        wanted.colorSchemeReports = true
        change(to: wanted)
        if capabilities.isProbed { send(Array("\u{1B}]11;?\u{1B}\\".utf8)) }
    }

    func receive(size reported: Size) {
        size = reported
    }

    /// Switches on what `wanted` has more than the modes in force; the crash guard knows of it first.
    private func change(to wanted: TerminalModes) {
        let (old, hadMargins) = (modes.negotiated, modes.sideMargins)
        modes = wanted
        let new = modes.negotiated
        guard isEntered, new != old || wanted.sideMargins != hadMargins else { return }
        armCrashGuard()
        guard new != old else { return }
        // The keyboard's stack must not grow: what is on already is not sent again.
        var added = wanted
        added.keyboardProtocol = wanted.keyboardProtocol && !old.starts(with: Array(TerminalModes.pushKeyboard.utf8))
        send(added.negotiated)
        if added.keyboardProtocol { checkKeyboard() }
    }

    // MARK: - Title

    /// Sets the window's title; what it was comes back when the terminal is left.
    public func setTitle(_ title: String) {
        guard !capabilities.isPlain, title != self.title else { return }
        if isEntered, !modes.title {
            modes.title = true
            armCrashGuard()
            send(Array(TerminalModes.pushTitle.utf8))
        }
        modes.title = true
        self.title = title
        if isEntered { send(TerminalDevice.titleBytes(title)) }
    }

    private var titleBytes: [UInt8] { title.map(TerminalDevice.titleBytes) ?? [] }

    /// Control characters out, at most 256 bytes: a title can end no sequence and no terminal's patience.
    static func titleBytes(_ title: String) -> [UInt8] {
        var text = ""
        for character in Sanitizer.visible(title) {
            if text.utf8.count + character.utf8.count > 256 { break }
            text.append(character)
        }
        return Array("\u{1B}]2;\(text)\u{1B}\\".utf8)
    }
}
