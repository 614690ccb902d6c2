extension String {
    /// Returns the text with its letters changed by a case operator.
    func withCase(_ operation: VimOperator) -> String {
        switch operation {
        case .lowerCase: String(map { $0.changed(to: $0.lowercased()) })
        case .upperCase: String(map { $0.changed(to: $0.uppercased()) })
        default: String(map { $0.isUppercase ? $0.changed(to: $0.lowercased()) : $0.changed(to: $0.uppercased()) })
        }
    }
}

extension Character {
    /// Returns the changed form of the letter if it is one character, else the letter itself.
    fileprivate func changed(to other: String) -> Character { other.count == 1 ? Character(other) : self }
}
