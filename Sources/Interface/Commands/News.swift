import ViewModel

/// The news of this version: `Resources/whatsnew.txt`, which the build embeds into the program.
enum News {
    /// The file's first line as the sentence, and the other lines as the list.
    static let report: TaskReport = {
        let text = String(decoding: PackageResources.whatsnew_txt, as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        return TaskReport(lines.first ?? "", problems: Array(lines.dropFirst()))
    }()
}
