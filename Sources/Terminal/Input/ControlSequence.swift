/// A parsed control sequence: `CSI prefix parameters intermediates final`.
///
/// Parameters are separated by `;`, sub-parameters by `:`. An empty field is nil. At most 16 parameters of 8
/// sub-parameters are kept; a number that is too large becomes 2^31 - 1.
struct ControlSequence {
    /// The prefix `<`, `=`, `>` or `?`; 0 for none.
    private(set) var prefix: UInt8 = 0
    private(set) var parameters: [[Int?]] = []
    /// The last byte from 0x20 to 0x2F; 0 for none.
    private(set) var intermediate: UInt8 = 0
    let final: UInt8

    private static let maximumValue = Int(Int32.max)

    init(_ bytes: [UInt8], final: UInt8) {
        self.final = final
        var rest = bytes[...]
        if let first = rest.first, (0x3C...0x3F).contains(first) {
            prefix = first
            rest.removeFirst()
        }
        var fields: [Int?] = []
        var field: Int?
        func end(parameter: Bool) {
            if fields.count < 8 { fields.append(field) }
            field = nil
            if parameter {
                if parameters.count < 16 { parameters.append(fields) }
                fields = []
            }
        }
        for byte in rest {
            switch byte {
            case 0x30...0x39: field = min((field ?? 0) * 10 + Int(byte - 0x30), ControlSequence.maximumValue)
            case 0x3A: end(parameter: false)
            case 0x3B: end(parameter: true)
            case 0x20...0x2F: intermediate = byte
            // A `-` or a second prefix: no terminal sends it, and no case here matches it.
            default: intermediate = byte
            }
        }
        if !rest.isEmpty { end(parameter: true) }
    }

    /// A parameter's first field; `fallback` if it is empty or missing.
    func value(_ index: Int, or fallback: Int = 1) -> Int {
        index < parameters.count ? parameters[index].first.flatMap { $0 } ?? fallback : fallback
    }

    /// A sub-parameter; nil if it is empty or missing.
    func field(_ index: Int, _ sub: Int) -> Int? {
        index < parameters.count && sub < parameters[index].count ? parameters[index][sub] : nil
    }

    var modifiers: Modifiers { Modifiers(parameter: value(1)) }
}
