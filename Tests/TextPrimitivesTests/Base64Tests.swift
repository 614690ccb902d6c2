import SeededRandom
import Testing
import TextPrimitives

struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"), ("é✓", "w6ninJM="),
    ])
    func `base64 is what RFC 4648 says`(_ plain: String, _ digits: String) {
        #expect(Base64.encoded(Array(plain.utf8)) == Array(digits.utf8))
        #expect(Base64.decoded(digits.utf8) == Array(plain.utf8))
        #expect(Base64.decoded(digits.utf8.filter { $0 != UInt8(ascii: "=") }) == Array(plain.utf8))
    }

    @Test(arguments: ["Z", "Zg=", "Zg===", "Zm9v=", "Zg==Zg==", "Z g=", "Zm9v\n", "é===", "====", "_-8="])
    func `what is not base64 is not decoded`(_ digits: String) {
        #expect(Base64.decoded(digits.utf8) == nil)
    }

    @Test func `random bytes come out as they went in`() {
        var random = SeededGenerator(seed: 52)
        for length in 0..<300 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(Base64.decoded(Base64.encoded(bytes)) == bytes)
        }
    }
}
