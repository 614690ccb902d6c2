import Testing

@testable import DecodedPictures

struct PictureRequestTests {
    @Test(arguments: [
        PictureRequest.pixels(width: 60, height: 40), .png(width: 640, height: 480, limit: nil),
        .png(width: 1, height: 8192, limit: 98_304), .reduced(side: 2048),
    ])
    func `a request reads back from its words`(request: PictureRequest) {
        #expect(PictureRequest(words: request.words) == request)
    }

    @Test func `a child that gets a twentieth of a processor may use all the time that it is allowed`() {
        #expect(PictureDecoder.deadline >= .seconds(20 * PictureChild.seconds))
    }

    @Test(arguments: [
        [], ["pixels"], ["pixels", "0", "1"], ["pixels", "8193", "1"], ["pixels", "-1", "1"], ["pixels", "a", "1"],
        ["reduced", "2048", "1"], ["png", "1", "1"], ["shell", "1", "1"],
    ])
    func `words that are not a request are refused`(words: [String]) {
        #expect(PictureRequest(words: words) == nil)
    }
}
