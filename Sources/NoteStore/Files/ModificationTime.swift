import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension stat {
    /// The time of the last change of the content, in nanoseconds since 1970.
    package var modified: Int {
        #if canImport(Darwin)
        let time = st_mtimespec
        #else
        let time = st_mtim
        #endif
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// The time of the last change of the content.
    var modificationDate: Date { Date(timeIntervalSince1970: Double(modified) / 1e9) }
}
