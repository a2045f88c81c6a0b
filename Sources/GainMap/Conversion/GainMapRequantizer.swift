// SPDX-License-Identifier: Apache-2.0
package import HDRCore

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
