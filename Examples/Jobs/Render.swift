// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion

/// The image as a display of a headroom shows it, as a PQ AVIF.
func rendition(of photo: Data, headroom: Headroom) throws -> [UInt8] {
  var request = ConversionRequest(format: .avif)
  request.rendition.headroomStops = headroom.stops
  return try ImageFile(parsing: ByteSource(photo)).converted(request).bytes
}
