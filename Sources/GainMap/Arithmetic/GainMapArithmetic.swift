// SPDX-License-Identifier: Apache-2.0
public import HDRCore
internal import Platform

// The definitions, in double precision and in the order of the standard. `GainRows` and
// `GainMapStage` compute the same in single precision.

extension GainMapMetadata {
  /// Returns the weight of the gain for a display.
  ///
  /// Equal headrooms, which the standard does not cover, give 0.
  ///
  /// Source: ISO 21496-1, clause 6.3.
  ///
  /// - Parameter display: Headroom of the display.
  /// - Returns: 0 for the baseline image, 1 for the alternate image; if the baseline image is the
  ///   brighter one, negative, -1 for the alternate image.
  public func weight(for display: Headroom) -> Double {
    let (base, alternate) = (baseHeadroom.value, alternateHeadroom.value)
    guard base != alternate else { return 0 }
    // A headroom that is not a number counts as that of the baseline image.
    let share = min(max(0, (display.stops - base) / (alternate - base)), 1)
    return alternate > base ? share : -share
  }

  /// Returns the base-2 logarithm of the gain of a sample.
  ///
  /// - Parameters:
  ///   - sample: Code value divided by the largest code value; clamped to 0...1.
  ///   - component: 0, 1 or 2 for red, green, blue; other numbers count as the nearest.
  /// - Returns: Gain in stops, from the darker to the brighter image.
  public func logGain(ofSample sample: Double, component: Int) -> Double {
    guard let appleCurve else { return channels[component].logGain(ofSample: sample) }
    let gain = appleCurve.gain(ofSample: min(max(sample, 0), 1))
    return log2(1 + (Headroom(stops: channels[component].maximum.value).ratio - 1) * gain)
  }

  /// Returns the sample of a gain.
  ///
  /// - Parameters:
  ///   - logGain: Gain in stops; clamped to the range of the gain map.
  ///   - component: 0, 1 or 2 for red, green, blue; other numbers count as the nearest.
  /// - Returns: 0...1; 0 if all samples have the same gain.
  public func sample(ofLogGain logGain: Double, component: Int) -> Double {
    guard let appleCurve else { return channels[component].sample(ofLogGain: logGain) }
    let full = Headroom(stops: channels[component].maximum.value).ratio
    guard full > 1 else { return 0 }
    return appleCurve.sample(ofGain: min(max((exp2(logGain) - 1) / (full - 1), 0), 1))
  }

  /// Returns a component with a share of the gain applied.
  ///
  /// Source: ISO 21496-1, clause 6.3.
  ///
  /// - Parameters:
  ///   - base: Linear component of the baseline image in the primaries of the gain; 1.0 is
  ///     reference white, 203 cd/m² for PQ and HLG.
  ///   - logGain: Gain in stops, resampled to the size of the baseline image.
  ///   - weight: Result of `weight(for:)`; 0 returns `base`.
  ///   - component: 0, 1 or 2 for red, green, blue; other numbers count as the nearest.
  /// - Returns: Linear component in the same primaries; may be negative or above the headroom.
  public func applied(to base: Double, logGain: Double, weight: Double, component: Int) -> Double {
    guard weight != 0 else { return base }
    let channel = channels[component]
    return (base + channel.baseOffset.value) * exp2(weight * logGain)
      - channel.alternateOffset.value
  }
}

extension GainMapMetadata.Channel {
  /// Returns the base-2 logarithm of the gain of a sample, which is clamped to 0...1, in stops.
  ///
  /// Source: ISO 21496-1, clause 6.2.1.
  public func logGain(ofSample sample: Double) -> Double {
    let relative = pow(min(max(sample, 0), 1), 1 / gamma.value)
    return minimum.value + (maximum.value - minimum.value) * relative
  }

  /// Returns the sample, 0...1, of a gain in stops, which is clamped to `minimum...maximum`.
  public func sample(ofLogGain logGain: Double) -> Double {
    let range = maximum.value - minimum.value
    guard range > 0 else { return 0 }
    let relative = min(max((logGain - minimum.value) / range, 0), 1)
    return gamma.value == 1 ? relative : pow(relative, gamma.value)
  }

  /// Returns the base-2 logarithm of the gain from the darker to the brighter image.
  ///
  /// Source: ISO 21496-1, annex A.
  ///
  /// - Parameters:
  ///   - base: Linear component of the baseline image.
  ///   - alternate: The same component of the alternate image.
  ///   - isBaseHDR: Whether the baseline image is the brighter one.
  /// - Returns: Gain in stops, not limited to `minimum...maximum`; sums of component and offset
  ///   below 1/1024 count as 1/1024.
  public func logGain(from base: Double, to alternate: Double, isBaseHDR: Bool) -> Double {
    let ratio =
      max(alternate + alternateOffset.value, Self.smallestSum)
      / max(base + baseOffset.value, Self.smallestSum)
    return isBaseHDR ? -log2(ratio) : log2(ratio)
  }

  /// Smallest sum of component and offset; ratios of smaller ones are noise and widen the range.
  static let smallestSum = 1 / 1024.0
}

/// Code values that have the same gain under other metadata: another range, gamma or depth, or the
/// Apple curve.
package struct GainMapRequantizer: Sendable {
  /// The new code value of each old one; one table, or one for each component.
  package let tables: [[UInt16]]

  private let oldBits: Int
  private let newBits: Int

  /// Computes the tables.
  ///
  /// - Parameters:
  ///   - old: Metadata of the samples.
  ///   - oldBits: Bits per sample, 1...16.
  ///   - new: New metadata.
  ///   - newBits: New bits per sample, 1...16.
  package init(
    from old: GainMapMetadata, bits oldBits: Int, to new: GainMapMetadata, bits newBits: Int
  ) {
    precondition((1...16).contains(oldBits) && (1...16).contains(newBits))
    let largest = (old: Double(1 << oldBits - 1), new: Double(1 << newBits - 1))
    tables = (0..<max(old.channels.all.count, new.channels.all.count)).map { component in
      (0..<1 << oldBits).map { code in
        let logGain = old.logGain(ofSample: Double(code) / largest.old, component: component)
        let sample = new.sample(ofLogGain: logGain, component: component)
        return UInt16(clamping: (sample * largest.new).rounded())
      }
    }
    self.oldBits = oldBits
    self.newBits = newBits
  }

  /// Returns the gain map with its new code values.
  ///
  /// - Parameter map: Gray or RGB, full range, of the old depth, without alpha. Gray becomes RGB if
  ///   the metadata of the components differ.
  /// - Returns: The gain map in the new depth.
  package func apply(to map: ImagePlanes) -> ImagePlanes {
    guard case .integer(let planes) = map.planes, map.layout.samples == .integer(bits: oldBits),
      !map.layout.hasAlpha
    else { preconditionFailure("\(oldBits) bits, full range, are required") }
    var layout = map.layout
    switch layout.components {
    case .gray: if tables.count == 3 { layout.components = .rgb }
    case .rgb: break
    case .ycbcr: preconditionFailure("gray or RGB is required")
    }
    layout.samples = .integer(bits: newBits)
    let requantized = (0..<layout.componentCount).map { component in
      requantize(planes[min(component, planes.count - 1)], tables[min(component, tables.count - 1)])
    }
    return ImagePlanes(layout: layout, planes: .integer(requantized))
  }

  private func requantize(_ plane: Plane<UInt16>, _ table: [UInt16]) -> Plane<UInt16> {
    let codes = plane.span
    return Plane(width: plane.width, height: plane.height) { samples in
      for index in codes.indices { samples.append(table[min(Int(codes[index]), table.count - 1)]) }
    }
  }
}
