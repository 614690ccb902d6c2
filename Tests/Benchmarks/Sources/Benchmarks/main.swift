import Foundation

// Usage: Benchmarks [PART ...] [--quick] [--million]; without names, all parts run.
let words = Array(CommandLine.arguments.dropFirst())
if words.first == "echo" { echo() }

let isQuick = words.contains("--quick")
let wanted = words.filter { !$0.hasPrefix("--") }
let workshop = try Workshop()
let notebook = NotebookBenchmark(
    workshop: workshop, counts: isQuick ? [0, 1000] : [0, 1000, 100_000], rounds: isQuick ? 5 : 20)

let store = StoreBenchmark(
    workshop: workshop,
    counts: isQuick ? [1000] : [1000, 10_000, 100_000] + (words.contains("--million") ? [1_000_000] : []),
    rounds: isQuick ? 5 : 20)

func part(_ name: String, _ body: () throws -> Void) {
    guard wanted.isEmpty || wanted.contains(name) else { return }
    NotebookBenchmark.attempt(name, body)
}

Report.header()
part("typing") {
    try TypingBenchmark(
        workshop: workshop, sizes: isQuick ? [10_000, 1_000_000] : [10_000, 1_000_000, 10_000_000],
        rounds: isQuick ? 2 : 3, keys: isQuick ? 20 : 40
    ).run()
}
part("instructions") {
    try InstructionsBenchmark(
        workshop: workshop, sizes: isQuick ? [10_000] : [10_000, 1_000_000, 10_000_000], keys: isQuick ? 20 : 60
    ).run()
}
part("editor") {
    var editor = EditorBenchmark(
        workshop: workshop, sizes: isQuick ? [10_000, 1_000_000] : [10_000, 1_000_000, 10_000_000],
        rounds: isQuick ? 1 : 3)
    try editor.run()
}
part("carets") { try CaretBenchmark(workshop: workshop, rounds: isQuick ? 5 : 20).run() }
part("hostile") {
    try HostileBenchmark(workshop: workshop, scale: isQuick ? 10 : 1, keys: isQuick ? 20 : 60).run()
}
part("stream") { try StreamBenchmark(workshop: workshop, rounds: isQuick ? 1 : 3).run() }
part("pictures") { try PictureBenchmark(workshop: workshop, rounds: isQuick ? 2 : 10, keys: isQuick ? 40 : 100).run() }
part("start") { try notebook.starting() }
part("capture") { try notebook.capturing() }
part("search") { try notebook.searching() }
part("open") { try notebook.opening() }
part("save") { try notebook.saving() }
part("store") { try store.calls() }
part("rank") { try store.searching() }
part("tree") { try store.tree() }
part("import") { try notebook.importing(files: isQuick ? 1000 : 10_000) }
part("vault") { try notebook.importing(vaultsOf: isQuick ? [500] : [1000, 2000, 4000]) }
part("sync") {
    try SyncBenchmark(
        workshop: workshop, counts: SyncBenchmark.counts(isQuick ? [1000] : [1000, 10_000]), rounds: isQuick ? 3 : 10,
        edits: isQuick ? 100 : 1000
    ).run()
}
part("render") { try notebook.rendering() }
part("highlight") { try HighlightBenchmark(workshop: workshop, rounds: isQuick ? 3 : 9).run() }
part("intelligence") {
    try IntelligenceBenchmark(
        workshop: workshop, counts: isQuick ? [1000] : [1000, 100_000], vectors: isQuick ? 10_000 : 300_000,
        rounds: isQuick ? 5 : 50
    ).run()
}
part("chat") { try ChatBenchmark(workshop: workshop, pieces: isQuick ? 60 : 300, keys: isQuick ? 26 : 104).run() }
