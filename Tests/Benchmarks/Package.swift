// swift-tools-version: 6.2
import PackageDescription

/// Measures `tn` beside its peers and the floors: `sh Tests/Benchmarks/run.sh`.
///
/// A package of its own, so that the program's package knows nothing of it. It takes the store to make notebooks of
/// 100,000 notes quickly, Markdown and the text buffer to time the highlighting of a whole note, which no program does
/// alone, and the program itself, which it drives from outside like any other terminal program.
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
                .product(name: "TextEditing", package: "tn"), .product(name: "tn", package: "tn"),
                .product(name: "TerminalDriver", package: "tn"),
                // The system's SQLite, to measure beside the store.
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
