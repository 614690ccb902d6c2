import Foundation
import Testing

/// Tests pictures on the command line: decoded in a child process, drawn as half blocks, refused if they are damaged.
struct CommandLinePictureTests {
    let transcript: Transcript

    /// 16 by 32 pixels, 2 by 2 cells: red and green above, blue below.
    private static let png = """
        iVBORw0KGgoAAAANSUhEUgAAABAAAAAgCAIAAACU62+bAAAAIUlEQVR42mP4z8CAFTH8JxGNahjVMAw0jAbHqIZRDXAEAMIX/hATBV/KAAAAAElFTkSuQmCC
        """

    init() throws {
        transcript = try Transcript()
        try transcript.write(Self.png, to: "png.txt")
        try transcript.write(
            "above\n\n![A map](sub/map%20one.png)\n\n![out](../map.png) and ![gone](gone.png)\n", to: "a.md")
        try transcript.write(
            #"""
            export TERM=xterm COLORTERM=truecolor
            script -qec "stty cols 80; $*" /dev/null | sed 's/\x1b/ESC/g; s/\r$//'
            """#, to: "with")
        try transcript.check("$ base64 -d png.txt > map.png; mkdir -p sub; cp map.png 'sub/map one.png'")
    }

    @Test func `a note and a file are drawn with their pictures`() throws {
        try transcript.check(
            #"""
            $ sh with tn render --pictures a.md
            above

            ESC[48;2;255;0;0m ESC[48;2;0;255;0m ESC[m
            ESC[48;2;0;0;255m  ESC[m

            ESC[36;4moutESC[0m and ESC[36;4mgoneESC[0m
            $ printf 'A note.\n\n' | tn --new --title Trip >/dev/null; tn image add map.png --to Trip >/dev/null
            $ sh with tn show --pictures Trip
            A note.

            ESC[48;2;255;0;0m ESC[48;2;0;255;0m ESC[m
            ESC[48;2;0;0;255m  ESC[m
            $ NO_COLOR=1 sh with tn show --pictures Trip
            A note.

            ┌───────┐
            │ image │
            └───────┘
            """#)
    }

    @Test func `what is not a terminal gets labels and no colours`() throws {
        try transcript.check(
            #"""
            $ TERM=xterm COLORTERM=truecolor tn render --pictures a.md
            above

            ┌───────┐
            │ A map │
            └───────┘

            out and gone
            $ tn image add map.png | tn --new --title Trip >/dev/null; TERM=xterm COLORTERM=truecolor tn show --pictures Trip
            ┌───────┐
            │ image │
            └───────┘
            """#)
    }

    @Test func `a damaged picture keeps its label, and nothing but the picture is lost`() throws {
        try transcript.check(
            #"""
            $ head -c 60 map.png > 'sub/map one.png'; sh with tn render --pictures a.md | grep -c 'A map · PNG'
            1
            $ (printf '\377\330\377\300\000\021\010\000\040\000\040\003'; head -c 400 map.png) > 'sub/map one.png'
            $ sh with tn render --pictures a.md | grep -c 'A map · JPEG'
            1
            $ (head -c 16 map.png; printf '\000\000\377\377\000\000\377\377'; tail -c +25 map.png) > 'sub/map one.png'
            $ sh with tn render --pictures a.md | grep -c 'A map · PNG'
            1
            $ tn __picture pixels 4 4 < 'sub/map one.png'
            ? 66
            $ tn __picture pixels 4 4 < a.md
            ? 65
            $ head -c 60 map.png > cut.png; tn __picture pixels 4 4 < cut.png
            ? 65
            $ tn __picture pixels 4 < map.png
            ? 64
            """#)
    }
}
