import Foundation
import NoteStore
import SystemPackage
import ViewModel

/// The locations of the configuration.
extension Configuration {
    static let fileName = "config.toml"

    /// The environment of the process, read once.
    ///
    /// `ProcessInfo` compares all characters of all variables with `=`, which took 4 % of the instructions of
    /// `tn --new` (callgrind, 2026-11).
    public static let processEnvironment: [String: String] = {
        #if canImport(Darwin)
        variables(of: _NSGetEnviron().pointee)
        #else
        variables(of: environ)
        #endif
    }()

    /// Returns the variables of a list that ends with a null pointer.
    private static func variables(
        of entries: UnsafePointer<UnsafeMutablePointer<CChar>?>
    ) -> [String: String] {
        var variables: [String: String] = [:]
        var entries = entries
        while let entry = entries.pointee {
            if let sign = strchr(entry, CInt(UInt8(ascii: "="))) {
                let name = UnsafeRawBufferPointer(start: entry, count: sign - entry)
                variables[String(decoding: name, as: UTF8.self)] = String(cString: sign + 1)
            }
            entries += 1
        }
        return variables
    }

    /// The folder of the configuration: `$XDG_CONFIG_HOME/takenote`, else `~/.config/takenote`.
    public static func folder(_ environment: [String: String] = processEnvironment) -> String {
        // The XDG specification tells programs to ignore a relative path.
        let base = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? FilePath($0) : nil }
        let folder = base ?? FilePath(HomeFolder.path(environment["HOME"])).appending(".config")
        return folder.appending("takenote").string
    }

    /// The configuration's file.
    public static func file(_ environment: [String: String] = processEnvironment) -> String {
        folder(environment) + "/" + fileName
    }

    /// The folder of the user's themes.
    public static func themesFolder(
        _ environment: [String: String] = processEnvironment
    ) -> String {
        folder(environment) + "/themes"
    }

    /// The file of the words that the user has added to the dictionary, one on each line.
    public static func ownWordsFile(_ environment: [String: String] = processEnvironment) -> String {
        folder(environment) + "/words.txt"
    }

    /// Returns the bytes of the user's file; nil if it is missing, unreadable, or too large to be read.
    ///
    /// The defaults apply then, and `tn config` reports the problem.
    public static func bytesOfUserFile() -> [UInt8]? {
        try? SettingsFile.bytes(of: file())  // see above
    }

    /// Reads the user's file, and the environment variables that override it.
    public static func readFromUser(
        _ environment: [String: String] = processEnvironment
    ) -> Reading {
        var reading = read(contentsOf: file(environment))
        if let theme = environment["TAKENOTE_THEME"], !theme.isEmpty { reading.configuration.theme = theme }
        if let reader = environment["TN_READER"], !reader.isEmpty {
            reading.configuration.screen.isReader = reader != "0"
        }
        return reading
    }

    /// The name of what chose a theme: the variable that overrides the file, or else the file.
    static func source(
        ofTheme name: String, _ environment: [String: String] = processEnvironment
    ) -> String {
        environment["TAKENOTE_THEME"] == name ? "TAKENOTE_THEME" : fileName
    }
}
