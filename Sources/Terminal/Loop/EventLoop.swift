import Processes

/// The program's main loop: one `poll` over the terminal, the wake-up pipe and the timers.
///
/// Before each frame the loop decodes all waiting bytes and runs all work in the mailbox. If input never ends, it draws
/// a frame after every 2,048 events. It computes no frame until the line has taken the last one, and then draws the
/// newest state. With nothing to do, the loop sleeps without a timer.
@MainActor
public final class EventLoop {
    public let device: TerminalDevice
    /// Passes work from other threads to the loop.
    public nonisolated let mailbox = Mailbox()
    /// The renderer of frames; public so that a program can switch optimisations off for an error report.
    public var renderer: Renderer
    public private(set) var statistics = Statistics()
    /// Receives the input bytes before they are decoded, for error reports.
    public var onInput: (([UInt8]) -> Void)?

    var decoder: InputDecoder
    private var timers = TimerQueue()
    private var reason: ExitReason?
    private var pacing = FramePacing()
    private var pictures = PictureQueue()
    private var output: [UInt8] = []
    /// Whether the next frame also sets the modes, in the same write, so that the cursor does not visibly jump.
    private var assertsModes = false
    private var seenGeneration = 0
    private var seenCapabilities: Capabilities
    private var input = [UInt8](repeating: 0, count: 65_536)
    /// Events that are decoded but not handled yet, because there are too many for one frame.
    private var waiting: ArraySlice<InputEvent> = []
    var clipboard = ClipboardWork()
    /// The time at which the terminal's input was last read; a busy program may handle it much later.
    private var inputTime = Timestamp.now
    /// The time since the input that is being handled was read.
    public var inputAge: Duration { Timestamp.now.since(inputTime) }
    /// Whether there is input that was not delivered yet.
    public var hasPendingInput: Bool { !waiting.isEmpty || device.line.wait(for: .input, milliseconds: 0) }
    /// The descriptors to wait for: the terminal (index 0) and the pipe (index 1).
    private var polled: DescriptorSet

    /// The most bytes that are read before events are handled; a larger paste is still one event.
    private static let maximumBurst = 1 << 20
    /// The most events that are handled before a frame: some milliseconds of work, and more than a user can type.
    private static let maximumBatch = 2048
    /// The number of events after which the loop checks for signals.
    private static let eventsBetweenSignalChecks = 64

    /// The frames sent and the time that they took, for reports and tests.
    public struct Statistics: Sendable {
        public var frames = 0
        /// The bytes of all frames.
        public var bytes = 0
        public var lastFrameBytes = 0
        /// The time from reading the last key to handing its frame to the line.
        public var lastLatency: Duration = .zero

        /// - Parameter input: The time at which the last key was read; nil without one.
        fileprivate mutating func add(bytes count: Int, at now: Timestamp, input: Timestamp?) {
            frames += 1
            bytes += count
            lastFrameBytes = count
            if let input { lastLatency = now.since(input) }
        }
    }

    public init(device: TerminalDevice) {
        self.device = device
        seenCapabilities = device.capabilities
        polled = DescriptorSet([device.line.descriptor, SignalPipe.ends.read])
        renderer = Renderer(capabilities: device.capabilities)
        var configuration = InputDecoder.Configuration()
        configuration.escapeTimeout = Self.escapeTimeout(device.options, device.capabilities)
        configuration.backspaceIsControlH = device.line.attributes?.eraseCharacter == 0x08
        configuration.burstIsPaste = !device.capabilities.hasMouse
        decoder = InputDecoder(configuration: configuration)
    }

    /// Runs the application until it calls `stop` or a signal or the loss of the terminal ends it, then restores the
    /// terminal.
    ///
    /// - Throws: the system's error if the terminal cannot be set up.
    @discardableResult
    public func run(_ application: any TerminalApplication) throws -> ExitReason {
        reason = nil
        SignalPipe.install()
        defer { SignalPipe.uninstall() }
        try device.enter()
        defer {
            clipboard.run?.stop()
            device.leave()
        }
        pacing.noteInput()
        while true {
            // Commit even if nothing can be drawn because the line is full or gone.
            application.commit()
            draw(application)
            sendPictures(application)
            if let reason { return reason }
            let (hasInput, isWoken) = wait()
            let now = Timestamp.now
            if isWoken { handleWakeUp(application) }
            runTimers(at: now)
            readInput(hasInput, application, at: now)
            device.flush()
            pacing.noteLine(isFree: device.isLineFree, at: now)
            if device.isLost, reason == nil { end(.terminalLost, application) }
        }
    }

    /// Whether a signal has arrived that ends the program and that the loop has not handled yet; callable on any thread.
    public nonisolated static var isAskedToEnd: Bool { SignalPipe.hasEndingSignal }

    /// Ends `run` after the current events are handled.
    public func stop(_ reason: ExitReason) {
        if self.reason == nil { self.reason = reason }
    }

    /// Runs work once on the main actor, after a delay and not before the events that are being handled.
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping @MainActor () -> Void) -> TimerID {
        timers.add(due: .now + delay, work)
    }

    /// Cancels a timer; one that has run or was cancelled before is ignored.
    public func cancel(_ timer: TimerID) {
        timers.cancel(timer)
    }

    private static func escapeTimeout(_ options: TerminalOptions, _ capabilities: Capabilities) -> Duration {
        options.escapeTimeout ?? (capabilities.isRemote ? .milliseconds(50) : .milliseconds(25))
    }

    /// Applies the options that can change while the loop runs.
    ///
    /// These are the time that a key may take after ESC, the width of ambiguous characters, the form of control
    /// characters, and whether the line is slow.
    public func take(_ options: TerminalOptions, _ application: any TerminalApplication) {
        decoder.configuration.escapeTimeout = Self.escapeTimeout(options, device.capabilities)
        device.take(options)
        if noticeCapabilities() { application.handle([.capabilitiesChanged]) }
    }

    /// Updates the capabilities by what tmux reports of the terminal around it.
    ///
    /// - Parameters:
    ///   - passesPictures: Whether that terminal draws pictures at placeholders.
    ///   - hasAllColors: Whether it shows all colours.
    ///   - cellPixels: The size of its cells; nil if it is not known.
    ///   - isAnother: Whether another terminal was attached, which has no pictures yet.
    public func take(
        passesPictures: Bool, hasAllColors: Bool, cellPixels: Capabilities.CellPixels?, isAnother: Bool,
        _ application: any TerminalApplication
    ) {
        if hasAllColors { device.raiseColorDepth() }
        if isAnother || passesPictures != device.capabilities.passesPictures {
            pictures.startOver(throughTmux: passesPictures)
        }
        device.capabilities.passesPictures = passesPictures
        device.capabilities.cellPixels = cellPixels ?? Capabilities.CellPixels.usual
        if noticeCapabilities() { application.handle([.capabilitiesChanged]) }
        // Drawing the pictures in sight again also sends them again.
        if isAnother { application.handle([.resized(device.size)]) }
    }

    /// Passes changed capabilities to the renderer and the decoder; true if they have changed.
    private func noticeCapabilities() -> Bool {
        guard device.capabilities != seenCapabilities else { return false }
        seenCapabilities = device.capabilities
        renderer.capabilities = device.capabilities
        decoder.configuration.hasKeyboardProtocol = device.capabilities.hasKeyboardProtocol
        return true
    }

    /// Sets the modes and sends the whole screen again: for Ctrl-L, after something else has written to the screen.
    public func redraw() {
        assertsModes = true
        // This also ends a picture that is sent only in part.
        let goesThroughTmux = pictures.goesThroughTmux
        device.send(pictures.numbers.flatMap { PictureTransmission.deletion($0, throughTmux: goesThroughTmux) })
        pictures.startOver(throughTmux: device.capabilities.passesPictures)
        renderer.invalidate()
        pacing.noteInput()
    }

    // MARK: - Pictures

    /// Whether the terminal has the complete picture, so that its placeholders show it.
    public func isShown(_ picture: PicturePlaceholder) -> Bool { pictures.isShown(picture) }

    /// Sends a picture that the terminal does not have, piece by piece after keys and frames.
    public func show(_ picture: PicturePlaceholder, png: @autoclosure () -> [UInt8]) {
        pictures.show(picture, png: png())
    }

    /// Sends some of the waiting pictures' bytes, if the line is free and no key waits.
    private func sendPictures(_ application: any TerminalApplication) {
        guard pictures.isWaiting, reason == nil, device.isEntered, device.isLineFree, waiting.isEmpty, !assertsModes,
            !device.line.wait(for: .input, milliseconds: 0)
        else { return }
        let share = pictures.nextShare()
        device.take(pictures: pictures.numbers)
        device.send(share)
        guard !pictures.isWaiting else { return }
        application.picturesSent()
        pacing.noteBackground()
    }

    // MARK: - Waiting

    /// Sleeps until something arrives.
    ///
    /// - Returns: Whether the terminal has input (or is gone), and whether the pipe was written to.
    private func wait() -> (hasInput: Bool, isWoken: Bool) {
        polled.setWanted(device.isLineFree ? .input : [.input, .output], at: 0)
        let isBusy = !waiting.isEmpty || pictures.isWaiting && device.isLineFree
        guard polled.wait(milliseconds: isBusy ? 0 : timeout) else { return (false, false) }
        let isWoken = !polled.readiness(at: 1).isEmpty
        return (!polled.readiness(at: 0).subtracting(.output).isEmpty, isWoken)
    }

    /// The milliseconds to the next deadline, rounded up; -1 if there is none.
    private var timeout: Int32 {
        var next = decoder.deadline
        for other in [timers.nextDue, device.isLineFree ? pacing.due : nil] {
            if let other, next.map({ other < $0 }) ?? true { next = other }
        }
        guard let next else { return -1 }
        return Int32(clamping: (next.since(.now).wholeNanoseconds + 999_999) / 1_000_000)
    }

    private func runTimers(at now: Timestamp) {
        guard let due = timers.nextDue, due <= now else { return }
        for work in timers.takeDue(at: now) { work() }
        pacing.noteBackground()
    }

    // MARK: - Signals

    /// Handles signals and posted work, which share one pipe.
    private func handleWakeUp(_ application: any TerminalApplication) {
        takeSignals(application)
        if mailbox.empty() { pacing.noteBackground() }
    }

    private func takeSignals(_ application: any TerminalApplication) {
        for number in SignalPipe.drain() {
            switch number {
            case SignalPipe.windowChanged:
                // Even if the size changed and changed back, the terminal may show something else now.
                renderer.invalidate()
                _ = device.refreshSize()  // the frame is redrawn in either case
                application.handle([.resized(device.size)])
                pacing.noteInput()
            case SignalPipe.stopped:
                application.willSuspend()
                device.suspend()
            case SignalPipe.continued: resumeAfterStop()
            default: end(.signal(number), application)
            }
        }
    }

    /// Takes the terminal again after the process was stopped by something else and continued.
    private func resumeAfterStop() {
        guard device.generation == seenGeneration else { return }
        device.takeAgain()
    }

    private func end(_ cause: ExitReason, _ application: any TerminalApplication) {
        guard reason == nil else { return }
        reason = cause
        // Pasted text that has arrived must be kept, just as typed text is.
        var pasted: [InputEvent] = []
        decoder.emitUnfinishedPaste(&pasted)
        if !waiting.isEmpty || !pasted.isEmpty { deliver(waiting + pasted, application) }
        waiting = []
        application.willTerminate(cause)
    }

    // MARK: - Input

    /// Reads the waiting input, unless enough events are waiting already, and delivers a batch of events.
    private func readInput(_ hasInput: Bool, _ application: any TerminalApplication, at now: Timestamp) {
        // Input that waits in the background is the shell's.
        let hasInput = hasInput && device.isEntered
        var events: [InputEvent] = []
        var total = 0
        let isAhead = !waiting.isEmpty
        if hasInput, !isAhead { inputTime = now }
        decoder.configuration.awaitsReplies = device.awaitsReplies(at: now) || clipboard.query != nil
        reading: while hasInput, !isAhead, total < EventLoop.maximumBurst, events.count < EventLoop.maximumBatch {
            // The closures that hand out an array's memory are not called here: each call of one on the main actor would
            // check which thread it runs on.
            switch device.line.read(into: &input) {
            case .bytes(let count):
                total += count
                onInput?(Array(input[..<count]))
                decoder.decode(input[..<count], at: now, into: &events)
            case .wouldBlock: break reading
            case .lost:
                device.declareLost()
                waiting += events
                end(.hangup, application)
                return
            }
        }
        // While unread bytes may wait, a pause does not mean that the terminal sent nothing.
        if !isAhead { decoder.expire(at: now, into: &events) }
        if decoder.hasSeenBareEscape {
            decoder.hasSeenBareEscape = false
            device.checkKeyboard()
        }
        waiting += events
        guard !waiting.isEmpty else { return }
        deliverBatch(application)
        pacing.noteInput(at: now)
    }

    /// Delivers one batch of the waiting events in pieces, so that a signal to end the program is handled soon.
    private func deliverBatch(_ application: any TerminalApplication) {
        var left = EventLoop.maximumBatch
        while left > 0, !waiting.isEmpty, reason == nil {
            let piece = waiting.prefix(min(left, EventLoop.eventsBetweenSignalChecks))
            waiting = waiting.dropFirst(piece.count)
            left -= piece.count
            deliver(piece, application)
            if SignalPipe.hasSignal { handleWakeUp(application) }
        }
        if waiting.isEmpty { waiting = [] }
    }

    /// Passes replies to the device and all other events to the application.
    private func deliver(_ events: ArraySlice<InputEvent>, _ application: any TerminalApplication) {
        var kept: [InputEvent] = []
        kept.reserveCapacity(events.count + 1)
        for event in events {
            switch event {
            case .reply(let reply):
                device.receive(reply)
                receiveForClipboard(reply)
                continue
            case .colorScheme(let scheme): device.receive(scheme)
            case .resized(let size): device.receive(size: size)
            default: break
            }
            kept.append(event)
        }
        if noticeCapabilities() { kept.append(.capabilitiesChanged) }
        if !kept.isEmpty { application.handle(kept) }
    }

    // MARK: - Frames

    private func draw(_ application: any TerminalApplication) {
        if device.generation != seenGeneration { startOver(application) }
        guard reason == nil, device.isEntered, device.isLineFree, pacing.isReady(at: .now) else { return }
        if device.refreshSize() { application.handle([.resized(device.size)]) }
        guard let screen = application.frame(size: device.size), screen.size == device.size else {
            pacing.noteFrame(at: .now, sent: false)
            return
        }
        output.removeAll(keepingCapacity: true)
        if assertsModes { output += device.modesAgain }
        assertsModes = false
        renderer.render(screen, into: &output)
        let isSent = !output.isEmpty
        if isSent {
            application.commit()
            device.send(output)
        }
        let now = Timestamp.now
        if isSent { statistics.add(bytes: output.count, at: now, input: pacing.lastInput) }
        pacing.noteFrame(at: now, sent: isSent)
        pacing.noteLine(isFree: device.isLineFree, at: now)
    }

    /// Starts with a blank screen after the terminal was entered (again).
    private func startOver(_ application: any TerminalApplication) {
        let isFirst = seenGeneration == 0
        seenGeneration = device.generation
        pictures.startOver(throughTmux: device.capabilities.passesPictures)
        renderer.assumeBlank(size: device.size)
        pacing.noteInput()
        if !isFirst { application.handle([.resized(device.size)]) }
    }
}
