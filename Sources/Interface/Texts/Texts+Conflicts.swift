extension Texts {
    static func side(_ title: String, changed age: String) -> String { "“\(title)” (\(age))" }

    /// Returns a line that says where the lines with `-` and with `+` are from.
    ///
    /// - Parameter this: the note in the list; nil if it is gone.
    static func sides(_ this: String?, _ that: String) -> String {
        (this.map { "- the text of \($0)   " } ?? "") + "+ the text which lost, in \(that)"
    }
}
