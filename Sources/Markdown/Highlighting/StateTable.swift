/// A table of states by number, so that a line takes four bytes and equal states have equal numbers.
struct StateTable: Sendable {
    static let root: UInt32 = 0

    private var states: ContiguousArray<BlockState> = [BlockState()]
    private var numbers: [BlockState: UInt32] = [BlockState(): 0]
    private var last: UInt32 = 0

    subscript(number: UInt32) -> BlockState { states[Int(number)] }

    func contains(_ number: UInt32) -> Bool { states.indices.contains(Int(number)) }

    mutating func number(of state: BlockState) -> UInt32 {
        if states[Int(last)] == state { return last }
        if let known = numbers[state] {
            last = known
            return known
        }
        last = UInt32(states.count)
        states.append(state)
        numbers[state] = last
        return last
    }
}
