// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Encodes linear BT.2020 values as 16-bit samples of an RGB profile with tables.
///
/// Relative colorimetric with black point compensation: white becomes that of the paper, black the
/// darkest ink; colors that the device can show keep their hue and chroma.
package struct ProfileEncoder {
  private let transform: any ProfileTransform

  /// - Parameter profile: An RGB profile with tables to the device.
  /// - Throws: `.invalidArgument` if values cannot be converted to the profile, `.missingCodec` without
  ///   color management.
  package init(_ profile: [UInt8]) throws(ImageError) {
    transform = try CodecRegistry.colorManagement().transform(to: profile)
  }

  /// Encodes rows.
  ///
  /// - Parameter rows: Linear RGB in floating point, with straight alpha or without.
  /// - Returns: Samples of 16 bits.
  /// - Throws: `.cancelled`.
  package func encoded(_ rows: ImagePlanes) throws(ImageError) -> ImagePlanes {
    guard case .float(let planes) = rows.planes, planes.count >= 3 else {
      preconditionFailure("linear values are floating-point RGB")
    }
    let (width, height) = (rows.layout.width, rows.layout.height)
    let device = try concurrentMap(height) { (y) throws(ImageError) in
      var row = [Float](repeating: 0, count: 3 * width)
      for (index, plane) in planes.prefix(3).enumerated() {
        let source = plane.row(y)
        for x in 0..<width { row[3 * x + index] = source[x] }
      }
      return transform.converted(row)
    }
    var layout = rows.layout
    layout.samples = .integer(bits: 16)
    let samples = planes.enumerated().map { index, plane in
      Plane<UInt16>(width: width, height: height) { output in
        for y in 0..<height {
          let alpha = plane.row(y)
          for x in 0..<width {
            let value = index < 3 ? device[y][3 * x + index] : alpha[x]
            output.append(UInt16(clamping: (min(max(value, 0), 1) * 65_535).rounded()))
          }
        }
      }
    }
    return ImagePlanes(layout: layout, planes: .integer(samples))
  }
}
