import TextEditing

/// Long-running work, which the host may run on another thread and stop.
extension VimMachine {
    /// The machine's next step.
    public enum Step: Hashable, Sendable {
        case press(VimKey)
        case resume
    }

    /// Performs a step and returns its effects, or returns `nil` and leaves the machine unchanged if the host stopped
    /// it.
    ///
    /// - Parameter isStopped: Called often during the step, which is undone once it returns true.
    public mutating func perform(
        _ step: Step, in view: VimView, isStopped: @escaping @Sendable () -> Bool
    ) -> [VimEffect]? {
        let before = self
        self.isStopped = isStopped
        let effects = perform(step, in: view)
        guard !isStopped() else {
            self = before
            return nil
        }
        self.isStopped = nil
        return effects
    }

    /// Performs a step.
    public mutating func perform(_ step: Step, in view: VimView) -> [VimEffect] {
        switch step {
        case .press(let key): press(key, in: view)
        case .resume: resume(view)
        }
    }

    /// Returns whether a step may be too slow for the main thread: a search or a command line in a long text.
    ///
    /// Such a step reads neither the screen's rows nor Markdown.
    public func mayTakeLong(_ step: Step, in text: TextBuffer) -> Bool {
        guard text.utf8Count > VimMachine.shortText else { return false }
        switch step {
        case .press(let key): return searches(key)
        case .resume:
            guard case .key(let key)? = jobs.first else { return false }
            return searches(key)
        }
    }

    /// The number of bytes that can be searched in some milliseconds.
    private static let shortText = 50_000

    private func searches(_ key: VimKey) -> Bool {
        switch mode {
        case .insert, .replace: return false
        case .commandLine:
            return [.enter, .control("m"), .control("j")].contains(key) && commandLine?.command?.operation != .reflow
        case .normal, .visual, .visualLine, .visualBlock:
            var pending = pending
            guard case .command(let command) = pending.take(key, mode: mode, isRecording: recording != nil) else {
                return false
            }
            if command.operation == .reflow { return false }
            if command.name == ".", let change = lastChange?.command {
                return change.operation != .reflow && (VimMachine.searching.contains(change.name) || change.line != nil)
            }
            if command.name == "@" {
                return command.argument == .character(":") || command.argument == .character("@") && lastMacro == ":"
            }
            return VimMachine.searching.contains(command.name)
        }
    }

    /// The commands that search or repeat a substitution.
    private static let searching: Set<String> = ["n", "N", "*", "#", "g*", "g#", "gn", "gN", "&", "g&"]

    /// Drops all pending keys and jobs after the host stopped the work.
    public mutating func stop(in view: VimView) -> [VimEffect] {
        work(in: view) { machine in
            machine.jobs = VimJobs()
            machine.marks.endVisits()
            machine.isRepeating = false
            machine.macroDepth = 0
            machine.keepsGroup = 0
            machine.insertion?.count = 1
            if let line = machine.commandLine {
                machine.commandLine = nil
                machine.mode = line.mode
            } else if machine.mode == .insert || machine.mode == .replace {
                machine.closeInsertion()
            }
            machine.refuse(VimRefusal.interrupted)
        }
    }

    /// Throws if the host stopped the work.
    func checkStop() throws(VimRefusal) {
        if isStopped?() == true { throw VimRefusal() }
    }

    /// Returns the compiled pattern, which is cached until another one is compiled.
    mutating func pattern(
        _ source: String, isCaseSensitive forced: Bool? = nil
    ) throws(VimRefusal) -> VimPattern {
        let ignoresCase = configuration.ignoresCase
        if let compiled, compiled.pattern.source == source, compiled.ignoresCase == ignoresCase,
            compiled.isCaseSensitive == forced
        {
            return compiled.pattern
        }
        let pattern = try VimPattern(source, ignoresCase: ignoresCase, isCaseSensitive: forced)
        compiled = (pattern, ignoresCase, forced)
        return pattern
    }
}
