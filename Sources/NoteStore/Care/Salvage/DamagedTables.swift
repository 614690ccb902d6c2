import Foundation

/// The rows of a notebook's tables, read from the pages of a damaged file.
///
/// It follows the trees from the roots that the schema names, skipping unreadable pages. Then it examines every page
/// that no tree led to, and assigns each row there to the table whose rows look like it, unless the row was found
/// already. So a damaged page costs only its own content, and a lost root or schema costs only time.
struct DamagedTables {
    /// Rows of tables with a rowid, by table name and rowid.
    private(set) var rows: [String: [Int64: DamagedRecord]] = [:]
    /// Rows of tables without a rowid, by table name.
    private(set) var keyed: [String: [DamagedRecord]] = [:]
    /// Complete texts whose key another text has too: older texts not removed yet, or another notebook's.
    private(set) var otherTexts: [DamagedRecord] = []

    private let file: DamagedFile
    private var visited: Set<Int> = []

    /// Whether two notes with different identities share a key, so that the file contains parts of two notebooks.
    private(set) var holdsOtherNotes = false

    private static let texts = "note_text"

    private enum PageType {
        static let innerIndex: UInt8 = 2, innerTable: UInt8 = 5, leafIndex: UInt8 = 10, leafTable: UInt8 = 13
    }

    init(_ file: DamagedFile) {
        self.file = file
        for (name, root) in roots() { follow(root, name) }
        let free = file.freePages()
        if file.pageCount >= 1 {
            for number in 1...file.pageCount where !visited.contains(number) && !free.contains(number) {
                if let page = file.page(number) { takeStray(page, header: number == 1 ? 100 : 0) }
            }
        }
        for page in file.strayPages { takeStray(page, header: 0) }
    }

    // MARK: - Trees

    /// Returns the tables and their root pages, as far as the schema can be read.
    private mutating func roots() -> [(String, Int)] {
        var found: [Int64: DamagedRecord] = [:]
        walk(1) { key, record in if found[key] == nil { found[key] = record } }
        return found.sorted { $0.key < $1.key }.compactMap { _, record in
            guard record.values.count >= 5, record.values[0].text == "table", let name = record.values[1].text,
                let root = record.values[3].integer, root > 1, root <= file.pageCount, !name.hasPrefix("sqlite_")
            else { return nil }
            return (name, Int(root))
        }
    }

    private mutating func follow(_ root: Int, _ name: String) {
        var rows: [Int64: DamagedRecord] = [:]
        var keyed: [DamagedRecord] = []
        var isKeyed = false
        var others: [DamagedRecord] = []
        walk(root) { key, record in
            if let known = rows[key], known.isWhole, record.isWhole { others.append(known) }
            if rows[key] == nil || record.isWhole { rows[key] = record }
        } index: { record in
            isKeyed = true
            keyed.append(record)
        }
        if name == Self.texts { otherTexts += others }
        if isKeyed { self.keyed[name] = keyed } else { self.rows[name] = rows }
    }

    /// Visits a tree's pages, each once.
    private mutating func walk(
        _ root: Int, row: (Int64, DamagedRecord) -> Void, index: (DamagedRecord) -> Void = { _ in }
    ) {
        var waiting = [root]
        while let number = waiting.popLast() {
            guard number >= 1, !visited.contains(number), let page = file.page(number) else { continue }
            let header = number == 1 ? 100 : 0
            switch page[page.startIndex + header] {
            case PageType.innerTable:
                visited.insert(number)
                waiting += children(page, header)
            case PageType.innerIndex:
                visited.insert(number)
                waiting += children(page, header)
                for cell in cells(page, header, headerSize: 12) {
                    if let record = indexRecord(page, cell + 4) { index(record) }
                }
            case PageType.leafTable:
                visited.insert(number)
                for cell in cells(page, header, headerSize: 8) {
                    if let record = tableRecord(page, cell) { row(record.key, record) }
                }
            case PageType.leafIndex:
                visited.insert(number)
                for cell in cells(page, header, headerSize: 8) {
                    if let record = indexRecord(page, cell) { index(record) }
                }
            default: break
            }
        }
    }

    /// Returns the offsets of a page's cells.
    private func cells(_ page: Data, _ header: Int, headerSize: Int) -> [Int] {
        let count = page.bigEndian16(at: header + 3)
        let start = header + headerSize
        let fitting = min(count, (file.usable - start) / 2)
        guard fitting > 0 else { return [] }
        return (0..<fitting).map { page.bigEndian16(at: start + 2 * $0) }.filter {
            $0 >= start && $0 < file.usable
        }
    }

    private func children(_ page: Data, _ header: Int) -> [Int] {
        cells(page, header, headerSize: 12).map { page.bigEndian32(at: $0) } + [page.bigEndian32(at: header + 8)]
    }

    // MARK: - Rows

    private func tableRecord(_ page: Data, _ cell: Int) -> DamagedRecord? {
        var reader = ByteReader(page, at: cell)
        guard let size = reader.variable(), let key = reader.signed(),
            let (payload, isWhole) = payload(page, reader.offset, size, most: file.usable - 35)
        else { return nil }
        return DamagedRecord(payload, key: key, isWhole: isWhole)
    }

    private func indexRecord(_ page: Data, _ cell: Int) -> DamagedRecord? {
        var reader = ByteReader(page, at: cell)
        guard let size = reader.variable(),
            let (payload, isWhole) = payload(
                page, reader.offset, size, most: (file.usable - 12) * 64 / 255 - 23)
        else { return nil }
        return DamagedRecord(payload, key: 0, isWhole: isWhole)
    }

    /// Returns the bytes of a row; a long row has most of them on overflow pages.
    ///
    /// - Parameter most: how many bytes a cell of such a page can hold.
    private func payload(_ page: Data, _ start: Int, _ size: Int, most: Int) -> (Data, isWhole: Bool)? {
        guard size > 0, size <= 1 << 30 else { return nil }
        if size <= most {
            guard start + size <= file.usable else { return nil }
            return (page.slice(start, size), true)
        }
        let least = (file.usable - 12) * 32 / 255 - 23
        let room = file.usable - 4
        let local = least + (size - least) % room
        let here = local <= most ? local : least
        guard start + here + 4 <= file.usable else { return nil }
        var bytes = page.slice(start, here)
        var next = page.bigEndian32(at: start + here)
        var seen: Set<Int> = []
        while bytes.count < size {
            guard next > 1, seen.insert(next).inserted, let page = file.page(next) else { return (bytes, false) }
            bytes += page.slice(4, min(room, size - bytes.count))
            next = page.bigEndian32(at: 0)
        }
        return (bytes, true)
    }

    // MARK: - Stray pages

    private mutating func takeStray(_ page: Data, header: Int) {
        guard page[page.startIndex + header] == PageType.leafTable else { return }
        for cell in cells(page, header, headerSize: 8) {
            guard let record = tableRecord(page, cell), let table = Self.table(of: record) else { continue }
            if let known = rows[table]?[record.key], known.isWhole || !record.isWhole {
                if table == Self.texts, record.isWhole { otherTexts.append(record) }
                if table == "note", known.values[1].text != record.values[1].text { holdsOtherNotes = true }
                continue
            }
            rows[table, default: [:]][record.key] = record
        }
    }

    /// Returns the table whose rows look like this record.
    private static func table(of record: DamagedRecord) -> String? {
        let values = record.values
        func isIdentity(_ index: Int) -> Bool { values[index].text.map { UUID(uuidString: $0) != nil } ?? false }
        func isText(_ index: Int) -> Bool { values[index].text != nil }
        func isInteger(_ index: Int) -> Bool { values[index].integer != nil }
        switch values.count {
        case 3 where values[0] == .null && isText(1) && isInteger(2): return "note_text"
        // The table had six columns before pictures had a size.
        case 6...8 where isIdentity(1) && values[3].text?.hasPrefix("image/") == true: return "note_image"
        case 6 where isIdentity(1) && isText(2) && isText(4) && isInteger(5): return "saved_search"
        case 9 where isInteger(1) && isInteger(2) && isText(4) && isText(8): return "note_version"
        case 18... where isIdentity(1) && values[2].text.map { NoteContainer.Kind(rawValue: $0) != nil } == true:
            return "container"
        case 20... where isIdentity(1) && isText(2) && isText(3) && isInteger(5) && isInteger(6): return "note"
        default: return nil
        }
    }
}
