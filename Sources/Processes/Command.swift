/// A program to start: its path, its arguments, and where its standard streams lead.
public struct Command: Sendable {
    /// The source of a program's standard input.
    public enum Input: Sendable {
        /// The input of this process.
        case inherited
        /// These bytes, then end of file; an empty array is an empty input.
        case bytes([UInt8])
    }

    /// The destination of a program's output.
    public enum Output: Sendable {
        /// The same stream of this process.
        case inherited
        /// Discarded.
        case discarded
        /// The result, up to `limit` bytes; the rest is read and dropped, so that the program can go on.
        case collected(limit: Int)
        /// Passed on piece by piece as it comes, on the thread that runs the program.
        case passed(@Sendable (ArraySlice<UInt8>) -> Void)
    }

    /// The path of the program's file.
    public var path: String
    /// The program's name as it sees it, followed by its arguments.
    public var words: [String]
    public var input: Input = .bytes([])
    public var output: Output = .discarded
    public var errorOutput: Output = .discarded
    /// What the program reads from descriptor 3; nil gives it no such descriptor.
    ///
    /// Other programs see a program's arguments and environment, but not this.
    public var secretInput: [UInt8]?
    /// The variables that the program sees; nil for those of this process.
    public var environment: [String: String]?
    /// Whether the program and all that it starts form a separate process group, which can be stopped as one.
    ///
    /// A program that uses the terminal must stay in the group of this process.
    public var hasOwnGroup = true
    /// Whether the program runs in a session of its own, where it has no terminal to ask on.
    public var hasOwnSession = false

    /// Makes a program with no input whose output is discarded.
    public init(path: String, words: [String]) {
        self.path = path
        self.words = words
    }

    /// A program that takes over the terminal: it has the streams and the process group of this process.
    public static func interactive(path: String, words: [String]) -> Command {
        var command = Command(path: path, words: words)
        (command.input, command.output, command.errorOutput) = (.inherited, .inherited, .inherited)
        command.hasOwnGroup = false
        return command
    }

    /// The path of a program in the folders of a search path (`PATH`); nil if none of them contains it.
    public static func path(of program: String, in searchPath: String) -> String? {
        searchPath.split(separator: ":").lazy.map { "\($0)/\(program)" }.first(where: isProgram)
    }
}
