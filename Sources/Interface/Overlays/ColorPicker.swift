import NoteStore
import Terminal
import TextPrimitives

/// A picker for the colour of a folder, project or tag: fixed colours, and any other typed as `#RRGGBB`.
@MainActor
enum ColorPicker {
    /// The app's pink comes first; the others are the system colours of Apple's platforms, which the app offers.
    private static let colors: [(name: String, rgb: UInt32)] = [
        ("Pink", 0xFF26B9), ("Red", 0xFF3B30), ("Orange", 0xFF9500), ("Yellow", 0xFFCC00), ("Green", 0x34C759),
        ("Mint", 0x00C7BE), ("Teal", 0x30B0C7), ("Cyan", 0x32ADE6), ("Blue", 0x007AFF), ("Indigo", 0x5856D6),
        ("Purple", 0xAF52DE), ("Brown", 0xA2845E), ("Grey", 0x8E8E93),
    ]

    /// Returns a picker whose first item is the container's own colour if that is not one of the fixed ones.
    static func picker(
        for container: NoteContainer, swatch: String, choose: @escaping @MainActor (UInt32) -> Void
    ) -> PickerOverlay {
        let current = container.colorRGBA >> 8
        func item(_ name: String, _ rgb: UInt32) -> PickerOverlay.Item {
            var detail = RGBText.text(rgb)
            if rgb == current { detail = Texts.now + "  " + detail }
            // On the ground of some themes, a name in its own colour could not be read.
            return PickerOverlay.Item(
                title: name, detail: detail, mark: swatch, markStyle: Style(foreground: .rgb(rgb))
            ) { choose(rgb << 8 | 0xFF) }
        }
        let first = colors.contains { $0.rgb == current } ? [] : [(Texts.asItIs, current)]
        return PickerOverlay(title: Texts.color(of: container.name), hints: Texts.Hints.color) { typed in
            let word = typed.trimmingWhitespace.lowercased()
            let named = (first + colors).filter { word.isEmpty || $0.0.lowercased().contains(word) }
            let hex = RGBText.value(word).map { [item(RGBText.text($0), $0)] } ?? []
            return hex + named.map { item($0.0, $0.1) }
        }
    }
}

extension String {
    /// Returns the text without white space at its ends.
    var trimmingWhitespace: String {
        let start = drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}
