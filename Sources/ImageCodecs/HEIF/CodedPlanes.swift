#if HEIF || AVIF
internal import HDRCore
internal import ImageFiles

/// The planes of one coded image, in codec order and as the codec returns them.
struct CodedPlanes: Sendable {
  var width: Int
  var height: Int
  var chroma: ChromaSubsampling
  var bits: Int
  /// Luma, or luma and two color differences; with matrix 0 green, blue and red.
  var planes: [Plane<UInt16>]

  /// The same samples in the component order of a layout.
  func image(as format: ImageLayout) -> ImagePlanes {
    ImagePlanes(layout: format, planes: .integer(planes(in: format.components)))
  }

  /// The planes in the order of these components.
  func planes(in components: ImageLayout.Components) -> [Plane<UInt16>] {
    components == .rgb ? [planes[2], planes[0], planes[1]] : planes
  }
}

extension Plane<UInt16> {
  /// Copies a plane from C memory: one byte per sample up to 8 bits, two above.
  init(copying start: UnsafeRawPointer, width: Int, height: Int, bytesPerRow: Int, bits: Int) {
    // SAFETY: the codec declares that each of `height` rows contains `width` samples of this size;
    // the plane has room for all of them.
    self.init(width: width, height: height) { samples in
      unsafe samples.withUnsafeMutableBufferPointer { target, count in
        for y in 0..<height {
          let source = unsafe start + y * bytesPerRow
          let row = unsafe UnsafeMutableBufferPointer(rebasing: target[count..<count + width])
          if bits > 8 {
            let values = unsafe source.assumingMemoryBound(to: UInt16.self)
            _ = unsafe row.update(
              fromContentsOf: UnsafeBufferPointer(start: values, count: width))
          } else {
            let values = unsafe source.assumingMemoryBound(to: UInt8.self)
            for x in 0..<width { unsafe row[x] = UInt16(values[x]) }
          }
          count += width
        }
      }
    }
  }
}
#endif
