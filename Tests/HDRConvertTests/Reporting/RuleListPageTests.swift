// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Command

/// The page of rules equals the generated one.
@Suite("Page of rules") struct RuleListPageTests {
  private static let page = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appendingPathComponent("Documentation/Rules.md")

  @Test func committedPageIsUpToDate() throws {
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
      try Data(RuleList.markdown.utf8).write(to: Self.page)
    }
    let committed = try String(contentsOf: Self.page, encoding: .utf8)
    #expect(committed == RuleList.markdown, "run with UPDATE_GOLDENS=1")
  }
}
