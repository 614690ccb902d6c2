/// The reasons why a vim command is refused.
extension VimRefusal {
    static func noRange(_ command: String) -> VimRefusal { VimRefusal("\(command) takes no range") }
    static func notACount(_ text: some StringProtocol) -> VimRefusal { VimRefusal("\(text) is not a count") }
    static let noSuchLine = VimRefusal("There is no such line")
    static let markNotSet = VimRefusal("That mark is not set")
    static let noPreviousSearch = VimRefusal("There is no previous search")
    static func notFound(_ pattern: some StringProtocol) -> VimRefusal { VimRefusal("\(pattern) is not in the note") }
    static func notInRange(_ pattern: some StringProtocol) -> VimRefusal {
        VimRefusal("\(pattern) is not in these lines")
    }
    static func notSupported(_ command: some StringProtocol) -> VimRefusal { VimRefusal("\(command) is not supported") }
    static let noLineUndo = VimRefusal("U is not supported; u undoes the last step")
    static let normalWithoutKeys = VimRefusal("normal needs keys")
    static let globalWithoutPattern = VimRefusal("g needs a pattern: g/pattern/command")
    static let nestedGlobalRange = VimRefusal("g takes no range within another g")
    static let moveIntoItself = VimRefusal("Lines cannot be moved into themselves")
    static func unknownSortOption(_ option: some StringProtocol) -> VimRefusal {
        VimRefusal("sort has no option \(option)")
    }
    static func invalidPattern(_ pattern: some StringProtocol) -> VimRefusal {
        VimRefusal("\(pattern) is not a valid pattern")
    }
    static let unclosedGroup = VimRefusal("A \\( has no \\)")
    static func unsupported(_ part: some StringProtocol) -> VimRefusal {
        VimRefusal("\(part) is not supported in a pattern")
    }
    static let unopenedGroup = VimRefusal("A \\) has no \\(")
    static let unclosedCount = VimRefusal("A \\{ has no }")
    static func emptyRegister(_ name: Character) -> VimRefusal { VimRefusal("Register \(name) is empty") }
    static let emptyRegister = VimRefusal("That register is empty")
    static let endlessMacro = VimRefusal("The macro calls itself without end")
    static func invalidOffset(_ text: some StringProtocol) -> VimRefusal {
        VimRefusal("\(text) is not a search offset")
    }
    static let noWordUnderCaret = VimRefusal("There is no word at the caret")
    static let interrupted = VimRefusal("Interrupted")
    static let filterWithoutCommand = VimRefusal("! needs a shell command, like sort")
    static let readsNoFile = VimRefusal("r inserts the output of a shell command: r !date")
    static let filterWithinOthers = VimRefusal("A shell command cannot be part of g, normal or a macro")
    static func unknownFlags(_ flags: some StringProtocol, asks: Bool) -> VimRefusal {
        VimRefusal("s has no flag \(flags)" + (asks ? ": it replaces without asking" : ""))
    }
    static let expressionAsReplacement = VimRefusal("\\= is not supported in a replacement")
    static let noPreviousSubstitution = VimRefusal("There is no previous substitution")
}
