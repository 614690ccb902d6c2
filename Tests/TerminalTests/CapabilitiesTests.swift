import Testing

@testable import Terminal

/// Tests the capabilities derived from environments and answers.
struct CapabilitiesTests {
    private func capabilities(_ environment: [String: String]) -> Capabilities {
        Capabilities(environment: environment)
    }

    @Test func `colours follow the environment`() {
        #expect(capabilities(["TERM": "xterm-256color"]).colorDepth == .palette256)
        #expect(capabilities(["TERM": "xterm-256color", "COLORTERM": "truecolor"]).colorDepth == .truecolor)
        #expect(capabilities(["TERM": "xterm-kitty"]).colorDepth == .truecolor)
        #expect(capabilities(["TERM": "linux"]).colorDepth == .ansi16)
        #expect(capabilities(["TERM": "vt100"]).colorDepth == ColorDepth.none)
        #expect(capabilities(["TERM": "vte-256color"]).colorDepth == .palette256)
        #expect(capabilities(["TERM": "xterm-kitty", "NO_COLOR": "1"]).colorDepth == ColorDepth.none)
        #expect(capabilities(["TERM": "xterm-kitty", "NO_COLOR": ""]).colorDepth == .truecolor)
    }

    @Test func `hosts and multiplexers are recognized`() {
        #expect(capabilities(["TERM": "xterm", "SSH_CONNECTION": "a"]).isRemote)
        #expect(capabilities(["TERM": "screen-256color", "TMUX": "x"]).multiplexer == .tmux)
        #expect(capabilities(["TERM": "screen", "STY": "x"]).multiplexer == .screen)
        // Over SSH, only the name is passed on: the multiplexer runs on the other machine and accepts no commands from
        // here.
        for term in ["tmux-256color", "screen-256color"] {
            let remote = capabilities(["TERM": term, "SSH_CONNECTION": "a"])
            #expect(remote.multiplexer == .none && remote.widthModel != capabilities(["TERM": "xterm"]).widthModel)
        }
        #expect(!capabilities(["TERM": "linux"]).hasMouse)
        #expect(capabilities(["TERM": "xterm", "LANG": "en_US.UTF-8"]).isUTF8)
        #expect(!capabilities(["TERM": "xterm", "LANG": "en_US.UTF-8", "LC_ALL": "C"]).isUTF8)
        #expect(!capabilities(["TERM": "dumb"]).isUsable && !capabilities([:]).isUsable)
    }

    @Test func `text that is printed is measured as most terminals count it`() {
        func columns(of text: String, in environment: [String: String]) -> Int {
            TextWidth(model: capabilities(environment).printedWidths).width(of: text)
        }
        for environment in [["TERM": "xterm-256color"], ["TERM": "tmux-256color"], ["TERM": "linux"], [:]] {
            #expect(columns(of: "น้ำใจดี", in: environment) == 5 && columns(of: "করেছো", in: environment) == 5)
            #expect(columns(of: "ভাষা", in: environment) == 4 && columns(of: "क्षत्रिय", in: environment) == 6)
        }
        #expect(columns(of: "น้ำ", in: ["TERM": "xterm-kitty"]) == 1)
        #expect(columns(of: "❤️", in: ["TERM": "xterm"]) == 2)
        #expect(columns(of: "❤️", in: ["TERM": "xterm", "TMUX": "x"]) == 1)
    }

    @Test func `control characters are spelled where there are no symbols for them, or none are wanted`() {
        var options = TerminalOptions(environment: [:])
        #expect(!capabilities(["TERM": "xterm", "LANG": "C.UTF-8"]).spellsControls(options))
        #expect(capabilities(["TERM": "xterm", "LANG": "C"]).spellsControls(options))
        #expect(capabilities(["TERM": "linux", "LANG": "C.UTF-8"]).spellsControls(options))
        options.hasOnlyASCII = true
        #expect(capabilities(["TERM": "xterm", "LANG": "C.UTF-8"]).spellsControls(options))
        options.hasOnlyASCII = false
        #expect(!capabilities(["TERM": "xterm", "LANG": "C"]).spellsControls(options))
    }

    @Test func `light and dark come from what is surest`() {
        #expect(capabilities(["TERM": "xterm"]).isDark)
        var told = capabilities(["TERM": "rxvt", "COLORFGBG": "0;15"])
        #expect(!told.isDark)
        told.colorScheme = nil
        told.background = .rgb(0xFDF6E3)
        #expect(!told.isDark)
        told.background = .rgb(0x002B36)
        #expect(told.isDark)
    }

    /// Feeds answers to a probe byte by byte, as the slowest line would deliver them.
    private func probed(_ environment: [String: String], _ answers: String) -> Capabilities {
        var capabilities = Capabilities(environment: environment)
        var probe = Probe(capabilities, environment: environment, isQuerying: true)
        let events = Decoding().events(Array(answers.utf8).map { [$0] })
        for event in events {
            guard case .reply(let reply) = event else {
                Issue.record("an answer came out as \(event)")
                continue
            }
            probe.receive(reply, &capabilities)
        }
        return capabilities
    }

    private func columns(_ columns: [Int]) -> String { columns.map { "\u{1B}[2;\($0 + 1)R" }.joined() }

    @Test func `a terminal that can do everything is believed`() {
        let kitty = probed(
            ["TERM": "xterm-256color"],
            "\u{1B}P>|kitty(0.42.1)\u{1B}\\\u{1B}[?0u\u{1B}[?2026;2$y\u{1B}[?2027;0$y\u{1B}[?2048;2$y"
                + "\u{1B}]10;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}]11;rgb:1111/1111/1111\u{1B}\\"
                + "\u{1B}P1$r0;48:2:59:34:76m\u{1B}\\\u{1B}P1$r0;4:3m\u{1B}\\" + columns([2, 2, 2, 2, 1, 1, 1])
                + "\u{1B}[?62;52c")
        #expect(kitty.colorDepth == .truecolor)
        #expect(kitty.hasSynchronizedUpdate && kitty.hasUnderlineStyles && kitty.hasInBandResize && kitty.canRepeat)
        #expect(kitty.isDark && kitty.isProbed)
        #expect(kitty.widthModel == [.unicode, .narrowsByVS15, .isMeasured])
    }

    @Test func `tmux 3_3 answers little and is measured`() {
        let tmux = probed(
            ["TERM": "tmux-256color", "TMUX": "x"],
            "\u{1B}P>|tmux 3.3a\u{1B}\\" + columns([2, 4, 2, 1, 2, 3, 1]) + "\u{1B}[?1;2c")
        #expect(tmux.widthModel == [.joinsEmoji, .joinsFlags, .isMeasured])
        #expect(!tmux.hasSynchronizedUpdate && tmux.synchronizedUpdateMinimum == 1024)
        #expect(probed(["TERM": "xterm"], "\u{1B}P>|tmux 3.3a\u{1B}\\").multiplexer == .none)
    }

    @Test func `mode 2027 counts more than a measure before it was on`() {
        let ghostty = probed(
            ["TERM": "xterm-ghostty"], "\u{1B}[?2027;2$y" + columns([6, 4, 2, 1, 2, 3, 1]) + "\u{1B}[?62;22;52c")
        #expect(ghostty.hasGraphemeClusters)
        #expect(ghostty.widthModel.isSuperset(of: [.unicode, .isMeasured]))
    }

    @Test func `answers after the end still count and a mute terminal keeps the defaults`() {
        let late = probed(["TERM": "xterm-256color"], "\u{1B}[?62c\u{1B}[?2026;2$y\u{1B}]11;rgb:ff/ff/ff\u{07}")
        #expect(late.hasSynchronizedUpdate && !late.isDark)
        #expect(probed(["TERM": "xterm-256color"], "") == capabilities(["TERM": "xterm-256color"]))
    }

    @Test func `the background that a terminal tells counts more than the environment`() {
        #expect(!probed(["TERM": "xterm", "COLORFGBG": "15;0"], "\u{1B}]11;rgb:ff/ff/f0\u{07}").isDark)
    }

    @Test func `queries are only sent to those who do not print them`() {
        func queries(_ environment: [String: String]) -> String {
            String(
                decoding: Probe(capabilities(environment), environment: environment, isQuerying: true).queries,
                as: UTF8.self)
        }
        #expect(queries(["TERM": "linux"]).isEmpty && queries(["TERM": "vt220"]).isEmpty)
        #expect(!queries(["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"]).contains("$"))
        #expect(!queries(["TERM": "screen", "STY": "x"]).contains("\u{1B}P"))
        // tmux itself answers for its colours.
        for environment in [["TERM": "tmux-256color", "TMUX": "x"], ["TERM": "tmux-256color"]] {
            let asked = queries(environment)
            #expect(asked.contains("\u{1B}]11;?") && !asked.contains("$") && !asked.contains("\u{1B}P"))
        }
        #expect(!queries(["TERM": "screen"]).contains("\u{1B}]"))
        #expect(queries(["TERM": "xterm"]).hasSuffix("\u{1B}[c"))
    }

    @Test func `modes are left in the order that is safe`() {
        var modes = TerminalModes()
        modes.keyboardProtocol = true
        modes.title = true
        let leave = String(decoding: modes.leave, as: UTF8.self)
        #expect(leave.hasPrefix("\u{1B}[?2026l") && leave.hasSuffix("\u{1B}[?1049l"))
        #expect(leave.contains("\u{1B}[<u") && leave.contains("\u{1B}[23;0t") && leave.contains("\u{1B}[?25h"))
        #expect(modes.leave.count < CrashGuard.capacity)
    }
}
