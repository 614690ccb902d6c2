extension Texts {
    static func side(_ title: String, changed age: String) -> String { "“\(title)” (\(age))" }

    /// Says where the lines with `-` are from.
    static func thisSide(_ note: String) -> String { "the text of \(note)" }
    /// Says where the lines with `+` are from.
    static func thatSide(_ note: String) -> String { "the text which lost, in \(note)" }
}
