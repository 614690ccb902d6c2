import Foundation

/// The file of the running program.
enum ProgramFile {
    /// The path of the file; nil if the system does not give it.
    static let path: String? = Bundle.main.executablePath
}
