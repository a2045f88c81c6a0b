// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// A metadata item of requests; everything that concerns all items loops over `all`.
package struct MetadataItem: Sendable {
  /// The choice of a request, without the value that it gives.
  package enum Choice: Sendable { case keep, measure, drop, value }

  /// Name in the command.
  package let name: String
  private let key: String
  /// Whether the item can be measured, or follows from the image; converted images get it by default.
  let isMeasurable: Bool
  /// Whether the item changes only with coded images that are kept.
  package let requiresCopying: Bool
  /// The light metadata that the item is; only HDR images have those.
  private let light: (any LightItem.Type)?
  /// The choice of a request; `nil` if it does not make one.
  package let choice: @Sendable (ConversionRequest.Metadata) -> Choice?
  /// Drops the item.
  package let drop: @Sendable (inout ConversionRequest.Metadata) -> Void
  /// Puts the item that a request chooses of those that are kept and measured into light metadata.
  fileprivate let resolve: Resolution

  fileprivate typealias Resolution =
    @Sendable (
      ConversionRequest.Metadata, _ kept: LightMetadata, _ measured: LightMetadata,
      inout LightMetadata
    ) -> Void
  private typealias Place<Value: Codable & Hashable & Sendable> = any WritableKeyPath<
    ConversionRequest.Metadata, ConversionRequest.Item<Value>?
  > & Sendable

  private init<Value>(
    _ name: String, _ key: String, _ place: @autoclosure @escaping @Sendable () -> Place<Value>,
    isMeasurable: Bool = false, requiresCopying: Bool = false,
    light: (any LightItem.Type)? = nil, resolve: @escaping Resolution = { _, _, _, _ in }
  ) {
    (self.name, self.key, self.isMeasurable) = (name, key, isMeasurable)
    (self.requiresCopying, self.light, self.resolve) = (requiresCopying, light, resolve)
    choice = { $0[keyPath: place()]?.choice }
    drop = { $0[keyPath: place()] = .drop }
  }

  private init<Item: LightItem>(
    _ item: Item.Type, _ key: String,
    _ place: @autoclosure @escaping @Sendable () -> Place<Item.Value>, isMeasurable: Bool = false
  ) {
    self.init(item.field.rawValue, key, place(), isMeasurable: isMeasurable, light: item) {
      metadata, kept, measured, light in
      let value = item.place.value
      light[keyPath: value] = (metadata[keyPath: place()] ?? (isMeasurable ? .measure : .keep))
        .value(kept: kept[keyPath: value], automatic: measured[keyPath: value])
    }
  }

  /// All items, in the order of messages; key paths are made when they are used, since each start of the command makes
  /// this table.
  package static let all = [
    Self("exif", "exif", \.exif, isMeasurable: true),
    Self("xmp", "xmp", \.xmp, isMeasurable: true),
    Self("icc", "icc", \.icc, isMeasurable: true),
    Self(
      ContentLightLevelBox.self, "contentLightLevel", \.contentLightLevel, isMeasurable: true),
    Self(MasteringDisplayColorVolumeBox.self, "masteringDisplay", \.masteringDisplay),
    Self(
      ContentColorVolumeBox.self, "contentColorVolume", \.contentColorVolume, isMeasurable: true),
    Self(NominalDiffuseWhiteBox.self, "diffuseWhite", \.diffuseWhite, isMeasurable: true),
    Self(ReferenceViewingEnvironmentBox.self, "referenceEnvironment", \.referenceEnvironment),
    Self(AmbientViewingEnvironmentBox.self, "ambientEnvironment", \.ambientEnvironment),
    Self("cicp", "codePoints", \.codePoints, requiresCopying: true),
    Self("orientation", "orientation", \.orientation, requiresCopying: true),
  ]

  /// The items of light metadata.
  static let light = all.compactMap { item in item.light.map { (item: item, light: $0) } }

  /// Path of the field in requests.
  package var field: String { "metadata.\(key)" }

  /// Name in plans and notices: the words of the key.
  var title: String { key.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined() }

  /// The choice for a converted image.
  func effectiveChoice(_ metadata: ConversionRequest.Metadata) -> Choice {
    choice(metadata) ?? (isMeasurable ? .measure : .keep)
  }
}

extension ConversionRequest.Metadata {
  /// The light metadata of an output, chosen of those of the input and those that are measured; without both, those
  /// that the request gives.
  func light(
    kept: LightMetadata = LightMetadata(), measured: LightMetadata = LightMetadata()
  ) -> LightMetadata {
    MetadataItem.all.reduce(into: LightMetadata()) { $1.resolve(self, kept, measured, &$0) }
  }
}

extension LightMetadata {
  /// The metadata that are measured, or follow from the luminance of reference white.
  init(_ levels: LightLevels, white: Double) {
    self.init(
      diffuseWhite: white, contentColorVolume: levels.contentColorVolume,
      contentLightLevel: levels.contentLightLevel)
  }

  /// A notice about the items that are lost, if there are some; others are measured again.
  ///
  /// - Parameters:
  ///   - fields: Items that the output has.
  ///   - cause: The cause.
  /// - Returns: At most one notice.
  func notCopied(but fields: Set<MetadataField> = [], _ cause: String) -> [Notice] {
    let items = MetadataItem.light.filter { item, light in
      !item.isMeasurable && !fields.contains(light.field) && light.isPresent(in: self)
    }
    return items.isEmpty
      ? []
      : [
        Notice(
          .dropped, "not copied: {items} ({cause})",
          ["items": items.map(\.item.title), "cause": cause])
      ]
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
