import Foundation

/// The file of the running program.
enum ProgramFile {
    /// Its path; nil if the system does not tell it.
    static let path: String? = Bundle.main.executablePath
}
