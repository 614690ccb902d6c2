// The decoder under libFuzzer, for as long as one likes. From the package's folder:
//
//     swiftc -O -DFUZZING -parse-as-library -sanitize=fuzzer -module-name Fuzzing -o /tmp/decoder-fuzzer \
//         Sources/Terminal/{InputDecoder,ControlSequence,InputEvent,Timestamp,Geometry,Color}*.swift \
//         Tests/TerminalTests/InputDecoderFuzzer.swift
//     /tmp/decoder-fuzzer -max_len=512 -max_total_time=600
#if FUZZING

/// Feeds an input in two parts, cut where its first byte says, and lets time pass: the decoder must come to rest, hold
/// little, and read the next key.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzInputDecoder(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let cut = 1 + Int(start[0]) % count
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    var now = Timestamp(nanoseconds: 0)
    decoder.decode(UnsafeBufferPointer(start: start + 1, count: cut - 1), at: now, into: &events)
    decoder.decode(UnsafeBufferPointer(start: start + cut, count: count - cut), at: now, into: &events)
    precondition(decoder.heldBytes <= 5000, "the decoder holds more than a sequence")
    for _ in 0..<4 {
        guard let deadline = decoder.deadline else { break }
        now = deadline
        decoder.expire(at: now, into: &events)
    }
    precondition(decoder.isAtRest && decoder.deadline == nil, "the decoder waits for ever")
    events.removeAll()
    decoder.decode([0x78], at: now, into: &events)
    precondition(events == [.key(KeyPress(typed: "x"))], "a key was swallowed")
    return 0
}

#endif
