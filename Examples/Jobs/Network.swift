// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion

/// A file on a server, of which `fetch` returns a range; few ranges are requested.
struct RemoteFile: ByteProvider {
  let count: Int
  let fetch: @Sendable (Range<Int>) -> Data?

  func bytes(in range: Range<Int>) throws(ImageError) -> [UInt8] {
    guard let data = fetch(range) else { throw ImageError(RemoteFile.unreachable) }
    return Array(data)
  }

  static let unreachable = ErrorCode("remote/unreachable", .inputOutput, "no answer")
}

/// Format and size of a file on a server; samples are not read.
func summary(of file: RemoteFile) throws -> String {
  let contents = try ImageFile(parsing: ByteSource(file)).contents()
  return
    "\(contents.format) \(contents.primary.shownSize.width)x\(contents.primary.shownSize.height)"
}
