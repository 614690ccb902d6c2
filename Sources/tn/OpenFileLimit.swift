#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The system's limit on the files that this process may have open at once.
enum OpenFileLimit {
    /// The number below which some command or the window is ended by a trap in Dispatch, instead of an error (tried
    /// 2026-11); with three, not even the words of the command line can be read.
    private static let fewest: rlim_t = 12
    /// What a lower limit is raised to: a window takes 20, and more with pictures and git.
    private static let wanted: rlim_t = 256

    /// Raises a low limit as far as it may be; returns the reason why the program cannot run, or nil if it can.
    static func raise() -> Failure? {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return nil }
        limit.rlim_cur = min(limit.rlim_max, wanted)
        _ = setrlimit(resource, &limit)  // one that is allowed does not fail
        return limit.rlim_cur < fewest ? .tooFewFiles(Int(limit.rlim_cur), of: Int(fewest)) : nil
    }

    #if canImport(Glibc)
    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
    private static var resource: Int32 { RLIMIT_NOFILE }
    #endif
}
