// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// An item of light metadata: the box that stores it in HEIF and AVIF, and its places in images and edits.
///
/// Everything that concerns all items loops over `LightMetadata.items`.
package protocol LightItem: MetadataProperty {
  associatedtype Value: Codable & Hashable & Sendable

  static var field: MetadataField { get }
  static var place: LightPlace<Value> { get }

  /// Creates the box, with a scale of luminances that depend on the transfer function.
  init(_ value: Value, scale: ContentVolumeScale)

  /// The item; throws for values that the standards define as unknown.
  func value(scale: ContentVolumeScale) throws(ImageError) -> Value
}

/// Places of an item of light metadata: in an image, and in an edit.
package struct LightPlace<Value: Codable & Hashable & Sendable>: Sendable {
  package let value: any WritableKeyPath<LightMetadata, Value?> & Sendable
  let change: any WritableKeyPath<MetadataEdit, MetadataEdit.Change<Value>> & Sendable

  init(
    _ value: any WritableKeyPath<LightMetadata, Value?> & Sendable,
    _ change: any WritableKeyPath<MetadataEdit, MetadataEdit.Change<Value>> & Sendable
  ) {
    (self.value, self.change) = (value, change)
  }
}

extension LightMetadata {
  /// All items, in the order of their fields.
  package static let items: [any LightItem.Type] = MetadataField.allCases.compactMap { field in
    ItemProperty.metadataTypes.lazy.compactMap { $0 as? any LightItem.Type }
      .first { $0.field == field }
  }
}

extension LightItem {
  package static func isPresent(in light: LightMetadata) -> Bool {
    light[keyPath: place.value] != nil
  }

  package static func drop(from light: inout LightMetadata) { light[keyPath: place.value] = nil }

  static func isKept(by edit: MetadataEdit) -> Bool { edit[keyPath: place.change] == .keep }

  /// Makes the change of an edit.
  static func apply(_ edit: MetadataEdit, to light: inout LightMetadata) {
    light[keyPath: place.value] = edit[keyPath: place.change].applied(
      to: light[keyPath: place.value])
  }

  /// Sets the item of an edit to that of an image; drops it if the image does not have it.
  package static func set(_ light: LightMetadata, in edit: inout MetadataEdit) {
    edit[keyPath: place.change] = light[keyPath: place.value].map { .set($0) } ?? .drop
  }

  static func property(of light: LightMetadata, scale: ContentVolumeScale) -> ItemProperty.Box? {
    light[keyPath: place.value].map { .metadata(Self($0, scale: scale)) }
  }

  func store(in light: inout LightMetadata, scale: ContentVolumeScale) throws(ImageError) {
    light[keyPath: Self.place.value] = try value(scale: scale)
  }
}

extension ContentLightLevelBox: LightItem {
  package static let field = MetadataField.clli
  package static let place = LightPlace(\.contentLightLevel, \.contentLightLevel)

  package var fields: [StructureNode.Field] {
    [.init("MaxCLL", "\(maximum) cd/m²"), .init("MaxPALL", "\(maximumAverage) cd/m²")]
  }

  package func value(scale: ContentVolumeScale) -> LightMetadata.ContentLightLevel {
    .init(maximum: Double(maximum), maximumAverage: Double(maximumAverage))
  }

  /// Creates the box; values are rounded up, since both are upper bounds.
  package init(_ level: LightMetadata.ContentLightLevel, scale: ContentVolumeScale) {
    self.init(
      maximum: FixedPoint.upperBound(level.maximum, unit: 1),
      maximumAverage: FixedPoint.upperBound(level.maximumAverage, unit: 1))
  }
}

extension NominalDiffuseWhiteBox: LightItem {
  package static let field = MetadataField.ndwt
  package static let place = LightPlace(\.diffuseWhite, \.diffuseWhite)

  package var fields: [StructureNode.Field] {
    [.init("diffuse white", "\(Double(luminance) / 1e4) cd/m²")]
  }

  package func value(scale: ContentVolumeScale) -> Double { Double(luminance) / 10_000 }

  package init(_ luminance: Double, scale: ContentVolumeScale) {
    self.init(luminance: FixedPoint.unsigned(luminance, unit: 1e-4))
  }
}

extension MasteringDisplayColorVolumeBox: LightItem {
  package static let field = MetadataField.mdcv
  package static let place = LightPlace(\.masteringDisplay, \.masteringDisplay)

  package var fields: [StructureNode.Field] {
    [
      .init(
        "luminance", "\(Double(minimumLuminance) / 1e4)...\(Double(maximumLuminance) / 1e4) cd/m²")
    ]
  }

  /// Creates the box with primaries in the order green, blue, red, as H.274 suggests.
  package init(_ display: LightMetadata.MasteringDisplay, scale: ContentVolumeScale) {
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

  /// The metadata; throws for values outside the ranges of H.274.
  ///
  /// Source: ITU-T H.274, mastering display colour volume SEI message.
  package func value(
    scale: ContentVolumeScale
  ) throws(ImageError) -> LightMetadata.MasteringDisplay {
    for point in primaries + [white] {
      guard (5...37_000).contains(point.x), (5...42_000).contains(point.y) else {
        throw ImageError(
          .invalidValue, ["field": "chromaticity", "value": "(\(point.x), \(point.y))"])
      }
    }
    guard maximumLuminance > minimumLuminance else {
      throw ImageError(
        .invalidValue,
        ["field": "luminance", "value": "\(minimumLuminance) to \(maximumLuminance)"])
    }
    func chromaticity(_ point: Point) -> Chromaticity {
      Chromaticity(x: Double(point.x) / 50_000, y: Double(point.y) / 50_000)
    }
    return LightMetadata.MasteringDisplay(
      primaries: ColorPrimaries(unordered: primaries.map(chromaticity), white: chromaticity(white)),
      maximumLuminance: Double(maximumLuminance) / 10_000,
      minimumLuminance: Double(minimumLuminance) / 10_000)
  }
}

extension ContentColorVolumeBox: LightItem {
  package static let field = MetadataField.cclv
  package static let place = LightPlace(\.contentColorVolume, \.contentColorVolume)

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

  package func value(scale: ContentVolumeScale) -> LightMetadata.ContentColorVolume {
    LightMetadata.ContentColorVolume(
      primaries: primaries.map { points in
        ColorPrimaries(
          unordered: points.map {
            Chromaticity(x: Double($0.x) / 50_000, y: Double($0.y) / 50_000)
          },
          white: .d65)
      },
      minimumLuminance: minimumLuminance.map(scale.luminance),
      maximumLuminance: maximumLuminance.map(scale.luminance),
      averageLuminance: averageLuminance.map(scale.luminance))
  }
}

extension AmbientViewingEnvironmentBox: LightItem {
  package static let field = MetadataField.amve
  package static let place = LightPlace(\.ambientEnvironment, \.ambientEnvironment)

  package var fields: [StructureNode.Field] {
    [.init("illuminance", "\(Double(illuminance) / 1e4) lux")]
  }

  package init(_ environment: LightMetadata.AmbientEnvironment, scale: ContentVolumeScale) {
    self.init(
      illuminance: FixedPoint.unsigned(environment.illuminance, unit: 1e-4),
      lightX: FixedPoint.unsigned(environment.light.x, unit: 2e-5),
      lightY: FixedPoint.unsigned(environment.light.y, unit: 2e-5))
  }

  package func value(
    scale: ContentVolumeScale
  ) throws(ImageError) -> LightMetadata.AmbientEnvironment {
    guard illuminance > 0 else {
      throw ImageError(.invalidValue, ["field": "illuminance", "value": 0])
    }
    return LightMetadata.AmbientEnvironment(
      illuminance: Double(illuminance) / 10_000,
      light: Chromaticity(x: Double(lightX) / 50_000, y: Double(lightY) / 50_000))
  }
}

extension ReferenceViewingEnvironmentBox: LightItem {
  package static let field = MetadataField.reve
  package static let place = LightPlace(\.referenceEnvironment, \.referenceEnvironment)

  package init(_ environment: LightMetadata.ReferenceEnvironment, scale: ContentVolumeScale) {
    self.init(
      surroundLuminance: FixedPoint.unsigned(environment.surroundLuminance, unit: 1e-4),
      surroundLightX: FixedPoint.unsigned(environment.surroundLight.x, unit: 1e-4),
      surroundLightY: FixedPoint.unsigned(environment.surroundLight.y, unit: 1e-4),
      peripheryLuminance: FixedPoint.unsigned(environment.peripheryLuminance, unit: 1e-4),
      peripheryLightX: FixedPoint.unsigned(environment.peripheryLight.x, unit: 1e-4),
      peripheryLightY: FixedPoint.unsigned(environment.peripheryLight.y, unit: 1e-4))
  }

  package func value(scale: ContentVolumeScale) -> LightMetadata.ReferenceEnvironment {
    func light(_ x: UInt16, _ y: UInt16) -> Chromaticity {
      Chromaticity(x: Double(x) / 10_000, y: Double(y) / 10_000)
    }
    return LightMetadata.ReferenceEnvironment(
      surroundLuminance: Double(surroundLuminance) / 10_000,
      surroundLight: light(surroundLightX, surroundLightY),
      peripheryLuminance: Double(peripheryLuminance) / 10_000,
      peripheryLight: light(peripheryLightX, peripheryLightY))
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
