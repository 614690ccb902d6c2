import TextEditing

/// Vim's grammar as a value: it turns a key and a view of the text into effects.
///
/// The host applies the effects in order. Then, while `hasMore`, it calls `resume(_:)` with a view of the changed text
/// for the effects that follow.
public struct VimMachine: Sendable {
    public internal(set) var mode = VimMode.normal
    public var configuration: VimConfiguration

    // Pending input.
    var pending = VimPending()
    var jobs = VimJobs()
    var commandLine: VimCommandLine?

    // State kept between commands.
    var registers = VimRegisters()
    var marks = VimMarks()
    var recording: VimRecording?
    var lastMacro: Character?
    var lastCommandLine: String?
    /// The lines that were entered after `:`, and the patterns after `/` and `?`, the newest last.
    var enteredLines: [String: [String]] = [:]
    /// Whether `:g` is running a command on each of its lines.
    var isGlobal = false
    /// Whether `:g` ends at the first non-blank of the caret's line, because it substituted.
    var beginsLine = false
    /// The pattern that was compiled last, which `:g` needs for each of its lines.
    var compiled: (pattern: VimPattern, ignoresCase: Bool, isCaseSensitive: Bool?)?
    /// Whether the host wants the current work to stop; called often during long work.
    var isStopped: (@Sendable () -> Bool)?
    /// Whether all lines were deleted.
    ///
    /// A deletion then has nothing to delete, unlike in a text of one empty line.
    var hasNoLine = false
    /// Whether closing a block insertion has already placed the caret.
    var hasPlacedCaret = false
    /// The position to which an operator moves the caret first.
    ///
    /// Operators that do not change the lines leave it there.
    var operatorPosition: ByteOffset?
    var lastFind: VimFind?
    var lastSearch: VimSearch?
    var lastSubstitution: VimSubstitution?
    var lastChange: VimChange?
    var lastVisual: VimSelection?
    /// The selection with which Visual mode was left last, at its positions then.
    var leftVisual: VimSelection?
    /// The selection on which the last undo step acted, which `gv` selects again once the step is undone.
    var changedVisual: VimSelection?
    /// The selection that `gv` selects after the undo that the host is performing.
    var undoneVisual: VimSelection?
    /// The user's marks before the last undo step, which return once the step is undone.
    var changedMarks: [Character: VimMark]?
    /// The user's marks that return after the undo that the host is performing.
    var undoneMarks: [Character: VimMark]?
    /// The start of the selection.
    var anchor: ByteOffset = 0
    /// Whether a block extends to the ends of its lines.
    var blockToLineEnd = false
    /// The width in cells of a block on which a change is repeated, whatever the last of its lines holds.
    var repeatedWidth: Int?
    /// The column that vertical motions aim for, or `nil` for the caret's own.
    var wantedColumn: Int?
    /// The column in its row that the last motion by rows aimed for, which counts while `wantedColumn` is `wanted`.
    var rowAim: (wanted: Int, column: CellColumn)?
    /// The rows by which Ctrl-D and Ctrl-U scroll; nil for half the screen.
    var halfPage: Int?
    var insertion: VimInsertion?
    /// The mode to return to after one command: Ctrl-O.
    var returnsToInsert: VimMode?
    /// The number of jobs that are left once that command is complete.
    var jobsAfterCommand = 0
    /// The line at the end of which Ctrl-O was pressed, where typing continues after the last character.
    var returnsToEnd: LineNumber?
    /// Whether a command is being repeated, which must not be recorded as a new one.
    var isRepeating = false
    var macroDepth = 0
    var keepsGroup = 0

    // State for the key that is being handled.
    var view = VimView(text: TextBuffer(), selection: Selection(0))
    var text = TextBuffer()
    public internal(set) var caret: ByteOffset = 0
    var effects: [VimEffect] = []
    var isGroupOpen = false
    /// The editor's selection after the effects so far, or `nil` if they do not determine it.
    var hostSelection: Selection?
    /// The selection that was reported last.
    private var reported = Selection(0)

    public init(configuration: VimConfiguration = VimConfiguration()) { self.configuration = configuration }

    /// Whether `resume(_:)` must be called.
    public var hasMore: Bool { !jobs.isEmpty }

    /// Whether nothing is pending, so that the next key begins a command.
    public var isIdle: Bool { pending.isEmpty && mode == .normal && jobs.isEmpty && returnsToInsert == nil }

    /// The pending keys, as a status line shows them.
    public var pendingLabel: String { pending.keys.map(\.label).joined() }

    /// Whether a key would put the system's clipboard into the text, for which `VimView.clipboard` must be current.
    public func putsClipboard(_ key: VimKey) -> Bool {
        guard case .character(let character) = key else { return false }
        if pending.prefix == "<C-r>" { return "+*".contains(character) }
        guard let register = pending.register, pending.operation == nil, ["", "g"].contains(pending.prefix) else {
            return false
        }
        return "+*".contains(register) && "pP".contains(character)
    }

    /// The name of the register that is being recorded.
    public var recordingName: Character? { recording?.name }

    /// The line that is being typed after `:`, `/` or `?`, with its caret in characters.
    public var line: (text: String, caret: Int)? {
        commandLine.map { ($0.prompt + $0.text, $0.prompt.count + $0.caret) }
    }

    /// Handles a key and returns its effects.
    public mutating func press(_ key: VimKey, in view: VimView) -> [VimEffect] {
        recording?.keys.append(key)
        return work(in: view) { $0.handle(key) }
    }

    /// Continues the work of a key after its effects were applied.
    public mutating func resume(_ view: VimView) -> [VimEffect] {
        guard let job = jobs.next() else { return [] }
        return work(in: view) { $0.handle(job) }
    }

    /// Adopts the caret and the selection after they were changed by other means than these keys.
    public mutating func settle(in view: VimView) -> [VimEffect] {
        if mode == .normal || mode.isVisual { pending = VimPending() }
        return work(in: view) { machine in
            guard machine.mode == .insert || machine.mode == .replace else { return }
            machine.splitInsertion()
            machine.insertion?.start = machine.caret
            machine.hostSelection = nil
        }
    }

    /// Records a text that was pasted in insert mode, for repeating the insertion.
    public mutating func pasted(_ text: String) {
        if mode == .insert { insertion?.events.append(.paste(text)) }
    }

    /// Follows a change that `type` or `perform` made, or undo.
    public mutating func followOwn(_ edit: Edit, in text: TextBuffer) {
        if !isGroupOpen { changedMarks = nil }
        keepMarksForUndo()
        move(by: edit, opensBelow: true)
        guard let range = edit.newRange else { return }
        let last = edit.replacements.last?.inserted.isEmpty == false && !range.isEmpty
        marks.set(".", last ? text.characterStart(before: range.upperBound) : range.lowerBound, in: text)
    }

    /// Follows a change from elsewhere.
    public mutating func follow(_ edit: Edit) {
        changedMarks = nil
        move(by: edit, opensBelow: false)
    }

    private mutating func move(by edit: Edit, opensBelow: Bool) {
        hasNoLine = false
        anchor = edit.map(anchor, .before)
        moveMarks(by: edit, opensBelow: opensBelow, in: nil)
    }

    /// Remembers the user's marks before the first change of an undo step.
    mutating func keepMarksForUndo() {
        if changedMarks == nil { changedMarks = marks.named }
    }

    /// Makes marks, the last selection and the start of an insertion follow a change.
    ///
    /// - Parameters:
    ///   - opensBelow: Whether lines were opened below the one at which the edit begins, which keeps its marks.
    ///   - old: The text before the edit, if `:g` is visiting lines of it.
    mutating func moveMarks(by edit: Edit, opensBelow: Bool, in old: TextBuffer?) {
        marks.follow(edit, opensBelow: opensBelow, in: old)
        if let start = insertion?.start { insertion?.start = edit.map(start, .before) }
        _ = lastVisual?.anchor.follow(edit, opensBelow: opensBelow)
        _ = lastVisual?.head.follow(edit, opensBelow: opensBelow)
    }

    /// Drops everything pending, as when another note is opened.
    public mutating func reset() {
        pending = VimPending()
        jobs = VimJobs()
        hasNoLine = false
        commandLine = nil
        insertion = nil
        returnsToInsert = nil
        isGroupOpen = false
        isRepeating = false
        macroDepth = 0
        keepsGroup = 0
        mode = .normal
        marks = VimMarks()
        (lastVisual, leftVisual, changedVisual, undoneVisual) = (nil, nil, nil, nil)
        changedMarks = nil
        wantedColumn = nil
    }

    /// Returns the content of a register, for tests and lists.
    public func register(_ name: Character) -> VimRegister? { registers[name] }

    mutating func work(in view: VimView, _ body: (inout VimMachine) -> Void) -> [VimEffect] {
        self.view = view
        text = view.text
        takeCaret()
        effects = []
        hostSelection = view.selection
        body(&self)
        finish()
        // A retained snapshot would make the next change of the text copy the shared nodes.
        self.view = VimView(text: TextBuffer(), selection: Selection(0))
        text = TextBuffer()
        defer { effects = [] }
        return effects
    }

    /// Reads the caret from the view; a selection made by other means starts Visual mode.
    private mutating func takeCaret() {
        if mode.isVisual || commandLine != nil, view.selection == reported { return }
        caret = min(view.selection.head, text.end)
        if view.selection != reported, mode == .normal { wantedColumn = nil }
        if view.selection.isEmpty {
            if mode.isVisual { mode = .normal }
        } else if mode == .normal, pending.isEmpty {
            mode = .visual
            anchor = view.selection.anchor
            if view.selection.isReversed {
                anchor = text.characterStart(before: anchor)
            } else {
                caret = text.characterStart(before: caret)
            }
        }
    }

    /// Reports the caret, and ends the undo step once the command is complete.
    private mutating func finish() {
        if mode == .normal, jobs.isEmpty, pending.isEmpty, returnsToInsert == nil { caret = onCharacter(caret) }
        if jobs.isEmpty, mode != .insert, mode != .replace { marks.settleChange(in: text) }
        if let hostSelection {
            // While a command line is typed, the editor keeps its selection, whose head need not be the caret.
            reported = mode == .commandLine ? hostSelection : shownSelection
            if hostSelection != reported { effects.append(.select(reported)) }
        }
        if isGroupOpen, jobs.isEmpty, mode != .insert, mode != .replace, keepsGroup == 0 {
            effects.append(.endGroup)
            isGroupOpen = false
        }
    }

    /// The selection as the editor shows it, including the character under the caret.
    var shownSelection: Selection {
        guard mode.isVisual else { return Selection(caret) }
        let (low, high) = (min(anchor, caret), max(anchor, caret))
        switch mode {
        case .visualLine:
            let lines = text.lineNumber(at: low)...text.lineNumber(at: high)
            let range = text.range(of: lines)
            return caret < anchor
                ? Selection(anchor: range.upperBound, head: range.lowerBound) : Selection(range)
        default:
            let end = text.characterEnd(after: high)
            return caret < anchor ? Selection(anchor: end, head: low) : Selection(anchor: low, head: end)
        }
    }
}

/// A job to do after the effects so far are applied.
enum VimJob: Hashable, Sendable {
    case key(VimKey)
    /// An event of an insertion that is being repeated.
    case event(VimInsertEvent)
    /// The end of an insertion that is being repeated.
    case endInsertion
    /// Moves the caret to the change that undo or redo made.
    case afterRetracing
    /// A cursor key moved the caret.
    case insertionMoved
    /// The end of a macro; `endRepeating` is that of a repetition.
    case endMacro
    case endRepeating
    /// The bounds of an undo step that may contain several commands.
    case beginGroup, endGroup
    case leaveVisual
    /// Ends a command or mode that the keys of `:normal` left open.
    case leaveNormal
    /// Keys to press in the caret's line.
    case normal([VimKey])
    /// Keys to press in each line that `:g` still has to visit.
    case normalOnVisits([VimKey])
    /// Keys to press in each of these lines.
    case normalOnLines(Range<Int>, [VimKey])
}

/// A queue of jobs, in which new jobs are added at the front.
struct VimJobs: Sendable {
    /// The jobs in reverse order.
    private var reversed: [VimJob] = []

    var isEmpty: Bool { reversed.isEmpty }
    var count: Int { reversed.count }
    var first: VimJob? { reversed.last }

    func contains(_ job: VimJob) -> Bool { reversed.lastIndex(of: job) != nil }

    mutating func add(_ jobs: [VimJob]) { reversed += jobs.reversed() }

    mutating func next() -> VimJob? { reversed.popLast() }

    mutating func removeAll(where isDropped: (VimJob) -> Bool) { reversed.removeAll(where: isDropped) }
}

/// The last selection.
struct VimSelection: Hashable, Sendable {
    var mode: VimMode
    var anchor: VimMark
    var head: VimMark
    /// Whether a block extended to the ends of its lines.
    var reachesEnds = false
}

/// A macro that is being recorded.
struct VimRecording: Hashable, Sendable {
    var name: Character
    var keys: [VimKey] = []
}

/// The last `f`, `F`, `t` or `T`.
struct VimFind: Hashable, Sendable {
    var character: Character
    var isForward: Bool
    var isTill: Bool
}

/// A change that dot repeats.
struct VimChange: Hashable, Sendable {
    var command: VimCommand
    /// The insertion events after it.
    var events: [VimInsertEvent] = []
}
