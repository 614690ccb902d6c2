import Foundation
import Synchronization
import TextPrimitives

/// The form of a text that a plain search compares: decomposed canonically, and without case if case does not matter.
///
/// Case is folded fully by Unicode's "C + F", so that one letter may become several (`ß` and `ss` are equal). One
/// choice differs: `i`, `I`, `ı` and `İ` are one letter, since which of them belong together depends on the language,
/// which is not known.
enum TextFolding: Int, Sendable {
    case keepingCase, ignoringCase

    /// A scalar's folded form, in canonical order.
    func fold(_ scalar: Unicode.Scalar) -> [UInt32] {
        var text = String(scalar).decomposedStringWithCanonicalMapping
        if self == .ignoringCase {
            if scalar == "İ" || scalar == "ı" { return [0x69] }
            // Upper-casing unites characters that lower-casing keeps apart: ς and σ, µ and μ, ſ and s. Lower-casing
            // first turns ẞ into ß.
            for map in [\Unicode.Scalar.Properties.lowercaseMapping, \.uppercaseMapping, \.lowercaseMapping] {
                text = text.unicodeScalars.reduce(into: "") { $0 += $1.properties[keyPath: map] }
            }
            text = text.decomposedStringWithCanonicalMapping
        }
        return text.unicodeScalars.map(\.value)
    }

    /// A whole text's folded form.
    func fold(_ text: String) -> [UInt32] {
        var text = text
        return text.withUTF8 { bytes in
            var reader = FoldingReader(self)
            var position = 0
            while position < bytes.count { position = reader.read(bytes, at: position) }
            return reader.units
        }
    }
}

/// The folded forms of 256 consecutive scalars.
private final class FoldingPage: Sendable {
    /// The folded form of each scalar for which it is a single scalar; otherwise 0.
    let single: [UInt32]
    let several: [UInt8: [UInt32]]
    /// The canonical combining classes; empty where all are 0.
    let combiningClasses: [UInt8]

    init(_ number: Int, _ folding: TextFolding) {
        var single: [UInt32] = []
        var several: [UInt8: [UInt32]] = [:]
        var classes: [UInt8] = []
        for low in UInt32(0)..<0x100 {
            let value = UInt32(number) << 8 | low
            guard let scalar = Unicode.Scalar(value) else {
                single.append(value)
                classes.append(0)
                continue
            }
            let folded = folding.fold(scalar)
            if folded.count != 1 { several[UInt8(low)] = folded }
            single.append(folded.count == 1 ? folded[0] : 0)
            classes.append(scalar.properties.canonicalCombiningClass.rawValue)
        }
        self.single = single
        self.several = several
        combiningClasses = classes.contains { $0 != 0 } ? classes : []
    }

    func combiningClass(_ low: UInt8) -> UInt8 { combiningClasses.isEmpty ? 0 : combiningClasses[Int(low)] }
}

/// The pages made so far, by folding and number; making one takes about 0.2 ms.
private final class FoldingPages: Sendable {
    static let shared = FoldingPages()
    private let pages = Mutex<[Int: FoldingPage]>([:])

    func page(_ number: Int, _ folding: TextFolding) -> FoldingPage {
        let key = number * 2 + folding.rawValue
        if let page = pages.withLock({ $0[key] }) { return page }
        let page = FoldingPage(number, folding)
        return pages.withLock { pages in
            // Another thread may have made the page meanwhile; one of the two pages is kept.
            if let other = pages[key] { return other }
            pages[key] = page
            return page
        }
    }
}

/// Reads a text one character at a time, in its folded form.
struct FoldingReader {
    private let folding: TextFolding
    /// The folded text read so far.
    private(set) var units: [UInt32] = []
    private var pages: [FoldingPage?] = Array(repeating: nil, count: 0x1100)
    /// The combining classes of the marks that are being read.
    private var classes: [UInt8] = []

    init(_ folding: TextFolding) { self.folding = folding }

    mutating func forget() { units.removeAll(keepingCapacity: true) }

    private mutating func page(_ scalar: UInt32) -> FoldingPage {
        let number = Int(scalar >> 8)
        if let page = pages[number] { return page }
        let page = FoldingPages.shared.page(number, folding)
        pages[number] = page
        return page
    }

    /// The first folded scalar of the scalar at `position`, for quickly rejecting non-matches.
    mutating func first(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> UInt32 {
        let scalar = Clusters.scalar(at: position, in: bytes)
        if scalar < 0x80 { return folded(UInt8(scalar)) }
        let page = page(scalar)
        let low = UInt8(truncatingIfNeeded: scalar)
        let single = page.single[Int(low)]
        return single == 0 ? page.several[low]?.first ?? scalar : single
    }

    @inline(__always) private func folded(_ byte: UInt8) -> UInt32 {
        UInt32(folding == .ignoringCase && byte &- 0x41 < 26 ? byte | 0x20 : byte)
    }

    /// Reads a scalar and the marks after it in canonical order, and returns the start of the next one.
    ///
    /// - Parameter position: The start of a scalar, before the end of `bytes`.
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> Int {
        let first = bytes[position]
        var next = position + Clusters.scalarLength(first)
        guard first >= 0x80 || next < bytes.count && bytes[next] >= 0xC0 else {
            units.append(folded(first))
            return next
        }
        let start = units.count
        append(Clusters.scalar(at: position, in: bytes))
        var hasMarks = false
        while next < bytes.count, bytes[next] >= 0xC0 {
            let scalar = Clusters.scalar(at: next, in: bytes)
            guard page(scalar).combiningClass(UInt8(truncatingIfNeeded: scalar)) != 0 else { break }
            append(scalar)
            hasMarks = true
            next += Clusters.scalarLength(bytes[next])
        }
        if hasMarks { order(from: start) }
        return next
    }

    private mutating func append(_ scalar: UInt32) {
        let page = page(scalar)
        let low = UInt8(truncatingIfNeeded: scalar)
        let single = page.single[Int(low)]
        if single == 0 {
            units += page.several[low] ?? [scalar]
        } else {
            units.append(single)
        }
    }

    /// Sorts marks into canonical order, and drops the dot above an `i`, which has one already.
    private mutating func order(from start: Int) {
        classes.removeAll(keepingCapacity: true)
        for index in start..<units.count {
            let unit = units[index]
            classes.append(page(unit).combiningClass(UInt8(truncatingIfNeeded: unit)))
        }
        // Insertion sort: marks are few, and those of one class keep their order.
        for index in classes.indices.dropFirst() where classes[index] != 0 {
            var position = index
            while position > 0, classes[position - 1] > classes[position] {
                classes.swapAt(position, position - 1)
                units.swapAt(start + position, start + position - 1)
                position -= 1
            }
        }
        guard folding == .ignoringCase, units[start] == 0x69,
            let dot = units[start...].firstIndex(of: 0x307)
        else { return }
        units.remove(at: dot)
    }
}
