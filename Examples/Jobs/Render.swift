// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion

/// The image as a display of a headroom shows it, as a PQ AVIF.
func rendition(of photo: Data, headroom: Headroom) throws -> [UInt8] {
  var request = ConversionRequest(format: .avif)
  request.rendition.headroomStops = headroom.stops
  return try ImageFile(parsing: ByteSource(photo)).converted(request).bytes
}

/// The image as a display with a peak of 600 cd/m² shows it, whose reference white
/// has 203 cd/m², as a PQ PNG.
func rendition(of photo: Data, peakLuminance: Double = 600) throws -> [UInt8] {
  var request = ConversionRequest(format: .png)
  var display = ConversionRequest.Rendition.Display()
  (display.referenceWhite, display.peakLuminance) = (203, peakLuminance)
  request.rendition.display = display
  return try ImageFile(parsing: ByteSource(photo)).converted(request).bytes
}
