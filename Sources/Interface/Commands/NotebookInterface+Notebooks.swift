import NoteStore
import Terminal

/// Switching to another notebook of the user.
extension NotebookInterface {
    /// Returns the title above the sidebar: the program's name, and that of the notebook unless it is the default one.
    ///
    /// Where there is no room for both, the notebook's stands alone.
    func title(fitting columns: Int) -> String {
        guard let notebookName else { return Texts.program }
        let whole = "\(Texts.program) \(state.theme.glyphs.plain("·")) \(notebookName)"
        return TextWidth.shared.width(of: whole) <= columns ? whole : notebookName
    }

    /// Opens a picker of the notebooks by name; a typed name that no notebook has creates one.
    func chooseNotebook() {
        guard let names = host?.notebooks else { return }
        let items = names.all.map { name in
            PickerOverlay.Item(title: name, detail: name == names.current ? Texts.now : "") { [weak self] in
                if name != names.current { self?.change(toNotebook: name) }
            }
        }
        let folded = items.map(\.title.foldedCharacters)
        show(
            PickerOverlay(title: Texts.notebooks) { [weak self] typed in
                let pattern = typed.filter { !$0.isWhitespace }.foldedCharacters
                guard let self, !pattern.isEmpty else { return items }
                let fitting = items.indices.compactMap { index in
                    FuzzyMatch(pattern, in: folded[index]).map { (index, $0.score) }
                }
                let ranked = fitting.sorted { $0.1 == $1.1 ? $0.0 < $1.0 : $0.1 > $1.1 }.map { items[$0.0] }
                // White space at the ends is not visible in a name, so it is not part of it.
                let name = typed.trimmingCharacters(in: .whitespaces)
                let isKnown = names.all.contains { Folding.key($0) == Folding.key(name) }
                return isKnown ? ranked : ranked + [newNotebook(name)]
            })
    }

    private func newNotebook(_ name: String) -> PickerOverlay.Item {
        let title = Texts.newNotebook.map(state.theme.glyphs.plain).joined(separator: name)
        return PickerOverlay.Item(title: title, detail: Texts.create) { [weak self] in
            self?.change(toNotebook: name)
        }
    }

    private func change(toNotebook name: String) {
        model.saveNow()
        // Text that cannot be saved stays on the screen, where it can be copied.
        let problem = model.unsavedTexts.first?.reason ?? host?.changeNotebook(to: name)
        if let problem { model.say(problem, kind: .refused) }
    }
}
