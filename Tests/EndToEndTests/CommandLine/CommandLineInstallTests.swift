import Foundation
import Testing

/// Tests the files that install.sh installs: the program, the manual page, completions, the handler for addresses.
struct CommandLineInstallTests {
    let transcript: Transcript

    init() throws {
        transcript = try Transcript()
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        try transcript.write(
            "TN_BINARY=$(readlink bin/tn) sh '\(root.path)/Resources/install.sh' \"$@\"\n", to: "install")
    }

    @Test func `install puts everything under a prefix, and uninstall takes it away`() throws {
        try transcript.check(
            #"""
            $ sh install --prefix p | head -1; find p -type f | sort
            Installed tn in <FOLDER>/p/bin.
            p/bin/tn
            p/share/applications/takenote.desktop
            p/share/bash-completion/completions/tn
            p/share/fish/vendor_completions.d/tn.fish
            p/share/man/man1/tn.1
            p/share/zsh/site-functions/_tn
            $ p/bin/tn --version; grep -c "^Exec=$PWD/p/bin/tn" p/share/applications/takenote.desktop
            0.2.0
            2
            $ [ $(stat -c %s p/bin/tn) -lt $(stat -Lc %s bin/tn) ] && echo without symbols
            without symbols
            $ sh install --prefix=p --uninstall; find p -type f
            Removed tn from <FOLDER>/p; your notes are where they were.
            $ sh install --prefix 'a p&q' >/dev/null; grep ^Exec 'a p&q/share/applications/takenote.desktop'
            Exec="<FOLDER>/a p&q/bin/tn" %u
            Exec="<FOLDER>/a p&q/bin/tn" --new
            $ sh install --prefix
            ! install.sh: --prefix needs a folder
            ? 64
            $ sh install --quick
            ! install.sh: unknown option --quick; see --help
            ? 64
            """#)
    }

    @Test func `the manual page is clean and names every command`() throws {
        try transcript.check(
            #"""
            $ tn manual > tn.1; mandoc -Tlint -W warning tn.1; groff -ww -mdoc -Tutf8 tn.1 2>&1 >/dev/null
            $ for c in new edit search import doctor status 'folder add'; do grep -q "^.Ss tn $c" tn.1 || echo $c; done
            """#)
    }
}
