import HDRConversion
import HDRCore
import Testing

@testable import hdrconvert

@Suite("Ends of a command that did not do what was asked") struct FailureTests {
  /// A file that lacks what is asked of it is no mistake of usage, and each says where and why.
  @Test(
    arguments: [
      (.unsuitable, .reading, 65), (.invalidArgument, .reading, 64), (.malformed, .reading, 65),
      (.invalidArgument, .writing, 64), (.unsupported, .writing, 69), (.unsupported, .reading, 65),
      (.missingCodec, .reading, 69), (.missingCodec, .writing, 69), (.codecFailure, .reading, 65),
      (.codecFailure, .writing, 70), (.limitExceeded, .writing, 65),
    ] as [(ImageError.Category, Failure.Stage, Int32)])
  func codesAndWords(code: ImageError.Category, stage: Failure.Stage, exitCode: Int32) {
    let failure = Failure(
      ImageError(
        ErrorCode("test", code, "there is no gain map"),
        at: .init(file: "a.jpg", path: ["item 7"])),
      stage: stage)
    #expect(failure.exitCode == exitCode)
    #expect(failure.message.hasSuffix(" a.jpg [item 7]") && failure.message.contains("cannot"))
    #expect(failure.reason == "there is no gain map")
    #expect(!failure.remedy.isEmpty && !failure.remedy.contains("FILE"))
  }

  @Test func whatIsInTheFile() {
    let failure = Failure(ImageError(ErrorCode("test", .unsuitable, "no gain map")).inFile("a.jpg"))
    #expect(failure.remedy.hasPrefix("hdrconvert inspect a.jpg"))
  }
}
