extension PreviewLayout {
    /// The lines of a layout, each of which is created on access.
    ///
    /// The bytes and runs of all lines are stored in a few arrays: a book has hundreds of thousands of lines, and
    /// separate strings would take five times as much memory.
    public struct Lines: RandomAccessCollection, Sendable {
        private struct Record {
            /// The ends of its bytes and runs; they start at the ends of the line before.
            var textEnd: Int32
            var runEnd: Int32
            var sourceLine: Int32
            var sourceOffset: Int32
            var background: SpanKind
            var isWide: Bool
        }

        private struct Piece {
            /// The number of bytes of the run.
            var length: Int32
            /// The index of the link; -1 for none.
            var link: Int32
            var kind: SpanKind
        }

        private var records: ContiguousArray<Record> = []
        private var pieces: ContiguousArray<Piece> = []
        private var bytes: ContiguousArray<UInt8> = []

        init() {}

        public var startIndex: Int { 0 }
        public var endIndex: Int { records.count }

        public subscript(position: Int) -> Line {
            let record = records[position]
            var line = Line(sourceLine: Int(record.sourceLine))
            line.sourceOffset = record.sourceOffset < 0 ? nil : Int(record.sourceOffset)
            line.background = record.background
            line.isWide = record.isWide
            var start = textStart(position)
            let firstRun = position > 0 ? Int(records[position - 1].runEnd) : 0
            for piece in pieces[firstRun..<Int(record.runEnd)] {
                let end = start + Int(piece.length)
                let text = String(decoding: bytes[start..<end], as: UTF8.self)
                line.runs.append(Run(text, piece.kind, link: piece.link < 0 ? nil : Int(piece.link)))
                start = end
            }
            return line
        }

        private func textStart(_ position: Int) -> Int { position > 0 ? Int(records[position - 1].textEnd) : 0 }

        mutating func append(_ line: Line) {
            for run in line.runs {
                bytes.append(contentsOf: run.text.utf8)
                pieces.append(
                    Piece(length: Int32(run.text.utf8.count), link: Int32(run.link ?? -1), kind: run.kind))
            }
            records.append(
                Record(
                    textEnd: Int32(bytes.count), runEnd: Int32(pieces.count), sourceLine: Int32(line.sourceLine),
                    sourceOffset: Int32(line.sourceOffset ?? -1), background: line.background,
                    isWide: line.isWide))
        }

        /// The source position of a line, for searches that need nothing else.
        func source(of position: Int) -> (line: Int, offset: Int) {
            (Int(records[position].sourceLine), Int(records[position].sourceOffset))
        }

        /// Removes the first lines; the text of the others is unchanged.
        mutating func removeFirst(_ count: Int) {
            guard count > 0 else { return }
            let (text, run) = (records[count - 1].textEnd, records[count - 1].runEnd)
            bytes.removeFirst(Int(text))
            pieces.removeFirst(Int(run))
            records.removeFirst(count)
            for index in records.indices {
                records[index].textEnd -= text
                records[index].runEnd -= run
            }
        }

        mutating func mapSource(_ line: (Int32) -> Int) {
            for index in records.indices { records[index].sourceLine = Int32(line(records[index].sourceLine)) }
        }

        mutating func shiftSource(byLines lines: Int, bytes: Int) {
            for index in records.indices {
                records[index].sourceLine += Int32(lines)
                if records[index].sourceOffset >= 0 { records[index].sourceOffset += Int32(bytes) }
            }
        }

        /// The lines without styles, separated by LF.
        ///
        /// Access copies all of them.
        public var text: String {
            var all: [UInt8] = []
            all.reserveCapacity(bytes.count + records.count)
            for position in records.indices {
                if position > 0 { all.append(Byte.newline) }
                all.append(contentsOf: bytes[textStart(position)..<Int(records[position].textEnd)])
            }
            return String(decoding: all, as: UTF8.self)
        }
    }
}
