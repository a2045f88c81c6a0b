// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// A metadata item of requests: its names, its place, and what can be done with it.
///
/// Everything that concerns all items loops over `all`.
package struct MetadataItem: Sendable {
  /// The choice of a request, without the value that it gives.
  package enum Choice: Sendable {
    case keep
    case measure
    case drop
    case value
  }

  /// Name in the command.
  package let name: String
  /// Path of the field in requests.
  package let field: String
  /// Name in plans and notices.
  let title: String
  /// Whether the item can be measured, or follows from the image; converted images then get it by default.
  let isMeasurable: Bool
  /// Whether only the metadata of coded images that are kept can be changed.
  package let requiresCopying: Bool
  /// The choice for a converted image if a request does not make one.
  var usual: Choice { isMeasurable ? .measure : .keep }
  /// The item of light metadata that this is; only HDR images have those.
  let light: (any LightItem.Type)?

  /// The choice of a request; `nil` if it does not make one.
  package let choice: @Sendable (ConversionRequest.Metadata) -> Choice?
  /// Drops the item.
  package let drop: @Sendable (inout ConversionRequest.Metadata) -> Void
  /// Stores the item that a request chooses of those that are kept and measured.
  fileprivate let resolve: @Sendable (ConversionRequest.Metadata, Light) -> LightMetadata

  /// Light metadata of the input, those that are measured, and those that are chosen.
  fileprivate typealias Light = (kept: LightMetadata, measured: LightMetadata, new: LightMetadata)

  private typealias Place<Value: Codable & Hashable & Sendable> = any WritableKeyPath<
    ConversionRequest.Metadata, ConversionRequest.Item<Value>?
  > & Sendable

  private init<Value>(
    _ name: String, _ key: String, _ title: String, _ place: Place<Value>,
    isMeasurable: Bool = false, requiresCopying: Bool = false, light: (any LightItem.Type)? = nil,
    resolve: @escaping @Sendable (ConversionRequest.Metadata, Light) -> LightMetadata = { $1.new }
  ) {
    (self.name, field, self.title) = (name, "metadata.\(key)", title)
    (self.isMeasurable, self.requiresCopying) = (isMeasurable, requiresCopying)
    (self.light, self.resolve) = (light, resolve)
    choice = { $0[keyPath: place]?.choice }
    drop = { $0[keyPath: place] = .drop }
  }

  private init<Item: LightItem>(
    _ item: Item.Type, _ key: String, _ title: String, _ place: Place<Item.Value>,
    isMeasurable: Bool = false
  ) {
    let value = item.place.value
    self.init(
      item.field.rawValue, key, title, place, isMeasurable: isMeasurable, light: item
    ) { metadata, light in
      var new = light.new
      new[keyPath: value] = (metadata[keyPath: place] ?? (isMeasurable ? .measure : .keep)).value(
        kept: light.kept[keyPath: value], automatic: light.measured[keyPath: value])
      return new
    }
  }

  /// All items, in the order of messages.
  package static let all: [MetadataItem] = [
    MetadataItem("exif", "exif", "Exif", \.exif, isMeasurable: true),
    MetadataItem("xmp", "xmp", "XMP", \.xmp, isMeasurable: true),
    MetadataItem("icc", "icc", "ICC profile", \.icc, isMeasurable: true),
    MetadataItem(
      ContentLightLevelBox.self, "contentLightLevel", "content light level", \.contentLightLevel,
      isMeasurable: true),
    MetadataItem(
      MasteringDisplayColorVolumeBox.self, "masteringDisplay", "mastering display",
      \.masteringDisplay),
    MetadataItem(
      ContentColorVolumeBox.self, "contentColorVolume", "content color volume",
      \.contentColorVolume, isMeasurable: true),
    MetadataItem(
      NominalDiffuseWhiteBox.self, "diffuseWhite", "diffuse white", \.diffuseWhite,
      isMeasurable: true),
    MetadataItem(
      ReferenceViewingEnvironmentBox.self, "referenceEnvironment", "reference environment",
      \.referenceEnvironment),
    MetadataItem(
      AmbientViewingEnvironmentBox.self, "ambientEnvironment", "ambient environment",
      \.ambientEnvironment),
    MetadataItem("cicp", "codePoints", "code points", \.codePoints, requiresCopying: true),
    MetadataItem("orientation", "orientation", "orientation", \.orientation, requiresCopying: true),
  ]

  /// The items of light metadata.
  static let light: [(item: MetadataItem, light: any LightItem.Type)] = all.compactMap { item in
    item.light.map { (item, $0) }
  }
}

extension ConversionRequest.Metadata {
  /// The light metadata of an output; without parameters, those that the request gives.
  ///
  /// - Parameters:
  ///   - kept: Those of the input.
  ///   - measured: Those that are measured, or follow from the image.
  /// - Returns: The light metadata.
  func light(
    kept: LightMetadata = LightMetadata(), measured: LightMetadata = LightMetadata()
  ) -> LightMetadata {
    MetadataItem.all.reduce(into: LightMetadata()) { light, item in
      light = item.resolve(self, (kept, measured, light))
    }
  }
}

extension LightMetadata {
  /// The metadata that are measured, or follow from the image.
  ///
  /// - Parameters:
  ///   - levels: Light levels of the image.
  ///   - white: Luminance of reference white.
  init(_ levels: LightLevels, white: Double) {
    self.init(
      diffuseWhite: white, contentColorVolume: levels.contentColorVolume,
      contentLightLevel: levels.contentLightLevel)
  }
}

extension ConversionRequest.Item {
  /// The choice without the value.
  var choice: MetadataItem.Choice {
    switch self {
    case .keep: .keep
    case .measure: .measure
    case .drop: .drop
    case .value: .value
    }
  }
}
