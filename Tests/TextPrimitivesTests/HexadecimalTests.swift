import Testing
import TextPrimitives

struct HexadecimalTests {
    @Test func `bytes are written as two digits each`() {
        let bytes = (0...255).map { UInt8($0) }
        for uppercase in [false, true] {
            let text = Hexadecimal.text(bytes, uppercase: uppercase)
            #expect(text.hasPrefix("000102") && text.hasSuffix(uppercase ? "FEFF" : "feff"))
            #expect(text == bytes.map { Hexadecimal.text($0, digits: 2, uppercase: uppercase) }.joined())
        }
    }

    @Test func `a number has at least as many digits as were asked for`() {
        #expect(Hexadecimal.text(0x2E, digits: 4) == "002e")
        #expect(Hexadecimal.text(0x1F600, digits: 4, uppercase: true) == "1F600")
    }

    @Test(arguments: ["", "+1", "-1", "g", "0x1", "é", "１", "11112222333344445"])
    func `what is not a number is not read`(text: String) {
        #expect(Hexadecimal.number(text) == nil)
    }

    @Test(arguments: [("#FF26B9", 0xFF26B9 as UInt32), ("ff26b9", 0xFF26B9), ("#0af", 0x00AAFF), ("#000", 0)])
    func `a colour is read with six digits or three`(text: String, value: UInt32) {
        #expect(RGBText.value(text) == value)
    }

    @Test(arguments: ["", "#", "red", "#ff", "#fffff", "##ffffff", "#-12345", "#FF26B9 "])
    func `what is not a colour is not read`(text: String) {
        #expect(RGBText.value(text) == nil)
    }

    @Test func `a colour is written with six digits`() { #expect(RGBText.text(0x00C7BE) == "#00C7BE") }
}
