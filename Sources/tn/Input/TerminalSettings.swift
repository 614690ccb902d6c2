import Foundation
import Interface
import Terminal

extension TerminalOptions {
    /// Returns the terminal options that the user chose: `[screen]` of the settings, overridden by the environment.
    ///
    /// - `TN_LOW_BANDWIDTH`: omits decoration, for a slow line, unless it is `0`;
    /// - `TN_ESCAPE_MS`: the time in milliseconds that a key beginning with ESC may take, 1 to 5000;
    /// - `TN_MOUSE`: `0` leaves the mouse to the terminal.
    static func ofUser(
        _ screen: ScreenSettings = Configuration.readFromUser().configuration.screen
    ) -> TerminalOptions {
        let environment = Configuration.processEnvironment
        func isOn(_ name: String) -> Bool? { environment[name].flatMap { $0.isEmpty ? nil : $0 != "0" } }
        var options = TerminalOptions(environment: environment)
        options.isLowBandwidth = isOn("TN_LOW_BANDWIDTH") ?? screen.isLowBandwidth
        options.mouse = isOn("TN_MOUSE") ?? true
        options.ambiguousIsWide =
            switch screen.ambiguousWidth {
            case .auto: nil
            case .narrow: false
            case .wide: true
            }
        options.hasOnlyASCII =
            switch screen.glyphs {
            case .auto: nil
            case .unicode, .nerdFont: false
            case .ascii: true
            }
        let milliseconds = environment["TN_ESCAPE_MS"].flatMap { Int($0) } ?? screen.escapeTimeout
        if (1...5000).contains(milliseconds) { options.escapeTimeout = .milliseconds(milliseconds) }
        return options
    }
}

extension TerminalDevice {
    /// Opens the terminal for full-screen use.
    ///
    /// - Throws: `Failure`, which says that `purpose` was not possible, and what to do.
    static func open(_ options: TerminalOptions = .ofUser(), for purpose: String) throws -> TerminalDevice {
        do {
            return try TerminalDevice(options: options)
        } catch {
            switch error {
            case .dumbTerminal(let name):
                throw Failure.dumbTerminal(name, for: purpose)
            case .noTerminal: throw Failure.noTerminal(for: purpose)
            }
        }
    }
}
