// swift-tools-version: 6.2
import PackageDescription

/// Measures `tn`, similar programs and the floors: `sh Tests/Benchmarks/run.sh`.
///
/// It is a separate package, so that the program's package does not depend on it. It uses the store to create notebooks
/// of 100,000 notes quickly, Markdown and the text buffer to time the highlighting of a whole note, which no program
/// does alone, and the modules that search and summarise without a model. The program itself is driven from outside
/// like any other terminal program.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "tn", path: "../.."), .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                .product(name: "NoteStore", package: "tn"), .product(name: "Markdown", package: "tn"),
                .product(name: "Intelligence", package: "tn"),
                .product(name: "TextEditing", package: "tn"), .product(name: "tn", package: "tn"),
                .product(name: "SyncTrial", package: "tn"),
                .product(name: "TerminalDriver", package: "tn"), .product(name: "ScriptedServer", package: "tn"),
                .product(name: "Vaults", package: "tn"),
                // The system's SQLite, to be measured for comparison with the store.
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
