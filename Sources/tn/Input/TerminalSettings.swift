import Foundation
import Interface
import Terminal

extension TerminalOptions {
    /// The terminal as the user wants it: the settings' `[screen]`, and what the environment says instead.
    ///
    /// - `TN_LOW_BANDWIDTH`: leaves out decoration, for a line that is slow; `0` does not;
    /// - `TN_ESCAPE_MS`: how many milliseconds a key that begins with ESC may take, 1 to 5000;
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
        let milliseconds = environment["TN_ESCAPE_MS"].flatMap { Int($0) } ?? screen.escapeTimeout
        if (1...5000).contains(milliseconds) { options.escapeTimeout = .milliseconds(milliseconds) }
        return options
    }
}

extension TerminalDevice {
    /// Opens the terminal for the whole screen.
    ///
    /// - Throws: `Failure`, which says what `purpose` could not be done, and what to do.
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
