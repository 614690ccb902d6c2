// The library itself is linked by -sanitize=fuzzer.
