internal import HDRCore

extension DNGFile {
  /// Decodes the semantic masks that tables of colors are for.
  ///
  /// - Parameters:
  ///   - names: As tables have them; of masks of the same name the first counts.
  ///   - limits: What masks may cost.
  ///   - damage: Receives what is wrong with samples, whose masks are left out then.
  /// - Returns: Those that the file has.
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

  /// Says which tables of colors nothing comes of, since no mask has their name.
  ///
  /// Source: DNG 1.7.1, RGBTables.
  func missing(_ names: Set<String>, _ limits: ImageLimits) -> [Notice] {
    guard !names.isEmpty else { return [] }
    return names.subtracting(mattes(limits: limits).found.map(\.name)).sorted().map { name in
      Notice(.rawColorTableWithoutMask, ["mask": name])
    }
  }
}
