import Processes
import Terminal

/// Follows the terminal around tmux, which may change at any time.
///
/// tmux tells nobody when a terminal is attached. So it is asked at the start, whenever the window gets another size or
/// the focus, and each minute.
@MainActor
final class TmuxWatch {
    private let loop: EventLoop
    private unowned let application: any TerminalApplication
    private var known = TmuxPictures()
    private var isAsking = false
    /// Whether there was reason to ask while an answer was awaited.
    private var asksAgain = false
    /// The next question to a tmux that does not know the terminal's name yet.
    private var repetition: TimerID?

    /// The pauses after which tmux is asked again for the name of a terminal that it does not know yet.
    ///
    /// tmux asks the terminal when it is attached, and a slow line or a terminal that is still starting answers late.
    private static let namePauses: [Duration] =
        [.milliseconds(250), .milliseconds(500)] + [1, 2, 2, 2, 4, 4].map { .seconds($0) }

    init(_ loop: EventLoop, _ application: any TerminalApplication) {
        (self.loop, self.application) = (loop, application)
    }

    /// Asks, without waiting for the answer.
    ///
    /// - Parameter pauses: how long to wait before each further question, while the terminal has no name.
    func ask(after pauses: ArraySlice<Duration> = namePauses[...]) {
        guard !isAsking else { return asksAgain = true }
        isAsking = true
        let mailbox = loop.mailbox
        onOwnThread("tn.tmux") { [weak self] in
            let answer = TmuxPictures.ask()
            mailbox.post { self?.take(answer, pauses) }
        }
    }

    private func take(_ answer: TmuxPictures?, _ pauses: ArraySlice<Duration>) {
        isAsking = false
        guard let answer else { return }
        if asksAgain {
            asksAgain = false
            ask()
        } else if !answer.isNamed, let pause = pauses.first {
            if let repetition { loop.cancel(repetition) }
            repetition = loop.schedule(after: pause) { [weak self] in self?.ask(after: pauses.dropFirst()) }
        }
        // While nobody is attached there is nobody to draw for.
        guard answer != known, !answer.client.isEmpty else { return }
        let isAnother = answer.client != known.client
        known = answer
        loop.take(
            passesPictures: answer.arePassedOn, hasAllColors: answer.hasAllColors, cellPixels: answer.cell,
            isAnother: isAnother, application)
    }
}
