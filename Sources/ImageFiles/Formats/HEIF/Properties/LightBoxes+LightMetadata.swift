// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension ContentLightLevelBox {
  /// Creates the box; values are rounded up, since both are upper bounds.
  package init(_ level: LightMetadata.ContentLightLevel) {
    self.init(
      maximum: FixedPoint.upperBound(level.maximum, unit: 1),
      maximumAverage: FixedPoint.upperBound(level.maximumAverage, unit: 1))
  }
}

extension NominalDiffuseWhiteBox {
  package init(cdPerM2 luminance: Double) {
    self.init(luminance: FixedPoint.unsigned(luminance, unit: 1e-4))
  }
}

extension MasteringDisplayColorVolumeBox {
  /// Creates the box with primaries in the order green, blue, red, as H.274 suggests.
  package init(_ display: LightMetadata.MasteringDisplay) {
    func point(_ color: Chromaticity) -> Point {
      Point(
        x: FixedPoint.unsigned(color.x, unit: 2e-5), y: FixedPoint.unsigned(color.y, unit: 2e-5))
    }
    let primaries = display.primaries
    self.init(
      primaries: [point(primaries.green), point(primaries.blue), point(primaries.red)],
      white: point(primaries.white),
      maximumLuminance: FixedPoint.unsigned(display.maximumLuminance, unit: 1e-4),
      minimumLuminance: FixedPoint.unsigned(display.minimumLuminance, unit: 1e-4))
  }
}

extension LightMetadata.MasteringDisplay {
  /// Creates the metadata from the box; throws for values outside the ranges of H.274.
  ///
  /// Source: ITU-T H.274, mastering display colour volume SEI message.
  package init(_ box: MasteringDisplayColorVolumeBox) throws(ImageError) {
    for point in box.primaries + [box.white] {
      guard (5...37_000).contains(point.x), (5...42_000).contains(point.y) else {
        throw ImageError(
          .invalidValue, ["field": "chromaticity", "value": "(\(point.x), \(point.y))"])
      }
    }
    guard box.maximumLuminance > box.minimumLuminance else {
      throw ImageError(
        .invalidValue,
        ["field": "luminance", "value": "\(box.minimumLuminance) to \(box.maximumLuminance)"])
    }
    func chromaticity(_ point: MasteringDisplayColorVolumeBox.Point) -> Chromaticity {
      Chromaticity(x: Double(point.x) / 50_000, y: Double(point.y) / 50_000)
    }
    self.init(
      primaries: ColorPrimaries(
        unordered: box.primaries.map(chromaticity), white: chromaticity(box.white)),
      maximumLuminance: Double(box.maximumLuminance) / 10_000,
      minimumLuminance: Double(box.minimumLuminance) / 10_000)
  }
}

extension ContentColorVolumeBox {
  package init(_ volume: LightMetadata.ContentColorVolume, scale: ContentVolumeScale) {
    func point(_ color: Chromaticity) -> Point {
      Point(x: Self.coordinate(color.x), y: Self.coordinate(color.y))
    }
    self.init(
      primaries: volume.primaries.map { [point($0.green), point($0.blue), point($0.red)] },
      minimumLuminance: volume.minimumLuminance.map(scale.stored),
      maximumLuminance: volume.maximumLuminance.map(scale.stored),
      averageLuminance: volume.averageLuminance.map(scale.stored))
  }

  private static func coordinate(_ value: Double) -> Int32 {
    let limit = 5_000_000.0
    return Int32(exactly: (value * 50_000).clamped(to: -limit...limit).rounded()) ?? 0
  }
}

extension LightMetadata.ContentColorVolume {
  package init(_ box: ContentColorVolumeBox, scale: ContentVolumeScale) {
    self.init(
      primaries: box.primaries.map { points in
        ColorPrimaries(
          unordered: points.map {
            Chromaticity(x: Double($0.x) / 50_000, y: Double($0.y) / 50_000)
          },
          white: .d65)
      },
      minimumLuminance: box.minimumLuminance.map(scale.luminance),
      maximumLuminance: box.maximumLuminance.map(scale.luminance),
      averageLuminance: box.averageLuminance.map(scale.luminance))
  }
}

extension AmbientViewingEnvironmentBox {
  package init(_ environment: LightMetadata.AmbientEnvironment) {
    self.init(
      illuminance: FixedPoint.unsigned(environment.illuminance, unit: 1e-4),
      lightX: FixedPoint.unsigned(environment.light.x, unit: 2e-5),
      lightY: FixedPoint.unsigned(environment.light.y, unit: 2e-5))
  }
}

extension LightMetadata.AmbientEnvironment {
  package init(_ box: AmbientViewingEnvironmentBox) throws(ImageError) {
    guard box.illuminance > 0 else {
      throw ImageError(.invalidValue, ["field": "illuminance", "value": 0])
    }
    self.init(
      illuminance: Double(box.illuminance) / 10_000,
      light: Chromaticity(x: Double(box.lightX) / 50_000, y: Double(box.lightY) / 50_000))
  }
}

extension ReferenceViewingEnvironmentBox {
  package init(_ environment: LightMetadata.ReferenceEnvironment) {
    self.init(
      surroundLuminance: FixedPoint.unsigned(environment.surroundLuminance, unit: 1e-4),
      surroundLightX: FixedPoint.unsigned(environment.surroundLight.x, unit: 1e-4),
      surroundLightY: FixedPoint.unsigned(environment.surroundLight.y, unit: 1e-4),
      peripheryLuminance: FixedPoint.unsigned(environment.peripheryLuminance, unit: 1e-4),
      peripheryLightX: FixedPoint.unsigned(environment.peripheryLight.x, unit: 1e-4),
      peripheryLightY: FixedPoint.unsigned(environment.peripheryLight.y, unit: 1e-4))
  }
}

extension LightMetadata.ReferenceEnvironment {
  package init(_ box: ReferenceViewingEnvironmentBox) {
    func light(_ x: UInt16, _ y: UInt16) -> Chromaticity {
      Chromaticity(x: Double(x) / 10_000, y: Double(y) / 10_000)
    }
    self.init(
      surroundLuminance: Double(box.surroundLuminance) / 10_000,
      surroundLight: light(box.surroundLightX, box.surroundLightY),
      peripheryLuminance: Double(box.peripheryLuminance) / 10_000,
      peripheryLight: light(box.peripheryLightX, box.peripheryLightY))
  }
}

extension ColorPrimaries {
  /// Creates primaries from three points in any order.
  ///
  /// The point with the largest y is green; of the others, the one with the larger x is red.
  ///
  /// Source: ITU-T H.274 only suggests the order green, blue, red.
  ///
  /// - Precondition: `points` has three elements.
  package init(unordered points: [Chromaticity], white: Chromaticity) {
    precondition(points.count == 3, "three primaries")
    let byHeight = points.sorted { $0.y > $1.y }
    let others = byHeight.dropFirst().sorted { $0.x > $1.x }
    self.init(red: others[0], green: byHeight[0], blue: others[1], white: white)
  }
}

extension Double {
  /// Returns the nearest value in a range; the lower bound for NaN.
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    self > range.lowerBound ? Swift.min(self, range.upperBound) : range.lowerBound
  }
}
