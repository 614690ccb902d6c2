/// The contrast of colours, and the conversion that keeps it.
extension Color {
    /// The contrast of two colours as WCAG 2.2 defines it, 1 to 21; nil if one of them is the terminal's default colour.
    public func contrast(with other: Color) -> Double? {
        guard let one = relativeLuminance, let two = other.relativeLuminance else { return nil }
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// The smallest contrast with any of the grounds; 21 if no ground has a known colour.
    public func contrast(on grounds: [Color]) -> Double { grounds.compactMap { contrast(with: $0) }.min() ?? 21 }

    /// Returns the nearest colour of a terminal of this depth that has at least this contrast on all grounds.
    ///
    /// The grounds are of that depth already. A gray stays one if that can be read. If no colour has the contrast, it is the
    /// nearest one of all.
    public func converted(to depth: ColorDepth, on grounds: [Color], contrast least: Double) -> Color {
        let nearest = converted(to: depth)
        guard depth == .ansi16 || depth == .palette256, nearest != .default, nearest.contrast(on: grounds) < least
        else { return nearest }
        let colors: [Color] = depth == .ansi16 ? (0..<16).map { .ansi($0) } : (16...255).map { .palette($0) }
        let readable = colors.filter { $0.contrast(on: grounds) >= least }
        let alike = readable.filter { $0.isColorful == isColorful }
        return self.nearest(among: alike.isEmpty ? readable : alike) ?? nearest
    }

    /// The luminance that WCAG defines: 0 for black, 1 for white.
    private var relativeLuminance: Double? {
        guard let channels else { return nil }
        let light = LinearLight.ofChannel
        return 0.2126 * light[channels.red] + 0.7152 * light[channels.green] + 0.0722 * light[channels.blue]
    }
}
