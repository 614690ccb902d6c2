// The welcome note, word for word as it is in Resources/welcome.md, where it is read and changed.
// It is compiled in because the program is one file; a test holds both to the same text.

/// The note that teaches by doing.
public enum WelcomeNote {
    /// Its title, by which it is found again.
    public static let title = "Welcome to TakeNote"

    /// Its Markdown.
    public static let text = #"""
        # Welcome to TakeNote

        This note teaches by doing. Press `Enter` in the list to write in it, `Esc` to go back.

        - [ ] Put the caret on this line and press `Ctrl-T`: the task is done.
        - [ ] Type something here:
        - [ ] Press `Ctrl-E` to read the note instead of writing it, and once more to come back.

        ## Finding your way

        The sidebar, the list and the editor stand side by side. `Tab` goes from one to the next, arrows move, `Enter` opens.

        - [ ] `Esc`, then `n`: a new note. It saves itself while you type; its first line is its title.
        - [ ] `/` and a word: all notes that have it, as you type. `Esc` leaves.
        - [ ] `Ctrl-O` and part of a title: that note.
        - [ ] `Ctrl-P`: everything that can be done, with its key. `F1` lists the keys of where you are.

        ## Putting in order

        - [ ] `s` in the list gives this note a star. `t` gives it a tag, `m` moves it.
        - [ ] `Alt-1`, then `n`: a new folder. `N` makes a project for poems, prose or plays.
        - [ ] `d` moves a note to the Trash. `u` takes back whatever you did last.

        ## Linking

        - [ ] Type `[[` and choose a note: a link. `Ctrl-]` follows it; the other note shows where it is linked from.

        ## From the shell

            echo "milk, eggs" | tn --new --tag shopping
            tn search milk
            tn today

        When you know your way, press `d` on this note.

        """#
}
