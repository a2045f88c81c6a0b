// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import TestSupport

extension Corpus {
  /// Opens a file of the corpus, such as `exr/oexr-t01.exr`.
  static func open(
    _ path: String, options: OpeningOptions = OpeningOptions()
  ) throws -> SourceImage {
    try SourceImage(decoding: source(path), options: options)
  }
}

extension Image {
  /// All samples, read in strips of `height` rows.
  func decode(stripHeight height: Int = 40) throws -> ImagePlanes {
    let reader = try makeReader()
    var strips: [ImagePlanes] = []
    for first in stride(from: 0, to: layout.height, by: height) {
      strips.append(try reader.read(rows: first..<min(first + height, layout.height)))
    }
    let indices = 0..<layout.planeCount
    if case .float = layout.samples {
      return ImagePlanes(
        layout: layout,
        planes: .float(
          indices.map { index in
            joined(
              index,
              strips.map { strip in
                if case .float(let planes) = strip.planes { planes[index] } else { nil }
              })
          }))
    }
    return ImagePlanes(
      layout: layout,
      planes: .integer(
        indices.map { index in
          joined(
            index,
            strips.map { strip in
              if case .integer(let planes) = strip.planes { planes[index] } else { nil }
            })
        }))
  }

  private func joined<Sample>(_ index: Int, _ strips: [Plane<Sample>?]) -> Plane<Sample> {
    let size = layout.planeSize(index)
    return Plane(width: size.width, height: size.height) { output in
      for strip in strips {
        guard let strip else { continue }
        // SAFETY: the strips together contain as many samples as the plane.
        unsafe strip.span.withUnsafeBufferPointer { samples in
          unsafe output.withUnsafeMutableBufferPointer { target, count in
            unsafe _ = target[count...].update(fromContentsOf: samples)
            count += samples.count
          }
        }
      }
    }
  }
}

extension Image {
  /// CRC-32 of all samples, see `ImagePlanes.checksum`.
  var checksum: UInt32 { get throws { try planes().checksum } }
}

extension ImagePlanes {
  /// CRC-32 of all samples, plane after plane, as little-endian 32-bit floats or 16-bit integers.
  var checksum: UInt32 {
    func checksum<Sample>(_ planes: [Plane<Sample>]) -> UInt32 {
      planes.reduce(0) { crc, plane in
        // SAFETY: the bytes are copied before the call returns.
        let bytes = unsafe plane.span.withUnsafeBytes { unsafe [UInt8]($0) }
        return Zlib.crc32(bytes, from: crc)
      }
    }
    switch planes {
    case .integer(let planes), .half(let planes): return checksum(planes)
    case .float(let planes): return checksum(planes)
    }
  }

  /// The samples of one pixel of an image without subsampling, as floats.
  func pixel(_ x: Int, _ y: Int) -> [Float] {
    switch planes {
    case .integer(let planes): planes.map { Float($0.row(y)[x]) }
    case .float(let planes): planes.map { $0.row(y)[x] }
    case .half(let planes): planes.map { Float(Float16(bitPattern: $0.row(y)[x])) }
    }
  }
}
