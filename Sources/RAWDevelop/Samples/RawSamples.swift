// SPDX-License-Identifier: Apache-2.0
public import HDRCore
internal import ImageFiles

/// The stored samples of a raw image, before any tag is applied.
public struct RawSamples: Sendable {
  /// Rows of interleaved samples.
  public enum Rows: Sendable {
    case integer(Plane<UInt16>)
    case float(Plane<Float>)
  }

  /// Samples per pixel, which are interleaved in `rows`: 1 or 3.
  public let planeCount: Int
  /// The samples, row by row: planes of `planeCount` times `width` columns.
  public let rows: Rows

  /// Columns of the samples.
  public var width: Int {
    switch rows {
    case .integer(let plane): plane.width / planeCount
    case .float(let plane): plane.width / planeCount
    }
  }

  /// Rows of the samples.
  public var height: Int {
    switch rows {
    case .integer(let plane): plane.height
    case .float(let plane): plane.height
    }
  }
}

extension DNGFile {
  /// Decodes the samples of the raw image, strips or tiles in parallel.
  ///
  /// - Parameter limits: Limits of the samples.
  /// - Returns: The stored samples.
  /// - Throws: `.unsupported` for samples that cannot be decoded, `.malformed` and `.truncated` for
  ///   damaged ones, `.limitExceeded` for more memory than allowed.
  public func decodeRaw(limits: ImageLimits = ImageLimits()) throws(ImageError) -> RawSamples {
    try decodeRaw(limits: limits, salvages: false).samples
  }

  /// Decodes the undamaged strips or tiles of the raw image; the others are black.
  ///
  /// - Parameter limits: Limits of the samples.
  /// - Returns: The samples, and a notice of each damaged strip or tile.
  /// - Throws: Errors of `decodeRaw` if no strip or tile can be decoded.
  package func salvageRaw(
    limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> (samples: RawSamples, notices: [Notice]) {
    try decodeRaw(limits: limits, salvages: true)
  }

  private func decodeRaw(
    limits: ImageLimits, salvages: Bool
  ) throws(ImageError) -> (samples: RawSamples, notices: [Notice]) {
    if let samples = decoded?.samples { return (samples, []) }
    let layout = try RawLayout(of: raw, version: version, limits: limits, salvages: salvages)
    let decoder = RawChunkDecoder(layout, structure.source, notices: decodingNotices)
    func located(_ error: ImageError) -> ImageError {
      raw.directory.path.reversed().reduce(error) { $0.inside($1) }
    }
    var damage: [ImageError] = []
    do throws(ImageError) {
      let samples = try decoder.decode(damage: &damage)
      let notices = damage.map { error in
        Notice(.dropped, "left black: {cause}", ["cause": error], at: located(error).location)
      }
      return (samples, notices)
    } catch {
      throw located(error)
    }
  }
}
