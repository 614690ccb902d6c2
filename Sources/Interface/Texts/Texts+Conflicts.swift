extension Texts {
    static func side(_ title: String, changed age: String) -> String { "“\(title)” (\(age))" }

    /// Says whose the lines with a minus and with a plus are.
    ///
    /// - Parameter this: the note whose text stands; nil if it is gone.
    static func sides(_ this: String?, _ that: String) -> String {
        (this.map { "- the text of \($0)   " } ?? "") + "+ the other machine's, in \(that)"
    }
}
