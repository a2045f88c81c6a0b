// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion

/// Thumbnails of many photos within 256 MB; the memory of each file is returned with it.
func thumbnails(of photos: [Data]) throws -> [[UInt8]] {
  let execution = Execution(threads: 2, budget: Execution.Budget(memory: 256 << 20))
  return try execution.run { try photos.map { try thumbnail(of: $0) } }
}

/// The file without locations; coded images stay byte for byte.
func withoutLocation(_ photo: Data) throws -> [UInt8] {
  var request = ConversionRequest()
  request.metadata.strip = [.location]
  return try ImageFile(parsing: ByteSource(photo)).converted(request).bytes
}
