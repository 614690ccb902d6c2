import Foundation

/// The file of the running program.
enum ProgramFile {
    /// The path of the file; nil if the system does not give it.
    static let path: String? = {
        #if os(Linux)
        // Foundation ends the program where it does not find the file.
        guard FileManager.default.fileExists(atPath: "/proc/self/exe") else { return nil }
        #endif
        return Bundle.main.executablePath
    }()
}
