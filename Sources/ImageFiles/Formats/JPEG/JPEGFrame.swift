// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// The frame header: size, bit depth and sampling of an image.
///
/// Source: ITU-T T.81, B.2.2.
package struct JPEGFrame: Hashable, Sendable {
  /// One color component.
  package struct Component: Hashable, Sendable {
    /// Component identifier, as scan headers refer to it.
    package var identifier: UInt8
    /// Horizontal sampling factor, 1...4, relative to the largest one of the frame.
    package var horizontalSampling: Int
    /// Vertical sampling factor, 1...4, relative to the largest one of the frame.
    package var verticalSampling: Int
    /// Index of the quantization table, 0...3.
    package var quantizationTable: UInt8
  }

  /// The coding process: SOF0 is baseline, SOF2 progressive.
  package var marker: JPEGMarker
  /// Bits per sample, as stored: 8, or 12 in extended and progressive processes, 2...16 in lossless
  /// ones.
  package var precision: Int
  /// Columns of the image, 1...65535.
  package var width: Int
  /// Rows of the image, 0...65535; 0 if a DNL segment after the first scan specifies them.
  package var height: Int
  /// The color components, in the order of the frame header; at least 1.
  package var components: [Component]

  init(parsing segment: JPEGSegment) throws(ImageError) {
    let start = (segment.stored?.upperBound ?? segment.payload.count) - segment.payload.count
    var reader = ByteReader(segment.payload.span, fileOffset: start)
    marker = segment.marker
    precision = Int(try reader.readBigEndian(as: UInt8.self))
    height = Int(try reader.readBigEndian(as: UInt16.self))
    width = Int(try reader.readBigEndian(as: UInt16.self))
    let count: UInt8 = try reader.readBigEndian()
    components = []
    for _ in 0..<count {
      let identifier: UInt8 = try reader.readBigEndian()
      let sampling: UInt8 = try reader.readBigEndian()
      components.append(
        Component(
          identifier: identifier, horizontalSampling: Int(sampling >> 4),
          verticalSampling: Int(sampling & 15), quantizationTable: try reader.readBigEndian()))
    }
    let samplings = components.flatMap { [$0.horizontalSampling, $0.verticalSampling] }
    guard width > 0, !components.isEmpty, samplings.allSatisfy({ (1...4).contains($0) }) else {
      throw reader.error(
        .malformed, "invalid frame: {width}x{height} pixels with {components component}",
        ["components": components.count, "width": width, "height": height])
    }
  }
}
