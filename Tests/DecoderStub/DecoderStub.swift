// SPDX-License-Identifier: Apache-2.0
internal import ImageCodecs
internal import Platform
internal import RAWDevelop

/// A server of decoders for tests, with a library that does what no codec should.
@main struct DecoderStub {
  static func main() {
    DecoderProcessServer.serveIfLaunched(
      DecoderServices.all + RawDecoderServices.all + [StubService.self])
    print("This program only serves decoders in tests.")
  }
}
