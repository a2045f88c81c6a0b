// SPDX-License-Identifier: Apache-2.0
import Conformance
import Foundation
import HDRConversion

/// The rules of the standards that a file in memory violates.
func violations(in photo: Data) throws -> [String] {
  let file = try CheckedFile(ImageFile(parsing: ByteSource(photo)))
  let broken = try file.judgments().filter { $0.verdict == .broken }
  return broken.map { "\($0.rule.id): \($0.rule.title)" }
}
