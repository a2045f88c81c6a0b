// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion

/// Format and size of a file on a server, of which `fetch` returns a range; samples are not read.
func summary(
  ofBytes count: Int, _ fetch: @escaping @Sendable (Range<Int>) async throws -> Data
) async throws -> String {
  let execution = Execution()
  return try await execution.run {
    let contents = try ImageFile(parsing: ByteSource(count: count, read: fetch)).contents()
    let size = contents.primary.uprightSize
    return "\(contents.format) \(size.width)x\(size.height)"
  }
}
