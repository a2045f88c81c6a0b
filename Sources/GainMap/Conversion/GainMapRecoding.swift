package import HDRCore

/// New codes for the samples of a map, so that they say the same gain under another meaning: another
/// range, gamma or depth, or Apple's curve.
package struct GainMapRecoding: Sendable {
  /// The new code for each old one; one table, or one for each component.
  public let tables: [[UInt16]]

  private let oldBits: Int
  private let newBits: Int

  /// Prepares the tables.
  ///
  /// - Parameters:
  ///   - old: What the samples mean.
  ///   - oldBits: Their depth, 1...16.
  ///   - new: What they shall mean.
  ///   - newBits: The depth they shall have, 1...16.
  public init(
    from old: GainMapMeaning, bits oldBits: Int, to new: GainMapMeaning, bits newBits: Int
  ) {
    precondition((1...16).contains(oldBits) && (1...16).contains(newBits))
    let largest = (old: Double(1 << oldBits - 1), new: Double(1 << newBits - 1))
    tables = (0..<max(old.channelCount, new.channelCount)).map { component in
      (0..<1 << oldBits).map { code in
        let wanted = old.logGain(ofSample: Double(code) / largest.old, component: component)
        let sample = new.sample(ofLogGain: wanted, component: component)
        return UInt16((sample * largest.new).rounded())
      }
    }
    self.oldBits = oldBits
    self.newBits = newBits
  }

  /// The map with its new codes.
  ///
  /// - Parameter map: Gray or RGB, full range, of the old depth, without alpha. Gray becomes RGB
  ///   where components differ in meaning.
  /// - Returns: The map in the new depth.
  public func apply(to map: ImagePlanes) -> ImagePlanes {
    guard case .integer(let planes) = map.planes, map.layout.samples == .integer(bits: oldBits),
      !map.layout.hasAlpha
    else { preconditionFailure("codes of \(oldBits) bits are needed, full range") }
    var format = map.layout
    switch format.components {
    case .gray: if tables.count == 3 { format.components = .rgb }
    case .rgb: break
    case .ycbcr: preconditionFailure("codes of gain are needed, not their luma")
    }
    format.samples = .integer(bits: newBits)
    let recoded = (0..<format.componentCount).map { component in
      recode(planes[min(component, planes.count - 1)], tables[min(component, tables.count - 1)])
    }
    return ImagePlanes(layout: format, planes: .integer(recoded))
  }

  private func recode(_ plane: Plane<UInt16>, _ table: [UInt16]) -> Plane<UInt16> {
    let codes = plane.span
    return Plane(width: plane.width, height: plane.height) { samples in
      for index in codes.indices { samples.append(table[min(Int(codes[index]), table.count - 1)]) }
    }
  }
}

extension GainMapMeaning {
  /// Sample of a gain, in stops; held between the smallest and the largest that there is.
  ///
  /// - Parameters:
  ///   - logGain: Base-2 logarithm of the gain.
  ///   - component: 0, 1 or 2 for red, green, blue.
  /// - Returns: 0...1.
  public func sample(ofLogGain logGain: Double, component: Int) -> Double {
    switch self {
    case .parameters(let metadata): metadata.channels[component].sample(ofLogGain: logGain)
    case .apple(let map): map.sample(ofLogGain: logGain)
    }
  }
}
