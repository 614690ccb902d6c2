import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The child process, which decodes one picture from standard input within limits of the system.
///
/// Picture decoders are a common target of attacks. This process has no notebook and no terminal, its memory and its
/// output are limited, and it may crash without harm.
public enum PictureChild {
    /// The first argument, which makes the program this child process.
    public static let word = "__picture"

    /// The exit status for bytes that are not a whole picture.
    static let broken: Int32 = 65
    /// The exit status for a picture that has too many pixels.
    private static let tooLarge: Int32 = 66
    /// The exit status for a picture that takes too long or too much memory, as does one whose child the system ended.
    private static let tooCostly: Int32 = 71

    /// Performs the request in the arguments after `word`, and returns the exit status.
    public static func run(_ words: [String]) -> Int32 {
        guard let request = PictureRequest(words: words) else { return 64 }
        limit()
        do {
            let bytes = try readAll()
            let answer = try bytes.withUnsafeBytes { try PictureWork($0).answer(request) }
            try FileDescriptor.standardOutput.writeAll(answer)
            return 0
        } catch PictureFailure.tooLarge {
            return tooLarge
        } catch PictureFailure.tooCostly {
            return tooCostly
        } catch {
            return broken
        }
    }

    /// The limits: bytes of address space beyond what the program itself occupies, and seconds of processor time.
    ///
    /// The largest picture takes less than a second of it on a present machine; an old one that is busy needs many times
    /// as much.
    private static let memory = 256 << 20
    static let seconds = 20

    private static func limit() {
        set(RLIMIT_CPU, seconds)
        set(RLIMIT_CORE, 0)
        // No file may be created or grow; the response is written to a pipe.
        set(RLIMIT_FSIZE, 0)
        if let taken = addressSpace { set(RLIMIT_AS, taken + memory) }
    }

    #if canImport(Glibc)
    private static func set(_ resource: __rlimit_resource, _ value: Int) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        // This fails only if the limit is already lower.
        _ = setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }

    /// The present size of the process's address space in bytes, or `nil` if the system does not tell it.
    private static var addressSpace: Int? {
        // Without /proc only the other limits apply.
        guard let file = try? FileDescriptor.open("/proc/self/statm", .readOnly, options: .closeOnExec) else {
            return nil
        }
        defer { try? file.close() }  // only read
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = bytes.withUnsafeMutableBytes { try? file.read(into: $0) } ?? 0  // as above
        let pages = bytes.prefix(count).prefix { (0x30...0x39).contains($0) }.reduce(0) { $0 * 10 + Int($1) - 0x30 }
        return pages > 0 ? pages * Int(sysconf(Int32(_SC_PAGESIZE))) : nil
    }
    #else
    private static func set(_ resource: Int32, _ value: Int) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        _ = setrlimit(resource, &limit)
    }

    /// macOS has no limit on address space.
    private static var addressSpace: Int? { nil }
    #endif

    private static func readAll() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try piece.withUnsafeMutableBytes { try FileDescriptor.standardInput.read(into: $0) }
            if count == 0 { return bytes }
            guard bytes.count + count <= PictureDecoder.maximumBytes else { throw PictureFailure.broken }
            bytes += piece[..<count]
        }
    }
}
