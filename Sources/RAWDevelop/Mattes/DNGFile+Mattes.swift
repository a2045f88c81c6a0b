// SPDX-License-Identifier: Apache-2.0
package import HDRCore
internal import ImageFiles

extension DNGFile {
  /// The semantic masks of the file.
  ///
  /// - Parameter limits: Limits of a mask.
  /// - Returns: The readable masks, and notices of the others.
  /// - Throws: Errors that end the whole job.
  package func mattes(
    limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> (found: [RawMatte], notices: [Notice]) {
    var found: [RawMatte] = []
    var notices: [Notice] = []
    for image in images {
      do throws(ImageError) {
        if let matte = try RawMatte(image, limits: limits) { found.append(matte) }
      } catch {
        guard !error.endsJob else { throw error }
        notices.append(
          Notice(.dropped, "not readable: mask: {cause}", ["cause": error], at: error.location))
      }
    }
    return (found, notices)
  }

  /// Decodes a mask over the whole active area.
  ///
  /// - Parameters:
  ///   - matte: One of `mattes` of this file.
  ///   - limits: Limits of the samples.
  /// - Returns: Coverage of `width` by `height` samples of the matte, 0...65535; 65535 is full
  ///   coverage.
  /// - Throws: `.unsupported` for samples that cannot be decoded, `.malformed` and `.truncated` for
  ///   damaged samples, `.limitExceeded` for more samples than allowed.
  package func decode(
    _ matte: RawMatte, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> Plane<UInt16> {
    let layout = try RawLayout(of: matte.image, version: version, limits: limits)
    let decoder = RawChunkDecoder(layout, structure.source)
    let samples: RawSamples
    do throws(ImageError) {
      guard layout.planes == 1 else {
        throw ImageError(.unsupported, "mask of {count sample} per pixel", ["count": layout.planes])
      }
      guard matte.width * matte.height <= limits.memory / 2 else {
        throw ImageError(.rawSamplesLimitExceeded, ["limit": limits.memory])
      }
      var damage: [ImageError] = []
      samples = try decoder.decode(damage: &damage)
    } catch {
      throw matte.image.directory.path.reversed().reduce(error) { $0.inside($1) }
    }
    var coverage = Plane<UInt16>(width: matte.width, height: matte.height, filledWith: 0)
    let part = matte.storedPart
    let scale = 65_535 / Float(layout.largestCode)
    for y in 0..<part.height {
      var row = coverage.mutableRow(part.y + y)
      switch samples.rows {
      case .integer(let plane):
        let source = plane.row(y)
        for x in 0..<part.width {
          row[part.x + x] = UInt16(clamping: min(Float(source[x]) * scale, 65_535).rounded())
        }
      case .float(let plane):
        let source = plane.row(y)
        for x in 0..<part.width {
          // NaN becomes 0.
          row[part.x + x] = UInt16(clamping: (max(0, min(source[x], 1)) * 65_535).rounded())
        }
      }
    }
    return coverage
  }
}
