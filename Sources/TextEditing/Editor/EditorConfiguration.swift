import TextPrimitives

/// The behaviour of a text editor that users can choose.
public struct EditorConfiguration: Sendable {
    /// The number of cells between tab stops.
    public var tabWidth: Int
    /// Whether the Tab key types spaces up to the next tab stop.
    public var softTabs: Bool
    /// Whether typing an opening bracket or quote adds the closing one.
    public var autoPairs: Bool
    /// The width of characters.
    public var cellWidth: CellWidth
    /// The time from any steady clock, for detecting a pause in typing.
    public var now: @Sendable () -> Duration

    /// Creates a configuration; by default tabs are 4 cells wide and typed as spaces, there are no pairs, and the clock
    /// is the system's steady one.
    public init(
        tabWidth: Int = 4, softTabs: Bool = true, autoPairs: Bool = false, cellWidth: CellWidth = .unicode,
        now: @escaping @Sendable () -> Duration = EditorConfiguration.steadyClock
    ) {
        self.tabWidth = tabWidth
        self.softTabs = softTabs
        self.autoPairs = autoPairs
        self.cellWidth = cellWidth
        self.now = now
    }

    private static let start = ContinuousClock.now

    /// The time since the first call.
    @Sendable public static func steadyClock() -> Duration { ContinuousClock.now - start }
}
