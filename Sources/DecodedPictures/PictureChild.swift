import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The child's side: decodes one picture from standard input, bounded by the system.
///
/// Decoders of pictures are where programs are broken into. This process has no
/// notebook and no terminal, its memory and its output are limited, and it may crash without harm.
public enum PictureChild {
    /// The first word of the program's arguments that makes it the child.
    public static let word = "__picture"

    /// Exit statuses; a child that the system ended was too costly.
    static let broken: Int32 = 65
    static let tooLarge: Int32 = 66

    /// Does what the words after `word` ask for; returns the exit status.
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
            return 71
        } catch {
            return broken
        }
    }

    /// Address space beyond what the program itself takes, and processor time.
    private static let memory = 256 << 20
    private static let seconds = 2

    private static func limit() {
        set(RLIMIT_CPU, seconds)
        set(RLIMIT_CORE, 0)
        // No file may be made or grow; the answer goes into a pipe.
        set(RLIMIT_FSIZE, 0)
        if let taken = addressSpace { set(RLIMIT_AS, taken + memory) }
    }

    #if canImport(Glibc)
    private static func set(_ resource: __rlimit_resource, _ value: Int) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        // Fails only where the limit is lower already.
        _ = setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }

    /// The bytes of address space that the process has now; nil where the system does not tell.
    private static var addressSpace: Int? {
        guard let file = try? FileDescriptor.open("/proc/self/statm", .readOnly, options: .closeOnExec) else {
            return nil  // without /proc the other limits hold
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

    /// macOS does not limit address space.
    private static var addressSpace: Int? { nil }
    #endif

    private static func readAll() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try piece.withUnsafeMutableBytes { try FileDescriptor.standardInput.read(into: $0) }
            if count == 0 { return bytes }
            guard bytes.count + count <= PictureDecoder.mostBytes else { throw PictureFailure.broken }
            bytes += piece[..<count]
        }
    }
}
