// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import RAWDevelop
import TestSupport

extension Corpus {
  static func dng(_ path: String) throws -> DNGFile { try DNGFile(TIFFFile(parsing: source(path))) }
}

/// Resources of the tests.
enum Vectors {
  static func bytes(_ path: String) throws -> [UInt8] {
    let folder = Bundle.module.resourceURL?.appending(path: "Vectors")
    guard let folder else {
      throw ImageError(ErrorCode("test", .missingInput, "no test resources"))
    }
    return [UInt8](try Data(contentsOf: folder.appending(path: path)))
  }
}

extension RawSamples {
  /// All samples, row by row.
  var integers: [UInt16] {
    guard case .integer(let plane) = rows else { return [] }
    return Array(plane.span)
  }

  var floats: [Float] {
    guard case .float(let plane) = rows else { return [] }
    return Array(plane.span)
  }
}
