import TextEditing

/// Vim's grammar as a value: a key and a view of the text give effects.
///
/// Whoever has the text does the effects in their order, then, while `hasMore`, asks `resume(_:)` for what follows from
/// them with a view of the text as it has become.
public struct VimMachine {
    public internal(set) var mode = VimMode.normal
    public var configuration: VimConfiguration

    // What waits.
    var pending = VimPending()
    var jobs: [VimJob] = []
    var commandLine: VimCommandLine?

    // What is kept between commands.
    var registers = VimRegisters()
    var marks = VimMarks()
    var recording: VimRecording?
    var lastMacro: Character?
    var lastCommandLine: String?
    /// Whether a command is done on each line of `:g`.
    var isGlobal = false
    /// Whether the end of an insertion in a block has put the caret where it belongs.
    var isHome = false
    /// Where the caret is before an operator that leaves the text where it was.
    var operatorPlace: ByteOffset?
    var lastFind: VimFind?
    var lastSearch: VimSearch?
    var lastSubstitution: VimSubstitution?
    var lastChange: VimChange?
    var lastVisual: VimSelection?
    /// Where a selection began.
    var anchor: ByteOffset = 0
    /// Whether a block goes on to the ends of its lines.
    var blockToLineEnd = false
    /// The cell that vertical motions aim for; nil for where the caret is.
    var wantedColumn: Int?
    var insertion: VimInsertion?
    /// Whether the next command is one, after which typing goes on: Ctrl-O.
    var returnsToInsert: VimMode?
    /// Whether a command is being done again, which is not to be noted as a new one.
    var isRepeating = false
    var macroDepth = 0
    var keepsGroup = 0

    // What the key that is being handled works on.
    var view = VimView(text: TextBuffer(), selection: Selection(0))
    var text = TextBuffer()
    public internal(set) var caret: ByteOffset = 0
    var effects: [VimEffect] = []
    var isGroupOpen = false
    /// The selection of the text after the effects so far; nil where they do not tell.
    var hostSelection: Selection?
    /// The selection that was told last.
    private var told = Selection(0)

    public init(configuration: VimConfiguration = VimConfiguration()) { self.configuration = configuration }

    /// Whether `resume(_:)` is to be called.
    public var hasMore: Bool { !jobs.isEmpty }

    /// Whether nothing has been begun: the next key begins a command.
    public var isIdle: Bool { pending.isEmpty && mode == .normal && jobs.isEmpty }

    /// The keys that wait for more, as a status line shows them.
    public var pendingLabel: String { pending.keys.map(\.label).joined() }

    /// The register that is recorded into.
    public var recordingName: Character? { recording?.name }

    /// The line that is being typed behind `:`, `/` or `?`, with its caret in characters.
    public var line: (text: String, caret: Int)? {
        commandLine.map { ($0.prompt + $0.text, $0.prompt.count + $0.caret) }
    }

    /// Takes a key.
    public mutating func press(_ key: VimKey, in view: VimView) -> [VimEffect] {
        recording?.keys.append(key)
        return work(in: view) { $0.handle(key) }
    }

    /// Goes on with what a key began, once its effects are done.
    public mutating func resume(_ view: VimView) -> [VimEffect] {
        guard !jobs.isEmpty else { return [] }
        let job = jobs.removeFirst()
        return work(in: view) { $0.handle(job) }
    }

    /// Follows a change that was made by `type` or `perform`, or by undo.
    public mutating func followOwn(_ edit: Edit, in text: TextBuffer) {
        follow(edit)
        guard let range = edit.newRange else { return }
        let last = edit.replacements.last?.inserted.isEmpty == false && !range.isEmpty
        marks.set(".", last ? text.characterStart(before: range.upperBound) : range.lowerBound, in: text)
    }

    /// Follows a change that came from elsewhere.
    public mutating func follow(_ edit: Edit) {
        marks.follow(edit)
        anchor = edit.map(anchor, .before)
        if let start = insertion?.start { insertion?.start = edit.map(start, .before) }
        _ = lastVisual?.anchor.follow(edit)
        _ = lastVisual?.head.follow(edit)
    }

    /// Leaves whatever was begun, as when another note is opened.
    public mutating func reset() {
        pending = VimPending()
        jobs = []
        commandLine = nil
        insertion = nil
        returnsToInsert = nil
        isGroupOpen = false
        isRepeating = false
        macroDepth = 0
        keepsGroup = 0
        mode = .normal
    }

    /// Has a look at what is in a register, for tests and lists.
    public func register(_ name: Character) -> VimRegister? { registers[name] }

    private mutating func work(in view: VimView, _ body: (inout VimMachine) -> Void) -> [VimEffect] {
        self.view = view
        text = view.text
        takeCaret()
        effects = []
        hostSelection = view.selection
        body(&self)
        finish()
        // A snapshot that is kept would make the next change of the text copy what it shares.
        self.view = VimView(text: TextBuffer(), selection: Selection(0))
        text = TextBuffer()
        defer { effects = [] }
        return effects
    }

    /// Takes the caret over from the view; a selection that was made by other means becomes one of Visual mode.
    private mutating func takeCaret() {
        if mode.isVisual || commandLine?.mode.isVisual == true, view.selection == told { return }
        caret = min(view.selection.head, text.end)
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

    /// Tells where the caret is, and closes the step of undo once the command is over.
    private mutating func finish() {
        if mode == .normal, jobs.isEmpty, pending.isEmpty, returnsToInsert == nil { caret = onCharacter(caret) }
        if mode != .commandLine, let hostSelection {
            told = shownSelection
            if hostSelection != told { effects.append(.select(told)) }
        }
        if isGroupOpen, jobs.isEmpty, mode != .insert, mode != .replace, keepsGroup == 0 {
            effects.append(.endGroup)
            isGroupOpen = false
        }
    }

    /// What is selected, as the editor shows it: the character under the caret belongs to it.
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

/// Something that is still to be done, after the effects so far.
enum VimJob: Hashable, Sendable {
    case key(VimKey)
    /// What was typed in an insertion that is done again.
    case event(VimInsertEvent)
    /// The end of an insertion that is done again.
    case endInsertion
    /// Puts the caret where the change was that undo or redo made.
    case afterRetracing
    /// The caret was moved by a cursor key.
    case insertionMoved
    /// The end of a macro or a repetition.
    case endMacro
    case endRepeating
    /// The bounds of what is one step of undo, of however many commands.
    case beginGroup, endGroup
    case leaveVisual
    /// What keys of `:normal` began ends with them.
    case leaveNormal
    /// Keys to press in a line, named by a mark that follows edits.
    case normalOn(Character?, [VimKey])
    /// The same in a line by its number.
    case normalOnLine(Int, [VimKey])
}

/// The last selection.
struct VimSelection: Hashable, Sendable {
    var mode: VimMode
    var anchor: VimMark
    var head: VimMark
}

/// Keys that are being recorded.
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

/// A change that dot does again.
struct VimChange: Hashable, Sendable {
    var command: VimCommand
    /// What was typed after it.
    var events: [VimInsertEvent] = []
}
