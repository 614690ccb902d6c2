import ArgumentParser
import Foundation
import Intelligence
import NoteStore

/// The command `tn assist`: lets a model change or continue a text.
struct Assist: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assist",
        abstract: "Let the model change or continue a text from standard input.",
        discussion: """
            Say in your own words what to do; the result is printed while it arrives. No note is read or changed. \
            Examples:

              tn show Letter | tn assist "make it shorter and friendlier"
              tn show Menu | tn assist "translate into Spanish"
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: "What to do with the text.")
    var wish: [String]
    @OptionGroup var consent: ConsentOptions

    func validate() throws {
        if wish.allSatisfy(\.isBlank) { throw ValidationError.noWish }
    }

    func run() throws {
        let text = try InputText.piped(or: .noTextToChange)
        guard !text.isBlank else { throw Failure.noTextToChange }
        let notebook = try options.open()
        let access = try ModelAccess.required(notebook, consent)
        let request = Assistant.request(wish.joined(separator: " "), text)
        if consent.showPrompt { return try access.show([request]) }
        try access.require(Texts.text(ofCharacters: text.count), [request])
        let (output, thoughts) = (StreamedOutput(access.stop), ShownThoughts())
        let result: Result<Answer, ModelFailure>
        do {
            result = .success(
                try access.run.answer(to: request) { event in
                    switch event {
                    case .text(let text):
                        thoughts.end()
                        output.write(text)
                    case .reasoning(let text): thoughts.write(text)
                    }
                })
        } catch {
            result = .failure(error)
        }
        thoughts.end()
        try output.finish()
        AnswerTexts.remarks(on: try result.get()).forEach(StandardError.notice)
    }
}
