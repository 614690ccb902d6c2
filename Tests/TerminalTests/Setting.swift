#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Returns a number from the environment, for tests of adjustable length.
func setting(_ name: String, or fallback: Int) -> Int {
    guard let value = getenv(name) else { return fallback }
    return Int(String(cString: value)) ?? fallback
}
