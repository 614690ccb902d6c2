/// A scaler that receives a picture row by row, so that the whole picture is never in memory.
///
/// Each new pixel is the average of the old ones that it covers, weighted by their alpha. A larger size repeats pixels.
public struct BoxScaler {
    private let oldWidth: Int
    private let newSize: (width: Int, height: Int)
    private let oldHeight: Int
    /// The first old column of each new column, followed by the end of the last one.
    private let columns: [Int]
    /// For each new column, the sums of red, green and blue multiplied by alpha, the sum of alpha, and the number of
    /// pixels.
    private var sums: [Int]
    private var output: [UInt8] = []
    /// The index of the next old row, and that of the new row being summed up.
    private var oldRow = 0
    private var newRow = 0

    public init(from old: (width: Int, height: Int), to new: (width: Int, height: Int)) {
        (oldWidth, oldHeight, newSize) = (old.width, old.height, new)
        columns = (0...new.width).map { $0 * old.width / new.width }
        sums = [Int](repeating: 0, count: new.width * 5)
        output.reserveCapacity(new.width * new.height * 4)
    }

    private func start(ofRow row: Int) -> Int { row * oldHeight / newSize.height }

    /// Adds the next row of the old picture; rows beyond its height are ignored.
    public mutating func add(_ row: UnsafeBufferPointer<UInt8>) {
        precondition(row.count >= oldWidth * 4, "a row that is too short")
        while newRow < newSize.height, start(ofRow: newRow) <= oldRow {
            sum(row)
            guard oldRow + 1 >= start(ofRow: newRow + 1) else { break }
            finishRow()
        }
        oldRow += 1
    }

    private mutating func sum(_ row: UnsafeBufferPointer<UInt8>) {
        let (columns, width) = (columns, newSize.width)
        sums.withUnsafeMutableBufferPointer { sums in
            columns.withUnsafeBufferPointer { columns in
                var column = 0
                while column < width {
                    let first = columns[column]
                    let end = max(columns[column + 1], first + 1)
                    var (red, green, blue, alpha) = (0, 0, 0, 0)
                    var index = first * 4
                    while index < end * 4 {
                        let weight = Int(row[index + 3])
                        red &+= Int(row[index]) &* weight
                        green &+= Int(row[index + 1]) &* weight
                        blue &+= Int(row[index + 2]) &* weight
                        alpha &+= weight
                        index &+= 4
                    }
                    let offset = column &* 5
                    sums[offset] &+= red
                    sums[offset + 1] &+= green
                    sums[offset + 2] &+= blue
                    sums[offset + 3] &+= alpha
                    sums[offset + 4] &+= end &- first
                    column &+= 1
                }
            }
        }
    }

    private mutating func finishRow() {
        for offset in stride(from: 0, to: sums.count, by: 5) {
            let alpha = sums[offset + 3]
            for channel in 0..<3 {
                output.append(alpha == 0 ? 0 : UInt8((sums[offset + channel] + alpha / 2) / alpha))
            }
            let count = max(sums[offset + 4], 1)
            output.append(UInt8((alpha + count / 2) / count))
            for channel in 0..<5 { sums[offset + channel] = 0 }
        }
        newRow += 1
    }

    /// The new picture, or `nil` until all rows were added.
    public var pixels: Pixels? { Pixels(width: newSize.width, height: newSize.height, bytes: output) }
}
