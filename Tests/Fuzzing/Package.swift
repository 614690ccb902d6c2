// swift-tools-version: 6.2
import PackageDescription

/// Runs the code that receives outside input under libFuzzer: `sh Tests/Fuzzing/run.sh`.
///
/// It is a separate package, because all of it is built with the fuzzer's instrumentation. The invariants are in
/// `Invariants`, which the program's own tests run too, with the seeds and with all inputs ever found.
let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tn", path: "../..")],
    targets: [
        .target(
            name: "FuzzInvariants",
            dependencies: ["Terminal", "Markdown", "NoteStore"].map { .product(name: $0, package: "tn") },
            path: "Invariants"),
        // `main` is in libFuzzer, which comes with the compiler.
        .executableTarget(name: "Fuzz", dependencies: ["FuzzInvariants"], path: "Runner"),
    ],
    swiftLanguageModes: [.v6]
)
