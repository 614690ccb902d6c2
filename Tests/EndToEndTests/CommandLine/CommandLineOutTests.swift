import Foundation
import Testing

/// Tests a manuscript, a vault, a site and a mirror from the shell.
struct CommandLineOutTests {
    let transcript: Transcript

    init() throws { transcript = try Transcript() }

    @Test func `a folder becomes one work, whose file's ending says what it is`() throws {
        // This script stands for pandoc, and the next one for the engine that makes a PDF.
        try transcript.write(
            "#!/bin/sh\nfor a; do case $a in --output=*) echo \"%PDF $2 $4\" > \"${a#--output=}\";; esac; done\n",
            to: "tools/pandoc")
        try transcript.write("#!/bin/sh\n", to: "tools/typst")
        try transcript.check(
            #"""
            $ for f in Novel Novel/One; do tn folder add $f >/dev/null; done; tn --new --folder Novel/One 'It began.' >/dev/null
            $ tn export novel.md --manuscript --folder Novel --author 'A. Writer'; cat novel.md
            1 note, 2 words exported.
            # Novel

            A. Writer

            2 words

            ## One

            It began.
            $ tn export novel.md --manuscript --folder Novel
            ! tn: novel.md already exists; choose another name, or add --force to replace it
            ? 73
            $ tn export novel.html --manuscript --folder Novel && grep -c 'began' novel.html
            1 note, 2 words exported.
            1
            $ tn export novel.epub --manuscript --folder Novel && head -c 58 novel.epub | tail -c 28
            1 note, 2 words exported.
            mimetypeapplication/epub+zip
            $ chmod +x tools/*; PATH=$PWD/bin:$PWD/tools:/bin tn export novel.pdf --manuscript --folder Novel; cat novel.pdf
            1 note, 2 words exported.
            %PDF --standalone --metadata=pagetitle:Novel
            $ PATH=$PWD/bin tn export other.pdf --manuscript --folder Novel
            ! tn: a PDF needs pandoc and typst, weasyprint or LaTeX; install them, or export .html and print it
            ? 69
            $ tn export novel.doc --manuscript --folder Novel; tn export novel.md --manuscript; tn export x --site --obsidian
            ! tn: the file of a manuscript ends in .md, .html, .epub or .pdf; see tn export --help
            ! tn: --manuscript needs notes or --folder; see tn export --help
            ! tn: give only one of --html, --site, --obsidian and --manuscript; see tn export --help
            ? 64
            $ tn export book.epub; tn export all.json --html; tn export x --keep-lines; mkdir old.md; tn export old.md && rm -r old.md; ls book.epub all.json x 2>/dev/null | wc -l
            1 note exported.
            0
            ! tn: “book.epub” would be a folder: for one file add --manuscript, with notes or --folder; or name a folder without such an ending; see tn export --help
            ! tn: “all.json” would be a folder: for the whole notebook in this file add --json; or name a folder without such an ending; see tn export --help
            ! tn: --keep-lines goes with --html, --site or --manuscript; see tn export --help
            $ tn export site --site; find site -type f | sort; tn export vault --obsidian; find vault -type f | sort
            1 note exported.
            site/.nojekyll
            site/.tn-export
            site/Novel/One/It began.html
            site/index.html
            site/style.css
            1 note exported.
            vault/.obsidian/app.json
            vault/.tn-export
            vault/Novel/One/It began.md
            """#)
    }
}
