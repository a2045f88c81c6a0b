// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports

/// An item of light metadata in options and in reports of changes: numbers, after the name of primaries if
/// it has some.
struct LightNotation: Sendable {
  /// The key of `--set`; colons separate the parts of its value.
  let key: RequestKeys.Key
  /// The value of an image, with commas.
  let text: @Sendable (LightMetadata) -> String?

  /// Describes an item: its parts are the numbers of a value, `nil` for an unknown one, and its primaries; `make` gets as
  /// many numbers as `count`, and primaries.
  private init<Item: LightItem>(
    _ item: Item.Type,
    _ place:
      @autoclosure @escaping KeyedOption<ConversionRequest.Metadata>.Key.Path<
        ConversionRequest.Item<Item.Value>
      >,
    _ form: String, unit: String = "", _ help: String, count: Int, hasPrimaries: Bool = false,
    parts: @escaping @Sendable (Item.Value) -> (primaries: ColorPrimaries?, numbers: [Double?]),
    make: @escaping @Sendable (_ numbers: [Double], _ primaries: ColorPrimaries) -> Item.Value
  ) {
    let name = item.field.rawValue
    let field = MetadataItem.all.first { $0.name == name }?.field ?? name
    key = RequestKeys.Key(name: name, form: form, unit: unit, help: help, field: field) {
      request, text throws(ValidationError) in
      if let item = ConversionRequest.Item<Item.Value>(word: text) {
        request.metadata[keyPath: place()] = item
        return
      }
      var fields = text.split(separator: ":", omittingEmptySubsequences: false)
      let primaries = hasPrimaries ? try namedPrimaries(fields.removeFirst()) : .bt2020
      let numbers = fields.compactMap { Double($0) }.filter(\.isFinite)
      guard numbers.count == fields.count, numbers.count == count else {
        throw ValidationError("")
      }
      request.metadata[keyPath: place()] = .value(make(numbers, primaries))
    }
    text = { light in
      light[keyPath: item.place.value].map { value in
        let parts = parts(value)
        let numbers = parts.numbers.map { $0?.formatted(as: "%.6g") ?? "?" }
        return ((hasPrimaries ? [parts.primaries?.name ?? "?"] : []) + numbers)
          .joined(separator: ",")
      }
    }
  }

  /// The items, in the order of help and reports.
  static let all: [LightNotation] = [
    LightNotation(
      ContentLightLevelBox.self, \.contentLightLevel, "auto|keep|none|MAXCLL:MAXFALL", unit: "nits",
      "Content light level (default: measured by convert, kept by tag).", count: 2,
      parts: { (nil, [$0.maximum, $0.maximumAverage]) },
      make: { numbers, _ in .init(maximum: numbers[0], maximumAverage: numbers[1]) }),
    LightNotation(
      MasteringDisplayColorVolumeBox.self, \.masteringDisplay, "keep|none|PRIMARIES:MAX:MIN",
      unit: "nits", "Mastering display, such as p3:1000:0.005.", count: 2, hasPrimaries: true,
      parts: { ($0.primaries, [$0.maximumLuminance, $0.minimumLuminance]) },
      make: { numbers, primaries in
        .init(primaries: primaries, maximumLuminance: numbers[0], minimumLuminance: numbers[1])
      }),
    LightNotation(
      ContentColorVolumeBox.self, \.contentColorVolume,
      "auto|keep|none|PRIMARIES:MIN:MAX:AVERAGE", unit: "nits",
      "Content color volume (default: measured by convert, kept by tag).", count: 3,
      hasPrimaries: true,
      parts: { ($0.primaries, [$0.minimumLuminance, $0.maximumLuminance, $0.averageLuminance]) },
      make: { numbers, primaries in
        .init(
          primaries: primaries, minimumLuminance: numbers[0], maximumLuminance: numbers[1],
          averageLuminance: numbers[2])
      }),
    LightNotation(
      NominalDiffuseWhiteBox.self, \.diffuseWhite, "auto|keep|none|NITS",
      "Luminance of diffuse white (default: written by convert, kept by tag).", count: 1,
      parts: { (nil, [$0]) }, make: { numbers, _ in numbers[0] }),
    LightNotation(
      ReferenceViewingEnvironmentBox.self, \.referenceEnvironment,
      "keep|none|SURROUND:PERIPHERY", unit: "nits", "Reference environment under D65.", count: 2,
      parts: { (nil, [$0.surroundLuminance, $0.peripheryLuminance]) },
      make: { numbers, _ in
        .init(
          surroundLuminance: numbers[0], surroundLight: .d65, peripheryLuminance: numbers[1],
          peripheryLight: .d65)
      }),
    LightNotation(
      AmbientViewingEnvironmentBox.self, \.ambientEnvironment, "keep|none|LUX",
      "Ambient illuminance under D65.", count: 1, parts: { (nil, [$0.illuminance]) },
      make: { numbers, _ in .init(illuminance: numbers[0], light: .d65) }),
  ]
}
