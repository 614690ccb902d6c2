import Foundation
import Terminal
import Testing

@testable import Interface

/// Compares a window with a frame that was checked by eye and is stored in `Tests/Frames`.
///
/// A frame is the text of the rows and, below it, a map of their styles with a legend. One file serves all themes: a
/// letter names a style that every theme has (`StyleMap`), and the theme files define how it looks. The frame is drawn
/// in the dark, the light and the monochrome theme; all three must show the same text and fit the same map.
///
/// A missing frame, or every frame if `RECORD_FRAMES` is set, is recorded, and the test fails, so that no frame goes
/// unnoticed. `python3 Resources/picture.py --frame FILE --theme dark` converts one to a picture.
///
/// - Parameter withStatus: whether the status line belongs to the frame, including any notice in it.
@MainActor
func expectFrame(
    _ window: Window, _ name: String, withStatus: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let rows = withStatus ? window.size.rows : window.size.rows - 1
    let kept = window.interface.state.theme
    var screens: [Screen] = []
    for theme in StyleMap.themes {
        window.show(theme)
        screens.append(window.screen)
    }
    window.show(kept)
    for screen in screens.dropFirst() {
        let isSame = (0..<rows).allSatisfy { screen.text(row: $0) == screens[0].text(row: $0) }
        #expect(isSame, "\(name) has another text in another theme", sourceLocation: sourceLocation)
    }
    let text = window.lines.prefix(rows).joined(separator: "\n") + "\n"
    let shown = text + StyleMap.standard.map(of: screens, rows: rows)
    try expect(shown, inFrame: "\(name).\(window.size.columns)x\(window.size.rows)", sourceLocation)
}

/// Compares a window in one of the program's themes with a separate frame.
///
/// Its legend describes the styles themselves, because they are what a theme defines.
@MainActor
func expectFrame(
    _ window: Window, _ name: String, in theme: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let kept = window.interface.state.theme
    window.show(try #require(ThemeLibrary(folder: nil).theme(named: theme)?.theme, sourceLocation: sourceLocation))
    let rows = window.size.rows - 1
    let text = window.lines.prefix(rows).joined(separator: "\n") + "\n"
    let shown = text + StyleMap.standard.map(of: [window.screen], rows: rows)
    window.show(kept)
    try expect(shown, inFrame: "\(name).\(theme).\(window.size.columns)x\(window.size.rows)", sourceLocation)
}

/// Compares a window as a screen reader gets it with its frame: the rows, without styles, and the place of the cursor.
@MainActor
func expectRows(of window: Window, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let cursor = window.cursor.map { "\($0.position.column),\($0.position.row)" } ?? "none"
    let shown = window.lines.joined(separator: "\n") + "\n== cursor\n\(cursor)\n"
    try expect(shown, inFrame: "\(name).\(window.size.columns)x\(window.size.rows)", sourceLocation)
}

private func expect(_ shown: String, inFrame name: String, _ sourceLocation: SourceLocation) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Frames/\(name).txt")
    let isRecording = ProcessInfo.processInfo.environment["RECORD_FRAMES"] != nil
    if !isRecording, let known = try? String(contentsOf: file, encoding: .utf8) {
        #expect(shown == known, "differs from \(file.lastPathComponent)", sourceLocation: sourceLocation)
        return
    }
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try shown.write(to: file, atomically: true, encoding: .utf8)
    Issue.record("Recorded \(file.lastPathComponent); look at it", sourceLocation: sourceLocation)
}

/// Names the styles of cells by the parts of a theme: `dim on selection`.
///
/// A style is identified by its looks in three themes together, which no two parts share by chance. A style that no
/// parts produce (the colour that a user gave to a folder, a link mixed with a heading) is described by its look in
/// each theme.
struct StyleMap {
    static let themes = [Theme.dark, .light, .monochrome]
    static let standard = StyleMap()

    private var names: [[Style]: String] = [:]
    /// The names of the parts by their style without the text colour.
    private var grounds: [[Style]: String] = [:]

    private init() {
        let singles = Theme.parts.map { part in (part.name, Self.themes.map { $0[keyPath: part.path] }) }
        for (name, styles) in singles where names[styles] == nil { names[styles] = name }
        for (name, styles) in singles {
            let ground = styles.map(\.ground)
            if grounds[ground] == nil { grounds[ground] = name }
        }
        // Two layers, then three: a style's name has the fewest layers that produce it.
        for (top, over) in singles {
            for (ground, under) in singles { add("\(top) on \(ground)", Self.put(over, on: under)) }
        }
        for (top, over) in singles {
            for (middle, between) in singles {
                let upper = Self.put(over, on: between)
                for (ground, under) in singles {
                    add("\(top) on \(middle) on \(ground)", Self.put(upper, on: under))
                }
            }
        }
    }

    private mutating func add(_ name: String, _ styles: [Style]) {
        if names[styles] == nil { names[styles] = name }
    }

    private static func put(_ styles: [Style], on ground: [Style]) -> [Style] {
        zip(styles, ground).map { $0.on($1) }
    }

    /// Returns the style map of the first rows of the screens, which show one frame in each theme, with its legend.
    ///
    /// Rows that are entirely plain text are omitted; each other row has its number and a letter for each cell.
    func map(of screens: [Screen], rows: Int) -> String {
        var letters: [[Style]: Character] = [screens.map { _ in .default }: " "]
        var legend = ""
        var lines = ""
        for row in 0..<rows {
            var line = ""
            for column in 0..<screens[0].size.columns {
                let styles = screens.map { $0[column, row].style.withoutLink }
                if letters[styles] == nil {
                    let letter = Self.alphabet[min(letters.count - 1, Self.alphabet.count - 1)]
                    letters[styles] = letter
                    legend += "\(letter) \(name(of: styles))\n"
                }
                line.append(letters[styles] ?? " ")
            }
            while line.last == " " { line.removeLast() }
            if !line.isEmpty { lines += "\(row < 10 ? " " : "")\(row)|\(line)\n" }
        }
        return "== styles\n" + lines + "== legend\n" + legend
    }

    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789?")

    private func name(of styles: [Style]) -> String {
        if let name = names[styles] { return name }
        // A user's colour is the same in all themes; its background has a name.
        let colors = Set(styles.map(\.foreground))
        if colors.count == 1, let color = colors.first, let name = grounds[styles.map(\.ground)] {
            return color == .default ? name : "\(color) on \(name)"
        }
        return styles.map { "(\(StyleText.text(of: $0)))" }.joined(separator: " ")
    }
}

extension Style {
    /// The style without the colour of the text.
    fileprivate var ground: Style {
        var style = self
        style.foreground = .default
        return style
    }

    /// The visible style: the target of a link is invisible.
    fileprivate var withoutLink: Style {
        var style = self
        style.link = .none
        return style
    }
}
