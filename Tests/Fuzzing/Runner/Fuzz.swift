import Foundation
import FuzzInvariants
import LibFuzzer

/// `Fuzz TARGET [libFuzzer's arguments]`: the targets are those of `FuzzTarget.all`.
@main enum Fuzz {
    // Guard: written once, before the fuzzer starts on this thread.
    nonisolated(unsafe) private static var target = FuzzTarget.decoder

    static func main() {
        let words = CommandLine.arguments
        guard words.count > 1, let named = FuzzTarget.all.first(where: { $0.name == words[1] }) else {
            print("Fuzz TARGET [ARGUMENT ...]; targets: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
            exit(64)
        }
        target = named
        let rest = [words[0]] + words.dropFirst(2)
        var count = Int32(rest.count)
        var arguments = rest.map { strdup($0) } + [nil]
        let status = arguments.withUnsafeMutableBufferPointer { pointers in
            var start = pointers.baseAddress
            return LLVMFuzzerRunDriver(&count, &start) { data, count in
                let input = UnsafeBufferPointer(start: data, count: data == nil ? 0 : count)
                if let fault = Fuzz.target.fault(in: Array(input)) { fatalError(fault) }
                return 0
            }
        }
        exit(status)
    }
}
