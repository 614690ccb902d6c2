import TextPrimitives

/// The text form of colours, as users write it in configuration files and themes.
extension Color: CustomStringConvertible {
    /// The sixteen colours, dark ones first, by their usual ANSI names.
    private static let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright-black", "bright-red",
        "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
    ]

    /// Reads `default`, one of the sixteen by name, `0` to `255`, `#RRGGBB` or `#RGB`; nil for anything else.
    public init?(text: String) {
        if text == "default" {
            self = .default
        } else if let index = Color.names.firstIndex(of: text) {
            self = .ansi(UInt8(index))
        } else if let index = UInt8(text) {
            self = .palette(index)
        } else if text.hasPrefix("#") {
            self.init(hex: text)
        } else {
            return nil
        }
    }

    /// The form that `init(text:)` reads.
    public var description: String {
        switch kind {
        case .default: "default"
        case .ansi(let index): Color.names[Int(index)]
        case .palette(let index): String(index)
        case .rgb(let red, let green, let blue): "#" + Hexadecimal.text([red, green, blue], uppercase: true)
        }
    }
}
