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
  func lookMasks(
    _ names: Set<String>, limits: ImageLimits, damage: inout [ImageError]
  ) -> [String: Plane<UInt16>] {
    var masks: [String: Plane<UInt16>] = [:]
    guard !names.isEmpty else { return masks }
    var seen: Set<String> = []
    for matte in mattes(limits: limits).found
    where names.contains(matte.name) && seen.insert(matte.name).inserted {
      do throws(ImageError) {
        masks[matte.name] = try decode(matte, limits: limits)
      } catch {
        damage.append(error)
      }
    }
    return masks
  }

  /// Notices of color tables without a mask of their name.
  ///
  /// Source: DNG 1.7.1, RGBTables.
  func missing(_ names: Set<String>, _ limits: ImageLimits) -> [Notice] {
    guard !names.isEmpty else { return [] }
    return names.subtracting(mattes(limits: limits).found.map(\.name)).sorted().map { name in
      Notice(.rawColorTableWithoutMask, ["mask": name])
    }
  }
}
