import Foundation
import FuzzInvariants

/// The target named by `FUZZ_TARGET`.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        fatalError("FUZZ_TARGET is one of \(FuzzTarget.all.map(\.name).joined(separator: " "))")
    }
    return target
}()

/// The function that libFuzzer, which contains `main`, calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func examine(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: data, count: data == nil ? 0 : count)
    if let fault = target.fault(in: Array(input)) { fatalError(fault) }
    return 0
}
