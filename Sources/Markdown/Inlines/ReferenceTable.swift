import TextPrimitives

/// A table of link labels and their values; labels match if they are equal after case folding and collapsing of white
/// space.
struct ReferenceTable: Sendable {
    private var values: [[UInt8]: Int32] = [:]

    var isEmpty: Bool { values.isEmpty }

    /// Defines a label, unless it is already defined.
    mutating func define(_ label: Bytes, as value: Int32) {
        let key = Self.key(label)
        if values[key] == nil { values[key] = value }
    }

    func value(of label: Bytes) -> Int32? {
        values.isEmpty ? nil : values[Self.key(label)]
    }

    subscript(key: [UInt8]) -> Int32? {
        get { values[key] }
        set { values[key] = newValue }
    }

    static func key(_ label: Bytes) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(label.count)
        var needsSpace = false
        var isASCII = true
        for byte in label {
            if byte.isSpace {
                needsSpace = !key.isEmpty
                continue
            }
            if needsSpace {
                key.append(Byte.space)
                needsSpace = false
            }
            isASCII = isASCII && byte < 0x80
            key.append(byte.lowercased)
        }
        return isASCII ? key : folded(key)
    }

    /// Full case folding by the mappings of the standard library.
    ///
    /// Mapping to lower case, upper case and lower case again unites the characters that case folding unites (`ẞ`, `ß`,
    /// `SS`). Dotless `ı` folds to itself although its capital is `I`.
    private static func folded(_ key: [UInt8]) -> [UInt8] {
        var result = String.UnicodeScalarView()
        for scalar in String(decoding: key, as: UTF8.self).unicodeScalars {
            if scalar.isASCII || scalar == "\u{131}" {
                result.append(scalar)
                continue
            }
            for lower in scalar.properties.lowercaseMapping.unicodeScalars {
                for upper in lower.properties.uppercaseMapping.unicodeScalars {
                    result.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
                }
            }
        }
        return Array(String(result).utf8)
    }
}
