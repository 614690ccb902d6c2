extension InputDecoder {
    /// Finishes `CSI < button ; column ; row M`, or `m` for a release.
    mutating func finishMouse(_ sequence: ControlSequence, _ events: inout [InputEvent]) {
        let isPress = sequence.final == UInt8(ascii: "M")
        guard isPress || sequence.final == UInt8(ascii: "m"), sequence.parameters.count == 3 else { return }
        let position = InputDecoder.position(column: sequence.value(1), row: sequence.value(2))
        emitMouse(code: sequence.value(0, or: 0), position, isRelease: !isPress, &events)
    }

    /// Reads one byte of X10's report: button, column and row, each plus 32.
    mutating func stepX10Mouse(_ byte: UInt8, _ events: inout [InputEvent]) -> Bool {
        guard byte >= 0x20 else { return leave(for: byte) }
        collected.append(byte)
        guard collected.count == 3 else { return true }
        state = .ground
        let code = Int(collected[0]) - 32
        let position = InputDecoder.position(column: Int(collected[1]) - 32, row: Int(collected[2]) - 32)
        emitMouse(code: code, position, isRelease: code & 3 == 3 && code < 32, &events)
        return true
    }

    private mutating func emitMouse(
        code: Int, _ position: Position, isRelease: Bool, _ events: inout [InputEvent]
    ) {
        guard code < 256 else { return }
        var modifiers: Modifiers = []
        if code & 4 != 0 { modifiers.insert(.shift) }
        if code & 8 != 0 { modifiers.insert(.alt) }
        if code & 16 != 0 { modifiers.insert(.control) }
        if code & 64 != 0 {
            guard !isRelease else { return }
            let ticks = [(0, -1), (0, 1), (-1, 0), (1, 0)][code & 3]
            append(MouseEvent(.wheel(columns: ticks.0, rows: ticks.1), .none, at: position, modifiers), &events)
            return
        }
        let button: MouseEvent.Button =
            code & 128 != 0 ? (code & 1 == 0 ? .back : .forward) : [.left, .middle, .right, .none][code & 3]
        let isMotion = code & 32 != 0
        let kind: MouseEvent.Kind = isRelease ? .release : !isMotion ? .press : button == .none ? .move : .drag
        append(MouseEvent(kind, button, at: position, modifiers), &events)
    }

    /// Merges motion and wheel ticks that arrive together into one event with the last position and the sum of the
    /// ticks.
    private mutating func append(_ event: MouseEvent, _ events: inout [InputEvent]) {
        if isAlt { events.append(.key(KeyPress(.escape))) }
        isAlt = false
        guard case .mouse(var last) = events.last, last.modifiers == event.modifiers, last.button == event.button else {
            events.append(.mouse(event))
            return
        }
        switch (last.kind, event.kind) {
        case (.drag, .drag), (.move, .move): last = event
        case (.wheel(let columns, let rows), .wheel(let moreColumns, let moreRows)):
            last.kind = .wheel(columns: columns + moreColumns, rows: rows + moreRows)
            last.position = event.position
        default:
            events.append(.mouse(event))
            return
        }
        events[events.count - 1] = .mouse(last)
    }
}
