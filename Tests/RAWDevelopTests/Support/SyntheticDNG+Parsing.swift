// SPDX-License-Identifier: Apache-2.0
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import RAWDevelop
import TestSupport
import Testing

extension SyntheticDNG {
  static func parsed(_ file: SyntheticDNG) throws -> DNGFile {
    try DNGFile(TIFFFile(parsing: ByteSource(file.bytes)))
  }

  /// The developed image.
  func document(_ development: RawDevelopment = .sceneLinear) throws -> SourceImage {
    try SourceImage.open(
      ByteSource(bytes), options: OpeningOptions(), developing: development)
  }
}

extension SourceImage {
  /// All linear values of the image: `[plane][y][x]`.
  func light(stripHeight: Int = 40, threads: Int = 2) throws -> [[[Float]]] {
    let execution = Execution(threads: threads)
    return try execution.run { () throws(ImageError) in
      let reader = try image.makeReader()
      let format = image.layout
      var planes = [[[Float]]](repeating: [], count: format.planeCount)
      for first in stride(from: 0, to: format.height, by: stripHeight) {
        let strip = try reader.read(rows: first..<min(first + stripHeight, format.height))
        guard case .float(let floats) = strip.planes else {
          Issue.record("not floating point")
          continue
        }
        for (index, plane) in floats.enumerated() {
          for y in 0..<plane.height { planes[index].append(Array(plane.row(y))) }
        }
      }
      return planes
    }
  }
}
