/// Removes English suffixes, so that "run", "runs" and "running" match each other.
///
/// It uses the first steps of Porter's algorithm (An algorithm for suffix stripping, 1980) and the commonest later
/// ones, for words of the index, in lower case without diacritics. Other words are returned unchanged.
enum Stemmer {
    static func stem(_ word: String) -> String {
        var letters = Array(word.utf8)
        guard letters.count > 2, letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { return word }
        dropPlural(&letters)
        dropParticiple(&letters)
        for suffix in suffixes where letters.count > suffix.count + 2 && letters.ends(with: suffix) {
            letters.removeLast(suffix.count)
            break
        }
        if letters.count > 3, letters.last == UInt8(ascii: "e") { letters.removeLast() }
        if letters.count > 2, letters.last == UInt8(ascii: "y") { letters[letters.count - 1] = UInt8(ascii: "i") }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Returns every word that may have this stem, a few hundred words; some of them have another stem, or occur twice.
    ///
    /// Each step of `stem` is undone in all ways, the last one first.
    static func words(withStem stem: String) -> [String] {
        guard let last = stem.utf8.last, stem.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else { return [stem] }
        var words = [stem]
        if last == UInt8(ascii: "i") { words.append(stem.dropLast() + "y") }
        words += words.map { $0 + "e" }
        words += laterEndings.flatMap { ending in words.map { $0 + ending } }
        let doubled = words.map { $0 + String(Unicode.Scalar($0.utf8.last ?? last)) }
        words += ["ing", "ed"].flatMap { ending in (words + doubled).map { $0 + ending } }
        let hissing = words.filter { $0.hasSuffix("ss") || $0.hasSuffix("i") }
        words += words.map { $0 + "s" } + hissing.map { $0 + "es" }
        return words
    }

    private static let laterEndings = ["ness", "ment", "ful", "ly"]
    private static let suffixes = laterEndings.map { Array($0.utf8) }

    private static func dropPlural(_ letters: inout [UInt8]) {
        if letters.ends(with: sses) || (letters.count > 4 && letters.ends(with: ies)) {
            letters.removeLast(2)
        } else if letters.last == UInt8(ascii: "s"), letters.count > 3,
            !sui.contains(letters[letters.count - 2])
        {
            letters.removeLast()
        }
    }

    private static func dropParticiple(_ letters: inout [UInt8]) {
        for suffix in participles where letters.ends(with: suffix) {
            let rest = letters.dropLast(suffix.count)
            guard rest.count > 1, rest.contains(where: isVowel) else { return }
            letters = Array(rest)
            if letters.count > 2, let last = letters.last, last == letters[letters.count - 2], !isVowel(last) {
                letters.removeLast()
            }
            return
        }
    }

    private static let sses = Array("sses".utf8)
    private static let ies = Array("ies".utf8)
    private static let sui = Array("sui".utf8)
    private static let participles = ["ing", "ed"].map { Array($0.utf8) }
    private static let vowels = Array("aeiouy".utf8)

    private static func isVowel(_ letter: UInt8) -> Bool { vowels.contains(letter) }
}

extension [UInt8] {
    fileprivate func ends(with suffix: [UInt8]) -> Bool { self.suffix(suffix.count).elementsEqual(suffix) }
}
