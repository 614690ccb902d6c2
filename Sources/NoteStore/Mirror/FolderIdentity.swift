import SystemPackage

#if os(Linux)
import CAttributes
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The identity of a mirrored folder, by which a round knows whether another one lies at its path.
///
/// It is stored in the notebook as two numbers: `2049:131073`.
struct FolderIdentity: Equatable, Sendable, CustomStringConvertible {
    /// The number of the disk, which another start of the system may change.
    let device: UInt64
    /// The number of the folder on its disk.
    let number: UInt64

    /// The identity of an open folder; nil where it does not last.
    init?(_ folder: FileDescriptor) {
        // A folder that cannot be examined has no identity either; its listing reports the error.
        guard Self.lasts(on: folder), let status = try? FileStatus(folder) else { return nil }
        (device, number) = (status.identity.device, status.identity.number)
    }

    /// Reads the stored form; nil for anything else.
    init?(_ text: String) {
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { UInt64($0) }
        guard numbers.count == 2, let device = numbers[0], let number = numbers[1] else { return nil }
        (self.device, self.number) = (device, number)
    }

    var description: String { "\(device):\(number)" }

    /// Whether this may be the folder of the last round.
    ///
    /// - Parameter known: the folder of the last round; nil if that is not known.
    func isAllowed(by occasion: MirrorOptions.Occasion, after known: FolderIdentity?) -> Bool {
        guard let known else { return true }
        return switch occasion {
        case .told: true
        case .begun: number == known.number
        case .continued: self == known
        }
    }

    /// Whether the file system of a folder keeps the numbers of its folders.
    ///
    /// FAT has none, and what runs outside of the kernel often makes them up (statfs(2) lists these types).
    private static func lasts(on folder: FileDescriptor) -> Bool {
        #if os(Linux)
        var status = statfs()
        guard fstatfs(folder.rawValue, &status) == 0 else { return true }
        let (fat, exFAT, outside) = (0x4D44, 0x2011_BAB0, 0x6573_5546)
        return ![fat, exFAT, outside].contains(Int(status.f_type))
        #else
        return true
        #endif
    }
}
