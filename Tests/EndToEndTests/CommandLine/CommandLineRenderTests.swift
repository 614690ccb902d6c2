import Testing

/// Tests drawing Markdown in the terminal, and making HTML of it.
struct CommandLineRenderTests {
    let transcript: Transcript

    init() throws {
        transcript = try Transcript()
    }

    @Test func `a drawing is no wider than asked, and no control of its text gets through`() throws {
        try transcript.write(
            """
            # A title that is long enough to be wrapped, and \u{1B}[31mred\u{07}

            | Name | Born | Town | Remarks | 天気 |
            |------|-----:|:----:|---------|------|
            | Ana | 1971 | Vigo | bread of the old kind, and **the best** coffee | 雨のち曇り、ところにより雪 |
            | a\tb\u{1B} | \u{9B} | \u{202E}c | ![i\u{1B}](x) | `\u{7F}` |

            > - [ ] quoted, with https://example.org/a/long/address/that/goes/on/and/on/and/on/and/on/and/on/and/on
            >   1. 日本語の文章は、どこでも改行できます。ただし句読点は行頭に来ません。

            ```
            \tcode\u{1B}]8;;x\u{07} that is long enough to be broken at the end of any line that is looked at here, surely
            ```

            ***

            <b>\u{1B}</b> ![a picture with a name that is longer than the narrowest of lines](takenote://image/X)

            A note[^1].

            [^1]: Its text\u{1B}[2J.

            """, to: "all.md")
        try transcript.check(
            #"""
            $ for w in 20 40 80 120; do tn render --width $w all.md > $w; widest=$(LC_ALL=C.UTF-8 wc -L < $w); test $widest -le $w || echo $w: $widest; LC_ALL=C tr -d '\n\040-\176\200-\377' < $w | wc -c; grep -c "$(printf '\302\233')" $w || true; done
            0
            0
            0
            0
            0
            0
            0
            0
            """#)
    }

    @Test func `Markdown becomes HTML without a notebook`() throws {
        try transcript.check(
            #"""
            $ printf '# Title\n\n~~gone~~ [[Link]] #tag\n' > a.md; tn render --html a.md
            <h1>Title</h1>
            <p>~~gone~~ [[Link]] #tag</p>
            $ tn render --html --gfm < a.md
            <h1>Title</h1>
            <p><del>gone</del> [[Link]] #tag</p>
            $ tn render --html --extended a.md | head -1
            <h1>Title</h1>
            $ printf '# T\n\n- [x] done and **bold** words that are wrapped\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n' | tn render --width 20
            T
            ━━━
            ☑ done and bold
              words that are
              wrapped

            a │ b
            ──┼──
            1 │ 2
            $ printf '| น้ำ | x |\n|---|---|\n| ก | y |\n| কাজ | z |\n' | tn render
            น้ำ  │ x
            ────┼──
            ก   │ y
            কাজ │ z
            $ tn render --gfm a.md
            ! tn: --gfm and --extended go with --html; see tn render --help
            ? 64
            $ tn render none.md
            ! tn: cannot read none.md: No such file or directory
            ? 66
            $ tn render --html --gfm --extended a.md
            ! tn: give only one of --gfm and --extended; see tn render --help
            ? 64
            $ for n in 9 10001 9223372036854775807; do printf '%s\n' a --- | tn render --width $n; done
            ! tn: --width must be at least 10; see tn render --help
            ! tn: --width must be at most 10000; see tn render --help
            ! tn: --width must be at most 10000; see tn render --help
            ? 64
            $ printf '\377' | tn render --html
            ! tn: standard input is not UTF-8 text; convert it first, for example with iconv
            ? 65
            $ test -e data || echo no notebook was made
            no notebook was made
            """#)
    }
}
