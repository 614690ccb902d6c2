/// The program's terminal: raw mode, screen, modes, size, and output that never blocks.
///
/// `leave()` undoes all changes of `enter()`, however the program ends; `CrashGuard` does so where Swift code cannot
/// run. Sent bytes go into a queue that is written as fast as the line takes it. `isLineFree` says when a frame may be
/// sent.
@MainActor
public final class TerminalDevice {
    public internal(set) var capabilities: Capabilities {
        didSet { if capabilities.widthModel != oldValue.widthModel { WidthModel.current = capabilities.widthModel } }
    }
    public private(set) var size: Size
    public private(set) var options: TerminalOptions

    let line: TerminalLine
    /// Increases by one whenever the screen's content is lost, for example because another program used it.
    private(set) var generation = 0
    private(set) var isEntered = false
    /// Whether the line has failed for good.
    private(set) var isLost = false
    /// The number of times that the keyboard flags were set since the terminal last confirmed them.
    private var keyboardAttempts = 0
    /// The bytes to write to the line; those before `sent` are written already.
    private var queue: [UInt8] = []
    private var sent = 0

    var modes = TerminalModes()
    var probe: Probe
    private var savedAttributes: TerminalAttributes?
    private var enteredAt = Timestamp(nanoseconds: 0)
    /// The time from the first query to the reply that ends the probe.
    private var answerTime: Duration?
    private var errorRedirection: ErrorRedirection?
    private var title: String?
    /// Whether the terminal itself was measured to draw ambiguous characters wide.
    private var measuredIsWide = false

    /// Opens the terminal without changing anything yet.
    public init(options: TerminalOptions) throws(TerminalError) {
        var capabilities = Capabilities(environment: options.environment)
        line = try TerminalLine(path: options.path)
        guard capabilities.isUsable else { throw .dumbTerminal(capabilities.term) }
        if let depth = options.colorDepth { capabilities.colorDepth = depth }
        if options.ambiguousIsWide == true { capabilities.widthModel.insert(.ambiguousIsWide) }
        if capabilities.spellsControls(options) { capabilities.widthModel.insert(.spellsControls) }
        capabilities.isLowBandwidth = options.isLowBandwidth
        self.options = options
        self.capabilities = capabilities
        probe = Probe(capabilities, environment: options.environment, isQuerying: options.probes)
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

    /// Reads the size again; true if it has changed.
    func refreshSize() -> Bool {
        guard let current = line.size, current != size else { return false }
        size = current
        return true
    }

    // MARK: - Entering and leaving

    /// Takes the terminal: sets raw mode, alternate screen and modes, and queries its capabilities without waiting.
    ///
    /// In the background the program stops first. If a signal continues it only to end it, the terminal is left alone.
    public func enter() throws(TerminalError) {
        guard !isEntered else { return }
        if line.descriptor.isInBackground {
            // Setting the terminal would stop it too, but again and again, so that no signal could end it.
            SignalPipe.stopInBackground()
            if line.descriptor.isInBackground, SignalPipe.awaitEndingSignal(milliseconds: 1000) { return }
        }
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
        if probe.isOutstanding { send(probe.queries) } else { checkKeyboard() }
    }

    /// Restores the terminal's modes, screen and attributes, and waits so that no reply meant for the program stays in
    /// its input.
    public func leave() {
        guard isEntered else { return }
        isEntered = false
        if !isLost {
            queue.append(contentsOf: modes.leave)
            if capabilities.isProbed { queue.append(contentsOf: TerminalModes.attributesQuery) }
            drain(milliseconds: 1000)
            // Keep waiting for the last reply, unless this terminal never replies.
            let isAnswering = capabilities.isProbed || probe.isOutstanding && Timestamp.now < enteredAt + .seconds(2)
            if isAnswering { awaitLastReply(milliseconds: lastReplyTimeout) }
        }
        queue.removeAll()
        sent = 0
        if let savedAttributes { line.set(savedAttributes) }
        CrashGuard.disarm()
        errorRedirection?.end()
        errorRedirection = nil
    }

    /// Stops the program as Ctrl-Z does; returns when it continues, with the terminal taken again.
    ///
    /// The whole process group stops, so that a program that started this one stops as well. If no process could
    /// continue the group (its leader leads the session), the kernel drops the signal, and this returns at once.
    ///
    /// If a signal continues the program only to end it, the terminal is the shell's and is left alone: the kernel would
    /// stop the program for changing it, again and again.
    public func suspend() {
        let wasEntered = isEntered
        leave()
        SignalPipe.stopProcessGroup()
        let isEnding = line.descriptor.isInBackground && SignalPipe.awaitEndingSignal(milliseconds: 1000)
        if wasEntered, !isEnding { reenter() }
    }

    /// Lends the terminal to another program while `body` runs.
    public func withTerminalReleased<Result>(_ body: () throws -> Result) rethrows -> Result {
        let wasEntered = isEntered
        leave()
        let released = SignalPipe.releaseToChild()
        defer {
            SignalPipe.reclaim(released)
            if wasEntered {
                // Restore our own settings: the other program may have left others behind.
                if let savedAttributes { line.set(savedAttributes) }
                line.discardInput()
                reenter()
            }
        }
        return try body()
    }

    /// Sets everything again after a stop that this program did not cause, whatever state the terminal is in.
    func takeAgain() {
        guard isEntered, let savedAttributes else { return }
        line.set(savedAttributes.raw)
        generation += 1
        _ = refreshSize()
        send(modes.leave + modes.enter + titleBytes)
        checkKeyboard()
    }

    /// The bytes that set the modes again after another program may have reset them, and ask for the keyboard flags.
    var modesAgain: [UInt8] {
        modes.again + (modes.keyboardProtocol ? Array(TerminalModes.keyboardQuery.utf8) : [])
    }

    func reenter() {
        // Emptying the pipe meanwhile may have removed a wake-up of the mailbox.
        SignalPipe.wake()
        _ = refreshSize()
        do { try enter() } catch { isLost = true }
    }

    /// The time to wait for the terminal's last reply, in milliseconds.
    ///
    /// It is one second, or longer if the first reply took longer: a reply that arrives after the program has ended
    /// appears as typed text in the shell.
    private var lastReplyTimeout: Int32 {
        let usual = (answerTime ?? .zero).wholeNanoseconds / 1_000_000 * 3 / 2
        return Int32(min(max(usual, 1000), 5000))
    }

    private func armCrashGuard() {
        guard let savedAttributes else { return }
        CrashGuard.arm(
            descriptor: line.descriptor.rawValue, attributes: savedAttributes.forHandlers, restoring: modes.leave)
    }

    /// Reads and drops input up to the reply to the last query.
    private func awaitLastReply(milliseconds: Int32) {
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

    /// Whether the line has taken all sent bytes.
    var isLineFree: Bool { sent == queue.count }

    /// Queues bytes, then writes as many as the line takes now.
    func send(_ bytes: some Collection<UInt8>) {
        queue.append(contentsOf: bytes)
        flush()
    }

    /// Writes as many queued bytes as the line takes, and returns at once.
    func flush() {
        while sent < queue.count, !isLost {
            switch line.write(queue, from: sent) {
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

    // MARK: - Pictures

    /// Records the pictures that the terminal holds, so that they are deleted however the program ends.
    func take(pictures: [UInt32]) {
        guard pictures != modes.pictures else { return }
        modes.passesPictures = capabilities.passesPictures
        modes.pictures = pictures
        if isEntered { armCrashGuard() }
    }

    /// Uses all colours from now on, unless the user has chosen fewer, or the terminal was known for fewer than 256.
    func raiseColorDepth() {
        if options.colorDepth == nil, capabilities.colorDepth == .palette256 { capabilities.colorDepth = .truecolor }
    }

    // MARK: - Replies

    /// Handles a reply and switches on the modes that it makes possible.
    func receive(_ reply: TerminalReply) {
        let before = capabilities
        if case .attributes = reply, answerTime == nil { answerTime = Timestamp.now.since(enteredAt) }
        probe.receive(reply, &capabilities)
        if let depth = options.colorDepth { capabilities.colorDepth = depth }
        if capabilities.widthModel != before.widthModel {
            measuredIsWide = capabilities.widthModel.contains(.ambiguousIsWide)
        }
        applyChosenWidths()
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

    /// Sets what the user's options say about widths, which no measurement changes.
    private func applyChosenWidths() {
        let isWide = options.ambiguousIsWide ?? measuredIsWide
        if isWide != capabilities.widthModel.contains(.ambiguousIsWide) {
            capabilities.widthModel.formSymmetricDifference(.ambiguousIsWide)
        }
        if capabilities.spellsControls(options) != capabilities.widthModel.contains(.spellsControls) {
            capabilities.widthModel.formSymmetricDifference(.spellsControls)
        }
    }

    /// Applies the options that can change while the terminal is in use.
    ///
    /// These are the width of ambiguous characters, the form of control characters, and whether the line is slow.
    func take(_ changed: TerminalOptions) {
        options.ambiguousIsWide = changed.ambiguousIsWide
        options.hasOnlyASCII = changed.hasOnlyASCII
        options.isLowBandwidth = changed.isLowBandwidth
        capabilities.isLowBandwidth = changed.isLowBandwidth
        applyChosenWidths()
    }

    // MARK: - Keyboard

    /// Asks whether the keyboard flags are still set; the reply corrects them.
    func checkKeyboard() {
        guard modes.keyboardProtocol, isEntered else { return }
        send(Array(TerminalModes.keyboardQuery.utf8))
    }

    /// Sets the keyboard flags and asks for them again if another program or a reset has cleared them.
    ///
    /// A terminal that does not keep them is treated as one without the protocol: there a lone ESC is a key.
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

    /// Whether replies to the first queries may still come; a terminal that never replies is not waited for long.
    func awaitsReplies(at now: Timestamp) -> Bool {
        probe.isOutstanding && now < enteredAt + .seconds(3)
    }

    /// Handles a changed or reported theme: switches its reports on and asks for the background again.
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

    /// Switches on the modes that `wanted` adds to the current ones; the crash guard is updated first.
    private func change(to wanted: TerminalModes) {
        let (old, hadMargins) = (modes.negotiated, modes.sideMargins)
        modes = wanted
        let new = modes.negotiated
        guard isEntered, new != old || wanted.sideMargins != hadMargins else { return }
        armCrashGuard()
        guard new != old else { return }
        // The keyboard's mode stack must not grow: do not send again what is on already.
        var added = wanted
        added.keyboardProtocol = wanted.keyboardProtocol && !old.starts(with: Array(TerminalModes.pushKeyboard.utf8))
        send(added.negotiated)
        if added.keyboardProtocol { checkKeyboard() }
    }

    // MARK: - Title

    /// Sets the window's title; the old title returns when the terminal is left.
    public func setTitle(_ title: String) {
        guard !capabilities.isBasicTerminal, title != self.title else { return }
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

    /// The title without control characters, which could end the sequence, and cut to 256 bytes, since terminals limit
    /// it.
    static func titleBytes(_ title: String) -> [UInt8] {
        var text = ""
        for character in Sanitizer.visible(title) {
            if text.utf8.count + character.utf8.count > 256 { break }
            text.append(character)
        }
        return Array("\u{1B}]2;\(text)\u{1B}\\".utf8)
    }
}
