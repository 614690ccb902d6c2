/// A program to be started: its file, its arguments, and where its standard streams lead.
public struct Command: Sendable {
    /// Where a program's standard input comes from.
    public enum Input: Sendable {
        /// That of this process.
        case inherited
        /// These bytes, and then the end; none gives it an empty input.
        case bytes([UInt8])
    }

    /// Where what a program writes goes.
    public enum Output: Sendable {
        /// To the stream of this process.
        case inherited
        /// Nowhere.
        case discarded
        /// To the result, `limit` bytes at most; the rest is read and dropped, so that the program can go on.
        case collected(limit: Int)
    }

    /// The program's file.
    public var path: String
    /// Its name, as it sees it, and its arguments.
    public var words: [String]
    public var input: Input = .bytes([])
    public var output: Output = .discarded
    public var errorOutput: Output = .discarded
    /// Whether the program and all that it starts form a process group of their own, which can be stopped as one.
    ///
    /// A program that is to have the terminal must stay in the group of this one.
    public var hasOwnGroup = true

    /// A program that is told nothing and whose output nobody sees.
    public init(path: String, words: [String]) {
        self.path = path
        self.words = words
    }

    /// A program that takes over the terminal: its streams are those of this process, and so is its group.
    public static func interactive(path: String, words: [String]) -> Command {
        var command = Command(path: path, words: words)
        (command.input, command.output, command.errorOutput) = (.inherited, .inherited, .inherited)
        command.hasOwnGroup = false
        return command
    }

    /// The file of a program in the folders of a search path (`PATH`); nil when none of them has it.
    public static func path(of program: String, in searchPath: String) -> String? {
        searchPath.split(separator: ":").lazy.map { "\($0)/\(program)" }.first(where: isProgram)
    }
}
