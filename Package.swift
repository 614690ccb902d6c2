// swift-tools-version: 6.2
import PackageDescription

let commit = (Context.environment["TN_COMMIT"] ?? "").filter(\.isHexDigit)

/// The modules of `tn`, which `Resources/ARCHITECTURE.md` draws.
///
/// Imports go in one direction, which this file enforces.
let package = Package(
    name: "tn",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "tn", targets: ["tn"]),
        .library(name: "Processes", targets: ["Processes"]),
        .library(name: "TextPrimitives", targets: ["TextPrimitives"]),
        .library(name: "Pictures", targets: ["Pictures"]),
        .library(name: "DecodedPictures", targets: ["DecodedPictures"]),
        .library(name: "Terminal", targets: ["Terminal"]),
        .library(name: "TextEditing", targets: ["TextEditing"]),
        .library(name: "ModalEditing", targets: ["ModalEditing"]),
        .library(name: "Markdown", targets: ["Markdown"]),
        .library(name: "NoteStore", targets: ["NoteStore"]),
        .library(name: "Sync", targets: ["Sync"]),
        .library(name: "Intelligence", targets: ["Intelligence"]),
        .library(name: "ViewModel", targets: ["ViewModel"]),
        .library(name: "Interface", targets: ["Interface"]),
        // For the benchmarks, a package of their own that drives programs like the tests do and imports their vaults.
        .library(name: "TerminalDriver", targets: ["TerminalDriver"]),
        .library(name: "ScriptedServer", targets: ["ScriptedServer"]),
        .library(name: "Vaults", targets: ["Vaults"]),
        // Built for release with them.
        .executable(name: "SyncTrial", targets: ["SyncTrial"]),
    ],
    dependencies: [
        // `_RopeModule` is public but not stable, so the version is exact and one file imports it.
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
        .package(url: "https://github.com/onevcat/Rainbow", from: "4.2.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        // Up to the next minor version, which may change the formats from which completion scripts and the manual page
        // are made.
        .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.0")),
        // Reads config.toml and themes, behind `TOMLFile`: Foundation has no reader for TOML.
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
        // Reads front matter, behind `YAMLMapping`: YAML is too large a language for a reader of our own.
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    ],
    targets: [
        .target(name: "Processes", dependencies: [.system]),
        // Functions on text that several layers use.
        .target(name: "TextPrimitives"),
        // The kinds and sizes of pictures, read without decoders, and pictures as pixels.
        .target(name: "Pictures"),
        // The decoders of pictures, which run in a child process; no other module imports them.
        .systemLibrary(name: "CJPEG", path: "Sources/DecodedPictures/Libraries/CJPEG"),
        .systemLibrary(name: "CPNG", path: "Sources/DecodedPictures/Libraries/CPNG"),
        .target(
            name: "DecodedPictures",
            dependencies: [
                "Pictures", "Processes", .system,
                .target(name: "CJPEG", condition: .when(platforms: [.linux])),
                .target(name: "CPNG", condition: .when(platforms: [.linux])),
            ], exclude: ["Libraries"]),
        .target(name: "Terminal", dependencies: ["Pictures", "Processes", "TextPrimitives", .deque, .system]),
        .target(name: "TextEditing", dependencies: ["TextPrimitives", .rope]),
        // Vim's grammar, for users who want its keys.
        .target(name: "ModalEditing", dependencies: ["TextEditing", "TextPrimitives"]),
        .target(name: "Markdown", dependencies: ["TextPrimitives"]),
        // The system's functions for extended attributes of files.
        .systemLibrary(name: "CAttributes", path: "Sources/NoteStore/Libraries/CAttributes"),
        // A setting of SQLite that Swift cannot call.
        .systemLibrary(name: "CSQLiteMemory", path: "Sources/NoteStore/Libraries/CSQLiteMemory"),
        .target(
            name: "NoteStore",
            dependencies: [
                "CSQLiteMemory", "Markdown", "Pictures", "TextEditing", "TextPrimitives", .grdb, .crypto, .system,
                .yams,
                .target(name: "CAttributes", condition: .when(platforms: [.linux])),
            ], exclude: ["Libraries"]),
        // Synchronisation through git; no other module starts git.
        .target(
            name: "Sync",
            dependencies: ["NoteStore", "TextEditing", "TextPrimitives", "Processes", .crypto, .cryptoExtras, .system]),
        // Models, prompts, what is found for a question, citations; none of it is needed to read or write.
        .target(name: "Intelligence", dependencies: ["NoteStore", "Markdown", "Processes", "TextPrimitives", .system]),
        .target(
            name: "ViewModel",
            dependencies: [
                "Intelligence", "NoteStore", "Markdown", "ModalEditing", "Processes", "TextEditing",
                "TextPrimitives", .system,
            ],
            resources: .inProgram("welcome.md")),
        .target(
            name: "Interface",
            dependencies: [
                "ViewModel", "Intelligence", "Terminal", "ModalEditing", "TextEditing", "Markdown", "NoteStore",
                "Pictures", "TextPrimitives", .orderedCollections, .system, .toml,
            ],
            resources: .inProgram(
                "themes/dark.toml", "themes/light.toml", "themes/high-contrast.toml", "themes/high-contrast-light.toml",
                "themes/terminal.toml", "themes/monochrome.toml", "whatsnew.txt")),
        // The commit from which the program is built, which Resources/run.sh and release.sh name; and what runs before
        // Swift's runtime.
        .target(
            name: "CProgram", path: "Sources/tn/C",
            cSettings: [.define("TN_COMMIT", to: "\"\(commit)\"")]),
        .executableTarget(
            name: "tn",
            dependencies: [
                "CProgram", "Interface", "ViewModel", "Intelligence", "NoteStore", "Sync", "Markdown", "TextEditing",
                "TextPrimitives", "Pictures", "DecodedPictures",
                "Terminal", "Processes", .argumentParser, .rainbow, .system,
            ], exclude: ["C"]),
        .target(name: "SeededRandom", path: "Tests/SeededRandom"),
        // Keeps the processors busy around tests, and waits as long as that takes.
        .target(name: "Load", path: "Tests/Load"),
        .testTarget(name: "ProcessesTests", dependencies: ["Processes", "Load", .system]),
        .testTarget(name: "DecodedPicturesTests", dependencies: ["DecodedPictures", "Pictures", "SeededRandom"]),
        .testTarget(name: "TextPrimitivesTests", dependencies: ["TextPrimitives", "SeededRandom"]),
        // An emulator of a terminal, whose screen tests and benchmarks inspect, and drivers for programs in it.
        .target(name: "TerminalDriver", dependencies: [.system], path: "Tests/TerminalDriver"),
        .testTarget(
            name: "TerminalTests",
            dependencies: ["Terminal", "Pictures", "TextPrimitives", "TerminalDriver", "Load", "SeededRandom"]),
        .testTarget(name: "TextEditingTests", dependencies: ["TextEditing", "TextPrimitives", "Load", "SeededRandom"]),
        // Counts allocations, which measure work where time depends on the machine.
        .target(name: "WorkCount", path: "Tests/WorkCount"),
        .testTarget(name: "MarkdownTests", dependencies: ["Markdown", "TextPrimitives", "SeededRandom", "WorkCount"]),
        // Vim's keys on a plain text, and random cases of them, for the tests and the comparison with vim itself.
        .target(name: "VimCases", dependencies: ["ModalEditing", "SeededRandom"], path: "Tests/Vim/Cases"),
        .executableTarget(name: "VimComparison", dependencies: ["VimCases"], path: "Tests/Vim/Comparison"),
        .testTarget(
            name: "ModalEditingTests", dependencies: ["ModalEditing", "VimCases"], exclude: ["recorded.txt"]),
        // A file system that fails, for the tests of the store.
        .target(name: "FaultInjection", path: "Tests/FaultInjection", linkerSettings: [.linkedLibrary("sqlite3")]),
        // Folders of notes with the traits of real ones.
        .target(name: "Vaults", dependencies: ["SeededRandom"], path: "Tests/Vaults"),
        .testTarget(
            name: "NoteStoreTests",
            dependencies: ["NoteStore", "TextPrimitives", "FaultInjection", "Load", "SeededRandom", "Vaults", .grdb]),
        // Random people on machines that synchronise, for the tests and for many more runs.
        .target(
            name: "SyncSchedules", dependencies: ["Sync", "NoteStore", "SeededRandom"],
            path: "Tests/SyncSchedules/Cases"),
        .executableTarget(name: "SyncTrial", dependencies: ["SyncSchedules"], path: "Tests/SyncSchedules/Trial"),
        .testTarget(
            name: "SyncTests",
            dependencies: ["Sync", "SyncSchedules", "NoteStore", "Processes", "SeededRandom", "TerminalDriver"]),
        // A model server that follows a script.
        .target(name: "ScriptedServer", path: "Tests/ScriptedServer"),
        .testTarget(
            name: "IntelligenceTests",
            dependencies: ["Intelligence", "NoteStore", "Processes", "ScriptedServer", "Load", "SeededRandom"]),
        // A notebook on a temporary file and a scheduler without time, for the tests of the modules above the store.
        .target(
            name: "TestSupport", dependencies: ["ViewModel", "NoteStore", "TerminalDriver", .grdb],
            path: "Tests/TestSupport"),
        .testTarget(
            name: "ViewModelTests",
            dependencies: ["ViewModel", "TestSupport", "Load", "SeededRandom", .grdb, .system]),
        .testTarget(
            name: "InterfaceTests",
            dependencies: [
                "Interface", "ModalEditing", "Pictures", "ScriptedServer", "TestSupport", "Load", "SeededRandom", .grdb,
            ]),
        // The invariants for all input from outside; `Tests/Fuzzing`, a package of its own, fuzzes with them too.
        .target(
            name: "FuzzInvariants", dependencies: ["Terminal", "Markdown", "NoteStore", "Intelligence"],
            path: "Tests/Fuzzing/Invariants"),
        .testTarget(
            name: "FuzzingTests", dependencies: ["FuzzInvariants", "SeededRandom"], path: "Tests/Fuzzing/Tests"),
        // Drives the built program in tmux; the dependency makes sure that it is built.
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["tn", "NoteStore", "TerminalDriver", "ScriptedServer", "Load", "SeededRandom"]),
    ],
    swiftLanguageModes: [.v6]
)

// `Resources/test.sh` builds for release, as people run the program. To optimise the tests themselves would take longer
// than they run.
for target in package.targets where target.type == .test {
    target.swiftSettings = [.unsafeFlags(["-Onone"], .when(configuration: .release))]
}

extension Target.Dependency {
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "CryptoExtras", package: "swift-crypto")
    static let deque = product(name: "DequeModule", package: "swift-collections")
    static let grdb = product(name: "GRDB", package: "GRDB.swift")
    static let orderedCollections = product(name: "OrderedCollections", package: "swift-collections")
    static let rainbow = product(name: "Rainbow", package: "Rainbow")
    static let rope = product(name: "_RopeModule", package: "swift-collections")
    static let toml = product(name: "TOMLKit", package: "TOMLKit")
    static let system = product(name: "SystemPackage", package: "swift-system")
    static let yams = product(name: "Yams", package: "Yams")
}

extension [Resource] {
    /// Files of `Resources` whose bytes are compiled in, since the program is one file.
    static func inProgram(_ paths: String...) -> [Resource] { paths.map { .embedInCode("../../Resources/" + $0) } }
}
