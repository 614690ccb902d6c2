import Terminal

/// A read-only overlay: it scrolls, and a click or the accepting key closes it.
@MainActor
protocol PagerOverlay: Overlay {
    var scroller: Scroller { get set }
}

extension PagerOverlay {
    var context: KeyContext { .pager }

    func perform(_ action: OverlayAction, in interface: NotebookInterface) {
        if scroller.perform(action, byLine: interface.state.theme.glyphs.isWords) { return }
        if action == .cancel || action == .accept { interface.dismiss(self) }
    }

    func press(at position: Position, in interface: NotebookInterface) { interface.dismiss(self) }

    func wheel(at position: Position, rows: Int, in interface: NotebookInterface) { scroller.scroll(by: rows * 3) }
}
