import TextEditing

/// Shell commands through which lines are piped.
///
/// The program runs them, after asking the user; the machine only determines the lines that they read.
extension VimMachine {
    /// Begins the command line of a filter for these lines, and moves the caret to the first of them.
    mutating func beginFilter(_ lines: ClosedRange<LineNumber>) throws(VimRefusal) {
        try checkFilter()
        if line(caret) != lines.lowerBound { caret = firstNonBlank(of: lines.lowerBound) }
        let last =
            lines.count == 1 ? "" : lines.upperBound == lastAddressed ? ",$" : ",.+\(lines.count - 1)"
        beginLine(":", text: "." + last + "!")
    }

    /// Pipes lines through a command; without a range, shows what the command prints.
    mutating func filter(_ argument: String, _ lines: ClosedRange<LineNumber>?) throws(VimRefusal) {
        let here = line(caret)
        try add(argument, lines ?? here...here, readsRange: lines != nil, lines == nil ? .isShown : .replaces)
    }

    /// Inserts what a command prints after a line.
    mutating func read(_ argument: String, after line: LineNumber) throws(VimRefusal) {
        guard argument.first == "!" else { throw VimRefusal.readsNoFile }
        try add(String(argument.dropFirst()), line...line, readsRange: false, .follows)
    }

    /// Returns whether the text after `w` is a shell command, as in `:w !wc`.
    func pipesText(_ rest: String) -> Bool { rest.first == " " && rest.trimmed.first == "!" }

    /// Pipes lines through a command, and shows what it prints.
    mutating func show(_ argument: String, of lines: ClosedRange<LineNumber>) throws(VimRefusal) {
        try add(String(argument.dropFirst()), lines, readsRange: true, .isShown)
    }

    private mutating func add(
        _ command: String, _ lines: ClosedRange<LineNumber>, readsRange: Bool, _ output: VimFilter.Output
    ) throws(VimRefusal) {
        try checkFilter()
        let command = command.trimmed
        guard !command.isEmpty else { throw VimRefusal.filterWithoutCommand }
        effects.append(
            .filter(
                VimFilter(command: command, range: text.range(of: lines), readsRange: readsRange, output: output)))
    }

    /// Throws inside `:g`, `:normal` or a macro: the command ends later, and keys after it would act on the text before
    /// it.
    private func checkFilter() throws(VimRefusal) {
        guard !isGlobal, jobs.isEmpty else { throw VimRefusal.filterWithinOthers }
    }
}
