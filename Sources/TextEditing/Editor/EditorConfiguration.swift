import TextPrimitives

/// How a text editor behaves, where tastes differ.
public struct EditorConfiguration: Sendable {
    /// Cells between tab stops.
    public var tabWidth: Int
    /// Whether the Tab key types spaces up to the next tab stop.
    public var softTabs: Bool
    /// Whether brackets and quotes come in pairs.
    public var autoPairs: Bool
    /// The width of characters.
    public var cellWidth: CellWidth
    /// The time, for telling a pause in typing; any steady clock.
    public var now: @Sendable () -> Duration

    /// Tabs of 4 cells typed as spaces, no pairs, the system's steady clock, unless told otherwise.
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

    /// The time since the program first asked.
    @Sendable public static func steadyClock() -> Duration { ContinuousClock.now - start }
}
