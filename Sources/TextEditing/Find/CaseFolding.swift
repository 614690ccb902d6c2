/// Letters without their case, scalar by scalar.
enum CaseFolding {
    /// The scalar's small letter, where that is one scalar.
    @inline(__always) static func fold(_ scalar: UInt32) -> UInt32 {
        if scalar < 0x80 { return scalar &- 0x41 < 26 ? scalar | 0x20 : scalar }
        if scalar < 0x600 { return low[Int(scalar)] }
        return byProperties(scalar)
    }

    /// Latin, Greek, Cyrillic, Armenian: made once, for looking up.
    private static let low: [UInt32] = (0..<0x600).map(byProperties)

    private static func byProperties(_ value: UInt32) -> UInt32 {
        guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenLowercased else { return value }
        let small = scalar.properties.lowercaseMapping.unicodeScalars
        guard let first = small.first, small.count == 1 else { return value }
        return first.value
    }

    /// The first bytes that a scalar of the same letter can have.
    static func firstBytes(like scalar: UInt32) -> Set<UInt8> {
        guard let unicode = Unicode.Scalar(scalar) else { return [] }
        let properties = unicode.properties
        let forms = [
            String(unicode), properties.lowercaseMapping, properties.uppercaseMapping, properties.titlecaseMapping,
        ]
        var bytes = Set(forms.compactMap(\.utf8.first))
        // Two letters fold to ASCII from outside of it: the Kelvin sign and the long s do not, but their capitals do.
        if scalar | 0x20 == 0x6B { bytes.insert(0xE2) }
        return bytes
    }
}
