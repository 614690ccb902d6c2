// swift-tools-version: 6.2
import PackageDescription

/// Runs what tn takes in from outside under libFuzzer: `sh Tests/Fuzzing/run.sh`.
///
/// A package of its own, because all of it is built with the fuzzer's instruments. What must hold is in `Invariants`,
/// which the program's own tests run too, over the seeds and over what was ever found.
let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tn", path: "../..")],
    targets: [
        .target(
            name: "FuzzInvariants",
            dependencies: ["Terminal", "Markdown", "NoteStore"].map { .product(name: $0, package: "tn") },
            path: "Invariants"),
        // The `main` is libFuzzer's, which comes with the compiler.
        .executableTarget(name: "Fuzz", dependencies: ["FuzzInvariants"], path: "Runner"),
    ],
    swiftLanguageModes: [.v6]
)
