import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension stat {
    private var time: timespec {
        #if canImport(Darwin)
        st_mtimespec
        #else
        st_mtim
        #endif
    }

    /// The time of the last change of the content, in nanoseconds since 1970; for one before 1677 or after 2262 the
    /// least or the greatest number.
    package var modified: Int {
        let (seconds, isBeyond) = time.tv_sec.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isSumBeyond) = seconds.addingReportingOverflow(time.tv_nsec)
        return isBeyond || isSumBeyond ? (time.tv_sec < 0 ? .min : .max) : sum
    }

    /// The time of the last change of the content.
    var modificationDate: Date {
        let isBeyond = modified == .min || modified == .max
        return Date(timeIntervalSince1970: isBeyond ? Double(time.tv_sec) : Double(modified) / 1e9)
    }
}
