// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import Command

@Suite("Summaries of many inputs") struct BatchSummaryTests {
  private static func notice(_ count: Int, _ share: Double) -> Notice {
    Notice(
      NoticeCode("pixels/out-of-gamut", .clipped, "clipped: {count pixel} ({share %})"),
      ["count": count, "share": share])
  }

  /// The notices of the summary of inputs that finished in an order.
  private static func lines(_ notices: [(index: Int, notice: Notice)]) -> [String] {
    var summary = BatchSummary()
    for (index, notice) in notices {
      var result = BatchResult(.done)
      result.report.notices = [notice]
      let path = "\(index).heic"
      let job = BatchJob(
        input: BatchInput(argument: path), output: .success("out/\(index).jpg"))
      summary.add(result, of: job, at: index)
    }
    return Array(summary.lines(of: notices.count, inputCount: notices.count).dropLast())
  }

  /// Each file is above or below the threshold, whatever the order.
  @Test(arguments: [[0, 1, 2], [1, 0, 2], [2, 1, 0]])
  func ordersDoNotHideNotices(order: [Int]) {
    let all = [Self.notice(3, 0.01), Self.notice(500, 36.1), Self.notice(20, 1)]
    #expect(
      Self.lines(order.map { ($0, all[$0]) }) == [
        "warning: clipped: up to 500 pixels (up to 36.1 %) [1.heic and 1 more] "
          + "(pixels/out-of-gamut)"
      ])
    #expect(Self.lines([(0, all[0])]).isEmpty)
  }

  @Test func equalValuesAreExact() {
    let lines = Self.lines([(0, Self.notice(7, 2)), (1, Self.notice(7, 2))])
    #expect(lines[0].hasPrefix("warning: clipped: 7 pixels (2 %) [0.heic and 1 more]"))
  }

  /// One input of several outputs is one input, and sizes are not mixed.
  @Test func outputsOfOneInput() {
    var summary = BatchSummary()
    for (index, size) in [(1280, 720), (640, 816)].enumerated() {
      var result = BatchResult(.done)
      result.report.notices = [
        Notice(NoticeCode("a/b", .dropped, "for {size pixel}"), ["size": .size(size.0, size.1)])
      ]
      summary.add(
        result,
        of: BatchJob(
          input: BatchInput(argument: "a.heic"), output: .success("out/\(index).jpg")), at: index)
    }
    let lines = summary.lines(of: 2, inputCount: 1)
    #expect(lines[0] == "warning: for 1280x720, 640x816 [a.heic] (a/b)")
    #expect(lines[1].hasPrefix("2 outputs of 1 input: 2 done, 0 failed; "))
  }

  /// Names of all files are listed.
  @Test func namesAreJoined() {
    let code = NoticeCode("metadata/embedded-not-copied", .dropped, "not copied: {items item}")
    let notices = [["depth map"], ["matte", "depth map"]].map { Notice(code, ["items": $0]) }
    let lines = Self.lines(
      Array(notices.enumerated().map { (index: $0.offset, notice: $0.element) }))
    #expect(lines[0].hasPrefix("warning: not copied: depth map, matte [0.heic and 1 more]"))
  }

  /// Notices without a code of their own are told apart by their texts.
  @Test func textsAreNotMixed() {
    let dropped = Notice(.dropped, "dropped: {item}", ["item": "video"])
    let other = Notice(.dropped, "not stored: {item}", ["item": "video"])
    #expect(
      Self.lines([(0, dropped), (1, other), (2, dropped)]) == [
        "warning: dropped: video [0.heic and 1 more]",
        "warning: not stored: video [1.heic]",
      ])
  }

  /// A remedy names the output of the input.
  @Test func remediesNameTheOutput() {
    let report = InputReport(output: "out/b.jpg")
    let error = ImageError(
      ErrorCode("transcode/formats", .invalidArgument, "test"), at: .init(file: "b.heic"))
    let remedy = InputReport.$current.withValue(report) {
      Remedies.remedy(against: error, of: .current)
    }
    #expect(remedy == "to convert it: hdrconvert b.heic -o out/b.jpg")
  }
}
