import Foundation

/// The measured values of one quantity, in order of measurement.
struct Samples {
    var values: [Double] = []

    /// Returns the value that the given fraction of all values does not exceed: 0.5 is the median.
    func quantile(_ part: Double) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }

    var median: Double? { quantile(0.5) }
    var p99: Double? { quantile(0.99) }
}

/// Prints tables in Markdown as their values are measured.
enum Report {
    static func write(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    static func table(_ title: String, _ columns: [String], _ rows: [[String]]) {
        write("\n### \(title)\n")
        write("| " + columns.joined(separator: " | ") + " |")
        write("|" + columns.indices.map { $0 == 0 ? "---|" : "---:|" }.joined())
        for row in rows { write("| " + row.joined(separator: " | ") + " |") }
    }

    /// Formats a value with three significant digits: `0.123`, `12.3`, `1234`.
    static func number(_ value: Double?) -> String {
        guard let value else { return "" }
        let digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
        return String(format: "%.\(digits)f", value)
    }

    /// Whether a value is within its budget.
    static func within(_ value: Double?, _ budget: Double) -> String {
        guard let value else { return "" }
        return value <= budget ? "yes" : "**no**"
    }

    static func ratio(_ value: Double?, to base: Double?) -> String {
        guard let value, let base, base > 0 else { return "" }
        return number(value / base) + " x"
    }

    /// Prints date, machine and versions, without which a number is meaningless.
    static func header() {
        let date = Date().formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false))
        var processor = "unknown processor"
        // If the file is missing, the line says so.
        if let facts = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8),
            let line = facts.split(separator: "\n").first(where: { $0.hasPrefix("model name") })
        {
            processor = line.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? processor
        }
        let memory = ProcessInfo.processInfo.physicalMemory >> 30
        let load = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?.split(separator: " ").first ?? "?"
        write("## \(date)\n")
        write(
            "\(processor), \(ProcessInfo.processInfo.activeProcessorCount) cores, \(memory) GB, "
                + "\(ProcessInfo.processInfo.operatingSystemVersionString), load \(load) at the start. "
                + "Milliseconds unless said otherwise.")
    }
}
