#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Conversion of colours for terminals that have fewer: the nearest one by perceived difference.
extension Color {
    /// Returns the colour itself, or the nearest one that a terminal of this depth has.
    ///
    /// The distance is measured in OKLab, where equal steps look equally large. It costs some microseconds, so callers
    /// cache the result.
    public func converted(to depth: ColorDepth) -> Color {
        switch (kind, depth) {
        case (.default, _), (_, .none): .default
        case (.ansi, _), (_, .truecolor), (.palette, .palette256): self
        case (.palette(let index), .ansi16) where index < 16: .ansi(index)
        case (.rgb, .palette256): .palette(UInt8(16 + Color.nearest(to: oklab, in: Color.cubeAndGrays)))
        case (_, .ansi16): .ansi(Color.nearestAnsi(to: self))
        }
    }

    /// Red, green and blue, 0 to 255; nil for the default colour.
    ///
    /// The sixteen colours have xterm's values, since those of the user's theme are not known.
    public var channels: (red: Int, green: Int, blue: Int)? {
        switch kind {
        case .default: nil
        case .rgb(let red, let green, let blue): (Int(red), Int(green), Int(blue))
        case .ansi(let index): Color.channels(ofPalette: Int(index))
        case .palette(let index): Color.channels(ofPalette: Int(index))
        }
    }

    /// The perceived lightness of the colour, 0 to 1; the default colour counts as 1.
    public var luminance: Double { channels == nil ? 1 : oklab.lightness }

    /// The distance to a colour in OKLab, in which black and white are 1 apart; the default colour counts as white.
    public func distance(to other: Color) -> Double { oklab.squaredDistance(to: other.oklab).squareRoot() }

    /// The nearest colour of the palette of 256 that is not a gray.
    public var colorfulOfPalette: Color {
        var best = (index: 16, distance: Double.infinity)
        for (index, candidate) in Color.cubeAndGrays.enumerated() where candidate.chroma > 0.06 {
            let distance = oklab.squaredDistance(to: candidate)
            if distance < best.distance { best = (index + 16, distance) }
        }
        return .palette(UInt8(best.index))
    }

    // MARK: - Palette

    private static let ansiChannels: [(Int, Int, Int)] = [
        (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
        (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
        (255, 255, 255),
    ]

    /// The channels of a palette colour: first 16 colours, then a cube of 6 x 6 x 6, then 24 grays.
    private static func channels(ofPalette index: Int) -> (red: Int, green: Int, blue: Int) {
        if index < 16 { return ansiChannels[index] }
        if index >= 232 {
            let gray = 8 + 10 * (index - 232)
            return (gray, gray, gray)
        }
        let steps = [0, 95, 135, 175, 215, 255]
        let cube = index - 16
        return (steps[cube / 36], steps[cube / 6 % 6], steps[cube % 6])
    }

    private static let cubeAndGrays = (16...255).map { OKLab(channels(ofPalette: $0)) }
    private static let ansi = ansiChannels.map { OKLab($0) }

    // MARK: - Distance

    /// Whether the colour is clearly not a gray.
    public var isColorful: Bool { oklab.chroma > Color.minimumChroma }
    private static let minimumChroma = 0.06

    private var oklab: OKLab { OKLab(channels ?? (255, 255, 255)) }

    private static func nearest(to wanted: OKLab, in colors: [OKLab]) -> Int {
        var best = (index: 0, distance: Double.infinity)
        for (index, color) in colors.enumerated() {
            let distance = wanted.squaredDistance(to: color)
            if distance < best.distance { best = (index, distance) }
        }
        return best.index
    }

    /// The nearest of the sixteen colours.
    private static func nearestAnsi(to color: Color) -> UInt8 {
        nearest(to: color.oklab, among: ansi).map(UInt8.init) ?? 0
    }

    /// Returns the nearest of some colours; nil if there are none.
    func nearest(among colors: [Color]) -> Color? {
        Color.nearest(to: oklab, among: colors.map(\.oklab)).map { colors[$0] }
    }

    /// The index of the nearest of a few colours.
    ///
    /// The nearest one of all is too often a gray, so a clearly colourful colour is only compared with colourful ones.
    private static func nearest(to wanted: OKLab, among colors: [OKLab]) -> Int? {
        let isColorful = wanted.chroma > minimumChroma && colors.contains { $0.chroma > minimumChroma }
        var best: (index: Int, distance: Double)?
        for (index, candidate) in colors.enumerated() where !isColorful || candidate.chroma > minimumChroma {
            let distance = wanted.squaredDistance(to: candidate)
            if distance < best?.distance ?? .infinity { best = (index, distance) }
        }
        return best?.index
    }
}

/// A colour in Björn Ottosson's OKLab (2020): lightness, green to red, blue to yellow.
private struct OKLab {
    let lightness: Double
    let a: Double
    let b: Double

    init(_ channels: (red: Int, green: Int, blue: Int)) {
        let light = LinearLight.ofChannel
        let (red, green, blue) = (light[channels.red], light[channels.green], light[channels.blue])
        let long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
        let medium = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
        let short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
        lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
        a = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
        b = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
    }

    var chroma: Double { (a * a + b * b).squareRoot() }

    func squaredDistance(to other: OKLab) -> Double {
        let (dl, da, db) = (lightness - other.lightness, a - other.a, b - other.b)
        return dl * dl + da * da + db * db
    }
}

/// The inverse of the sRGB transfer function (IEC 61966-2-1).
enum LinearLight {
    /// The linear light, 0 to 1, of each value of a channel, 0 to 255.
    ///
    /// It is a table because a theme is fitted to fewer colours before the first frame, which compares thousands of colours.
    static let ofChannel: [Double] = (0...255).map { channel in
        let value = Double(channel) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
}
