import Pictures
import Processes
import Synchronization
import SystemPackage

/// Decodes pictures in a child process, one at a time.
public struct PictureDecoder: Sendable {
    private let program: String

    /// The largest file that is passed to the child, in bytes; more than any picture of 100 million pixels should have.
    static let maximumBytes = 128 << 20
    /// The child's deadline.
    ///
    /// Its processor time is what is limited, for which a busy machine may take many times as long; this only ends a
    /// child that gets none at all.
    static let deadline = Duration.seconds(30 * PictureChild.seconds)

    /// Held while a child process runs.
    private static let turn = Mutex<Void>(())

    /// - Parameter program: The path of a program that calls `PictureChild.run`; by default the running one.
    public init(program: String = PictureDecoder.thisProgram) {
        self.program = program
    }

    /// The path of the running program's executable, which is valid even if the file was replaced meanwhile.
    public static var thisProgram: String {
        #if os(Linux)
        "/proc/self/exe"
        #else
        CommandLine.arguments.first ?? "tn"
        #endif
    }

    /// Returns the pixels of a picture, upright and scaled to a size.
    public func pixels(of bytes: [UInt8], width: Int, height: Int) throws(PictureFailure) -> Pixels {
        let answer = try run(.pixels(width: width, height: height), bytes)
        guard let pixels = Pixels(width: answer.width, height: answer.height, bytes: answer.bytes) else {
            throw .broken
        }
        return pixels
    }

    /// Returns an image file made from a picture, for the requests `png` and `reduced`.
    public func file(
        _ request: PictureRequest, of bytes: [UInt8]
    ) throws(PictureFailure) -> (bytes: [UInt8], width: Int, height: Int) {
        try run(request, bytes)
    }

    private func run(
        _ request: PictureRequest, _ bytes: [UInt8]
    ) throws(PictureFailure) -> (bytes: [UInt8], width: Int, height: Int) {
        // The header can be checked without a child.
        _ = try PictureWork.checked(bytes.withUnsafeBytes { PictureHeader($0) })
        var command = Command(path: program, words: ["tn", PictureChild.word] + request.words)
        command.input = .bytes(bytes)
        command.output = .collected(limit: Self.maximumBytes)
        // The child does not depend on the user's environment, which could only be a target of attacks.
        command.environment = [:]
        let result: CommandResult
        do {
            result = try Self.turn.withLock { _ in try command.run(deadline: Self.deadline) }
        } catch {
            throw .notStarted
        }
        guard result.isSuccess, !result.isCut, result.output.count > 8 else {
            throw result.end == .exited(status: PictureChild.broken) ? .broken : .tooCostly
        }
        func number(_ start: Int) -> Int { (0..<4).reduce(0) { $0 | Int(result.output[start + $1]) << ($1 * 8) } }
        return (Array(result.output.dropFirst(8)), number(0), number(4))
    }
}
