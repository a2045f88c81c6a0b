// SPDX-License-Identifier: Apache-2.0
package import GainMap

extension FoundGainMap {
  /// Flavors that would describe the gain map exactly if its samples were requantized for them.
  ///
  /// - Parameter flavors: Flavors to write.
  /// - Returns: Some of them; none if approximated metadata are close enough for the samples as they
  ///   are, or if no samples would help.
  package func flavorsIfRequantized(for flavors: Set<GainMapFlavor>) -> Set<GainMapFlavor> {
    guard let metadata else { return [] }
    let bits = layout?.bits ?? 8
    func isTooFarOff(_ written: GainMapMetadata) -> Bool {
      GainMapMetadataSet.difference(of: written, from: metadata, bits: bits)
        > AppleFit.tolerance
    }
    if metadata.isApple {
      let others = flavors.subtracting([.apple])
      guard !others.isEmpty, let fit = try? AppleFit(to: metadata), isTooFarOff(fit.metadata) else {
        return []
      }
      return others
    }
    // Apple metadata of the file are kept. Three components that share one channel may have equal
    // samples.
    guard flavors.contains(.apple),
      !carriers.contains(where: { $0.flavor == .apple && $0.description != nil }),
      metadata.obstacleToApple(mapIsGray: true) == nil,
      let apple = try? metadata.withAppleCurve(),
      layout?.componentCount == 1 ? isTooFarOff(apple) : metadata.channels.all.count == 1
    else { return [] }
    let fitsOthers = (try? AppleFit(to: apple).isTolerable) ?? false
    return flavors == [.apple] || fitsOthers ? flavors : [.apple]
  }
}
