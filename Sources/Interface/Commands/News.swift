import ViewModel

/// What is new in this version: `Resources/whatsnew.txt`, which the build embeds into the program.
enum News {
    /// Its first line, and one line for each thing that is new.
    static let report: TaskReport = {
        let text = String(decoding: PackageResources.whatsnew_txt, as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        return TaskReport(lines.first ?? "", problems: Array(lines.dropFirst()))
    }()
}
