internal import ImageContainers

extension FoundGainMap {
  /// Flavors that could say exactly what the map means, if its samples were coded anew for them.
  ///
  /// - Parameter flavors: What a file shall have.
  /// - Returns: Some of them; none where the closest words for the samples as they are do, or where no
  ///   samples help.
  package func flavorsIfRecoded(for flavors: Set<GainMapFlavor>) -> Set<GainMapFlavor> {
    guard let meaning = reading?.meaning else { return [] }
    let bits = layout?.bits ?? 8
    func isTooFarOff(_ said: GainMapMeaning) -> Bool {
      GainMapDescription.difference(of: said, from: meaning, bits: bits)
        > GainMapDescription.tolerance
    }
    switch meaning {
    case .parameters(let metadata):
      // Words of Apple's that the file has already stay what they are. Three components that share the
      // numbers of one may well be coded alike.
      guard flavors.contains(.apple), !spellings.contains(where: { $0.isReadable(as: .apple) }),
        AppleGainMap.obstacle(to: metadata, mapIsGray: true) == nil,
        let map = try? AppleGainMap(fullGainOf: metadata),
        layout?.componentCount == 1
          ? isTooFarOff(.apple(map)) : metadata.channels.all.count == 1
      else { return [] }
      let fitsOthers = (try? AppleFit.isTolerable(for: map)) ?? false
      return flavors == [.apple] || fitsOthers ? flavors : [.apple]
    case .apple(let map):
      let others = flavors.subtracting([.apple])
      guard !others.isEmpty, let fit = try? AppleFit(to: map),
        isTooFarOff(.parameters(fit.metadata))
      else { return [] }
      return others
    }
  }
}

extension FoundGainMap.Carrier {
  fileprivate func isReadable(as flavor: GainMapFlavor) -> Bool {
    self.flavor == flavor && reading != nil
  }
}
