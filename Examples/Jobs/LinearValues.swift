// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion

/// The image with all its headroom, half as bright, as a PQ PNG.
func halved(_ photo: Data) throws -> [UInt8] {
  let linear = try SourceImage.open(ByteSource(photo)).expandedToHDR()
  guard case .float(let planes) = try linear.planes().planes else { return [] }
  let changed = try planes.map { plane in
    let samples = (0..<plane.width * plane.height).map { plane.span[$0] / 2 }
    return try Plane(width: plane.width, height: plane.height, samples: samples)
  }
  let image = SourceImage(try Image(linear.description, planes: .float(changed)))
  return try image.converted(ConversionRequest(format: .png)).bytes
}
