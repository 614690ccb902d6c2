/// `[ ]` or `[x]` at the start of an item.
struct TaskBox {
    let isDone: Bool
    /// Just after the `]`.
    let end: Int

    init?(_ bytes: Bytes, at start: Int) {
        guard start + 2 < bytes.count, bytes[start] == Byte.openBracket, bytes[start + 2] == Byte.closeBracket,
            start + 3 < bytes.count, bytes[start + 3].isBlank
        else { return nil }
        switch bytes[start + 1] {
        case Byte.space: isDone = false
        case Byte.lowerX, Byte.upperX: isDone = true
        default: return nil
        }
        end = start + 3
    }
}
