// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension DNGFile {
  /// Decodes the semantic masks of color tables.
  ///
  /// - Parameters:
  ///   - names: Names of masks; the first mask of a name is used.
  ///   - limits: Limits of masks.
  ///   - damage: Receives errors of damaged masks, which are dropped.
  /// - Returns: The masks of the file, by name.
  /// - Throws: Errors that end the whole job.
  func lookMasks(
    _ names: Set<String>, limits: ImageLimits, damage: inout [ImageError]
  ) throws(ImageError) -> [String: Plane<UInt16>] {
    var masks: [String: Plane<UInt16>] = [:]
    guard !names.isEmpty else { return masks }
    var seen: Set<String> = []
    for matte in try mattes(limits: limits).found
    where names.contains(matte.name) && seen.insert(matte.name).inserted {
      do throws(ImageError) {
        masks[matte.name] = try decode(matte, limits: limits)
      } catch {
        guard !error.endsJob else { throw error }
        damage.append(error)
      }
    }
    return masks
  }

  /// Notices of color tables without a mask of their name.
  ///
  /// Source: DNG 1.7.1, RGBTables.
  func missing(
    _ names: Set<String>, _ limits: ImageLimits
  ) throws(ImageError) -> [Notice] {
    guard !names.isEmpty else { return [] }
    let present = try mattes(limits: limits).found.map(\.name)
    return names.subtracting(present).sorted().map { name in
      Notice(.rawColorTableWithoutMask, ["mask": name])
    }
  }
}
