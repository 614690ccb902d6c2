/// Styles as SGR sequences: the shorter of the differences and a reset with all attributes.
extension Renderer {
    /// Sets the pen for a blank; attributes that a blank does not show may differ.
    mutating func setStyle(_ style: Style, forBlank: Bool, _ output: inout [UInt8]) {
        if forBlank, style.isPlainBlank, let pen, pen.isPlainBlank {
            if shownStyle(style).background == pen.background { return }
        }
        setStyle(style, &output)
    }

    mutating func setStyle(_ style: Style, _ output: inout [UInt8]) {
        let style = shownStyle(style)
        guard let old = pen else {
            output += ControlBytes.resetStyle
            pen = .default
            setStyle(from: .default, to: style, &output)
            return
        }
        if old != style { setStyle(from: old, to: style, &output) }
    }

    private mutating func setStyle(from old: Style, to new: Style, _ output: inout [UInt8]) {
        pen = new
        if old.link != new.link { appendLink(new.link, &output) }
        if old.unlinked == new.unlinked { return }
        if new.unlinked == .default {
            output += ControlBytes.resetStyle
            return
        }
        let start = output.count
        if optimizations.contains(.styleDifferences) {
            output += [0x1B, 0x5B]
            appendDifferences(from: old, to: new, &output)
            output[output.count - 1] = UInt8(ascii: "m")
        }
        candidate.removeAll(keepingCapacity: true)
        candidate += [0x1B, 0x5B, 0x30, 0x3B]
        appendDifferences(from: .default, to: new, &candidate)
        candidate[candidate.count - 1] = UInt8(ascii: "m")
        if output.count == start || candidate.count < output.count - start {
            output.removeSubrange(start...)
            output += candidate
        }
    }

    /// The style limited to the colours and attributes that the terminal has.
    private mutating func shownStyle(_ style: Style) -> Style {
        if style == .default { return style }
        var shown = style
        if capabilities.colorDepth != .truecolor || capabilities.isLowBandwidth {
            shown.foreground = converted(style.foreground)
            shown.background = converted(style.background)
        }
        if !capabilities.hasUnderlineStyles || capabilities.isLowBandwidth {
            if shown.underline != .none { shown.underline = .single }
            shown.underlineColor = .default
        } else if capabilities.colorDepth != .truecolor {
            shown.underlineColor = converted(style.underlineColor)
        }
        if capabilities.isLowBandwidth { shown.attributes.subtract([.italic, .dim]) }
        if !capabilities.hasItalic, shown.attributes.contains(.italic) {
            shown.attributes.remove(.italic)
            if shown.underline == .none { shown.underline = .single }
        }
        if !capabilities.hasStrikethrough, shown.attributes.contains(.strikethrough) {
            shown.attributes.remove(.strikethrough)
            shown.attributes.insert(.dim)
        }
        if !capabilities.hasHyperlinks || capabilities.isLowBandwidth { shown.link = .none }
        return shown
    }

    private mutating func converted(_ color: Color) -> Color {
        let depth = capabilities.isLowBandwidth ? min(capabilities.colorDepth, .ansi16) : capabilities.colorDepth
        if let known = colorCache[color] { return known }
        // A picture has thousands of colours, and the next picture has others.
        if colorCache.count > 8192 { colorCache.removeAll(keepingCapacity: true) }
        let result = color.converted(to: depth)
        colorCache[color] = result
        return result
    }

    // MARK: - Parameters

    /// Appends the parameters that change one style into another, each followed by `;`.
    private func appendDifferences(from old: Style, to new: Style, _ output: inout [UInt8]) {
        appendAttributes(from: old.attributes, to: new.attributes, &output)
        if old.underline != new.underline { appendUnderline(new.underline, &output) }
        if old.foreground != new.foreground { appendColor(new.foreground, base: 30, &output) }
        if old.background != new.background { appendColor(new.background, base: 40, &output) }
        if old.underlineColor != new.underlineColor { appendUnderlineColor(new.underlineColor, &output) }
    }

    private func appendAttributes(
        from old: Style.Attributes, to new: Style.Attributes, _ output: inout [UInt8]
    ) {
        guard old != new else { return }
        var old = old
        // 22 ends both bold and dim.
        if !old.intersection([.bold, .dim]).isSubset(of: new) {
            append(22, &output)
            old.subtract([.bold, .dim])
        }
        for (attribute, on, off) in Renderer.attributeCodes where old.contains(attribute) != new.contains(attribute) {
            append(new.contains(attribute) ? on : off, &output)
        }
    }

    private static let attributeCodes: [(Style.Attributes, Int, Int)] = [
        (.bold, 1, 22), (.dim, 2, 22), (.italic, 3, 23), (.blink, 5, 25), (.reverse, 7, 27), (.strikethrough, 9, 29),
    ]

    private func append(_ parameter: Int, _ output: inout [UInt8]) {
        output.append(decimal: parameter)
        output.append(0x3B)
    }

    private func appendUnderline(_ underline: Style.Underline, _ output: inout [UInt8]) {
        switch underline {
        case .none: append(24, &output)
        case .single: append(4, &output)
        default:
            output += [0x34, 0x3A]
            append(Int(underline.rawValue), &output)
        }
    }

    private func appendColor(_ color: Color, base: Int, _ output: inout [UInt8]) {
        switch color.kind {
        case .default: append(base + 9, &output)
        case .ansi(let index): append(index < 8 ? base + Int(index) : base + 52 + Int(index), &output)
        case .palette(let index):
            append(base + 8, &output)
            append(5, &output)
            append(Int(index), &output)
        case .rgb(let red, let green, let blue):
            append(base + 8, &output)
            append(2, &output)
            for channel in [red, green, blue] { append(Int(channel), &output) }
        }
    }

    /// Colons separate the parameters, so that a terminal that does not know 58 does not take them for attributes.
    private func appendUnderlineColor(_ color: Color, _ output: inout [UInt8]) {
        switch color.kind {
        case .default: append(59, &output)
        case .ansi(let index), .palette(let index): output += Array("58:5:\(index);".utf8)
        case .rgb(let red, let green, let blue): output += Array("58:2::\(red):\(green):\(blue);".utf8)
        }
    }

    // MARK: - Links

    private func appendLink(_ link: LinkID, _ output: inout [UInt8]) {
        guard let target = LinkTable.shared.withLock({ $0.target(of: link) }) else {
            output += ControlBytes.endLink
            return
        }
        output += ControlBytes.beginLink
        // All cells of a link share a number, so that the terminal highlights all of its rows.
        output += Array("id=\(link.rawValue);".utf8)
        output += Array(target.utf8)
        output += ControlBytes.stringTerminator
    }
}
