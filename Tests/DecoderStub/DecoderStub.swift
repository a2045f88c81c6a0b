internal import ImageCodecs
internal import Platform
internal import RAWDevelop

/// A server of decoders for tests, with a library that does what no codec should.
@main struct DecoderStub {
  static func main() {
    var raw: [any DecoderService.Type] = []
    #if RAW
    raw = rawDecoderServices
    #endif
    DecoderProcessServer.serveIfLaunched(
      DecoderServices.all + raw + [StubService.self])
    print("This program only serves decoders in tests.")
  }
}
