// SPDX-License-Identifier: Apache-2.0
import Foundation
import ImageReports
import Testing

@testable import Command

@Suite("Viewers of HDR images") struct ViewersTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Documentation/Viewers.md").standardized

  /// The page has the table and the date of the command, and a source of each row with viewers.
  @Test func pageHasTheTable() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    #expect(text.contains("As of \(Viewers.date)"))
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
      .map { row in
        row.split(separator: "|", omittingEmptySubsequences: false)
          .map { $0.trimmingCharacters(in: .whitespaces) }
      }
    let table = Viewers.table.map {
      [$0.content, $0.hdr.joined(separator: ", "), $0.elsewhere]
    }
    #expect(rows.map { Array($0[1...3]) } == table)
    let sources = text.matches(of: #/(?m)^(\d+)\. /#).map { String($0.1) }
    for row in rows where !row[2].isEmpty {
      let cited = row[4].split(separator: ", ").map(String.init)
      #expect(!cited.isEmpty && Set(cited).isSubset(of: sources), "\(row[1])")
    }
  }
}
