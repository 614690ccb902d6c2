/// The state of a cluster while its scalars are read; it decides the fate of the next scalar and the cluster's width.
struct ClusterTraits {
    /// The number of columns: 1 or 2.
    var columns: Int
    /// The number of bytes at the end of the piece that are not drawn: a joiner that this terminal does not join by.
    var dropped = 0
    /// Whether all terminals agree about the width.
    private(set) var isSettled: Bool
    /// Whether measuring the terminal settles a width on which terminals disagree.
    private(set) var isMeasurable = true

    private let base: Unicode.Scalar
    private var last: Unicode.Scalar
    private var count = 1

    /// The most scalars of a cluster, which is cut after them: no script needs more, and marks could be stacked without
    /// end.
    private static let maximumScalars = 24

    init(base: Unicode.Scalar, columns: Int) {
        self.base = base
        self.columns = columns
        last = base
        isSettled = ClusterTraits.isWidelyKnown(base)
    }

    enum Fate {
        case joins
        /// A new piece starts with the scalar.
        case endsPiece
        /// A new piece starts after the scalar, which is not drawn.
        case endsPieceUnseen
    }

    mutating func fate(of scalar: Unicode.Scalar, followedBy next: Unicode.Scalar?, _ model: WidthModel) -> Fate {
        guard count < ClusterTraits.maximumScalars else { return .endsPiece }
        let fate = undisturbedFate(of: scalar, followedBy: next, model)
        if fate == .joins {
            count += 1
            last = scalar
        }
        return fate
    }

    private mutating func undisturbedFate(
        of scalar: Unicode.Scalar, followedBy next: Unicode.Scalar?, _ model: WidthModel
    ) -> Fate {
        if scalar.value == 0x200D { return fateOfJoiner(followedBy: next, model) }
        if scalar.isVariationSelector { return fateOfSelector(scalar, model) }
        if scalar.isTag { return base.value == 0x1F3F4 ? joinUnsettled() : .endsPiece }
        if scalar.value == 0x200C { return last.isOfJoiningScript ? .joins : .endsPiece }
        if scalar.isInvisible || scalar == "\u{FFFD}" { return .endsPiece }
        if scalar.isEmojiModifier {
            guard model.contains(.joinsModifiers) else { return .endsPiece }
            columns = 2
            return joinUnsettled()
        }
        if scalar.isRegionalIndicator {
            guard model.contains(.joinsFlags) else { return .endsPiece }
            columns = 2
            return joinUnsettled()
        }
        if scalar.value == 0x20E3 { return joinUnsettled() }
        return fateOfLetterOrMark(scalar, model)
    }

    private mutating func joinUnsettled() -> Fate {
        isSettled = false
        return .joins
    }

    private mutating func fateOfJoiner(followedBy next: Unicode.Scalar?, _ model: WidthModel) -> Fate {
        guard let next else { return last.isOfJoiningScript ? .joins : .endsPiece }
        if next.isEmoji, next.value > 0x7F, base.isEmoji, base.value > 0x7F {
            isSettled = false
            return model.contains(.joinsEmoji) ? .joins : .endsPieceUnseen
        }
        return base.isOfJoiningScript ? .joins : .endsPiece
    }

    /// Joins one selector per scalar, and only where it has a meaning: a chain of selectors can hide data.
    private mutating func fateOfSelector(_ scalar: Unicode.Scalar, _ model: WidthModel) -> Fate {
        guard !last.isVariationSelector else { return .endsPiece }
        switch scalar.value {
        case 0xFE0F:
            guard last.isEmoji else { return .endsPiece }
            if model.contains(.widensByVS16) { columns = 2 }
            return joinUnsettled()
        case 0xFE0E:
            guard last.isEmoji else { return .endsPiece }
            if model.contains(.narrowsByVS15), count == 1 { columns = 1 }
            return joinUnsettled()
        default:
            return last.value > 0x7F ? joinUnsettled() : .endsPiece
        }
    }

    private mutating func fateOfLetterOrMark(_ scalar: Unicode.Scalar, _ model: WidthModel) -> Fate {
        if last.value == 0x200D, scalar.isEmoji { return joinUnsettled() }
        if scalar.isMark {
            // A combining accent on a Latin letter is drawn the same everywhere; other marks may not be.
            if !(0x300...0x36F).contains(scalar.value) {
                isSettled = false
                isMeasurable = false
            }
            return .joins
        }
        guard model.contains(.joinsConjuncts) else { return .endsPiece }
        isMeasurable = false
        return joinUnsettled()
    }

    /// Whether terminals have known the scalar long enough to agree: Unicode 9 gave emoji their width.
    private static func isWidelyKnown(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isRegionalIndicator || scalar.isEmojiModifier { return false }
        guard let age = scalar.properties.age else { return (0xE000...0xF8FF).contains(scalar.value) }
        return age.major <= 9
    }
}
