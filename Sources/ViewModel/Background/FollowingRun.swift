/// A run that was asked for while another is in progress, and that follows it.
enum FollowingRun {
    case inBackground
    /// Somebody waits for its result.
    case byHand
}
