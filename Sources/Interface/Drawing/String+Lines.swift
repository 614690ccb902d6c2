import Terminal

extension String {
    /// The text in lines of at most `columns` cells, broken between words; a longer word is cut by who draws it.
    func lines(fitting columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ") {
            let longer = line.isEmpty ? String(word) : "\(line) \(word)"
            if TextWidth.shared.width(of: longer) <= columns || line.isEmpty {
                line = longer
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
