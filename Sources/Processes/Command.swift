/// A program to start, with its path, its arguments and the redirection of its standard streams.
public struct Command: Sendable {
    /// The source of a program's standard input.
    public enum Input: Sendable {
        /// The input of this process.
        case inherited
        /// These bytes, followed by the end of file; an empty array is an empty input.
        case bytes([UInt8])
        /// The pieces that the function returns until it returns `nil`, followed by the end of file.
        ///
        /// It is called on the thread that runs the program, each time the program has read the last piece, so that
        /// a long input never has to be in memory as a whole.
        case pieces(@Sendable () -> [UInt8]?)
    }

    /// The destination of a program's output.
    public enum Output: Sendable {
        /// The same stream of this process.
        case inherited
        /// Discarded.
        case discarded
        /// Collected in the result, up to `limit` bytes; the rest is read and dropped, so that the program is not
        /// blocked.
        case collected(limit: Int)
        /// Passed on piece by piece as it arrives, on the thread that runs the program.
        case passed(@Sendable (ArraySlice<UInt8>) -> Void)
    }

    /// The path of the executable.
    public var path: String
    /// The program's name as passed in `argv[0]`, followed by its arguments.
    public var words: [String]
    public var input: Input = .bytes([])
    public var output: Output = .discarded
    public var errorOutput: Output = .discarded
    /// The bytes that the program reads from descriptor 3, or `nil` for no such descriptor.
    ///
    /// Other processes can see a program's arguments and environment, but not these bytes.
    public var secretInput: [UInt8]?
    /// The program's environment variables, or `nil` for those of this process.
    public var environment: [String: String]?
    /// Whether the program and its children form a separate process group, which can be stopped as a whole.
    ///
    /// A program that uses the terminal must stay in the group of this process.
    public var hasOwnGroup = true
    /// Whether the program runs in its own session, where it has no terminal on which to ask.
    public var hasOwnSession = false
    /// Whether the program ends when this process does, even if that is killed by SIGKILL or crashes.
    ///
    /// Linux sends SIGIO to the program then, which ends one that does not handle it. Elsewhere this has no effect.
    public var endsWithParent = false

    /// Creates a program without input, whose output is discarded.
    public init(path: String, words: [String]) {
        self.path = path
        self.words = words
    }

    /// Returns a program that takes over the terminal, with the streams and the process group of this process.
    public static func interactive(path: String, words: [String]) -> Command {
        var command = Command(path: path, words: words)
        (command.input, command.output, command.errorOutput) = (.inherited, .inherited, .inherited)
        command.hasOwnGroup = false
        return command
    }

    /// Returns the path of a program in the folders of a search path (`PATH`), or `nil` if none of them contains it.
    public static func path(of program: String, in searchPath: String) -> String? {
        searchPath.split(separator: ":").lazy.map { "\($0)/\(program)" }.first(where: isProgram)
    }
}
