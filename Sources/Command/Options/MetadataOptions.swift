// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports
internal import Platform

/// Metadata of a converted image.
struct MetadataOptions: ParsableArguments {
  @Option(
    name: .customLong("set"),
    help: .full(
      "Metadata and color of the output, such as ndwt=203,icc=auto; 'help set' lists the keys.",
      "key=value,..."),
    completion: .list(RequestKeys.set.words))
  var values: [String] = []

  func validate() throws {
    var request = ConversionRequest()
    try RequestKeys.set.apply(values, to: &request)
  }

  /// Sets the fields whose keys are given.
  func apply(to request: inout ConversionRequest, _ coding: CodingOptions) throws {
    if RequestKeys.set.contains("cicp", in: values),
      coding.transfer != nil || coding.primaries != nil
        || RequestKeys.set.contains("range", in: values)
    {
      throw ValidationError("--set cicp excludes --transfer, --primaries and --set range")
    }
    try RequestKeys.set.apply(values, to: &request)
  }
}

/// Metadata of an image whose coded data are kept.
struct TagOptions: ParsableArguments {
  @Option(
    name: .customLong("set"),
    help: .text(
      "Metadata to set, such as clli=auto,ndwt=203,orientation=6; 'help set' lists the keys.",
      "key=value,..."),
    completion: .list(RequestKeys.tag.words))
  var values: [String] = []

  func validate() throws {
    var request = ConversionRequest()
    try apply(to: &request)
  }

  /// Sets the fields whose keys are given.
  func apply(to request: inout ConversionRequest) throws(Failure) {
    try RequestKeys.tag.apply(values, to: &request)
  }
}

/// Metadata that re-encoded files get only on request.
struct MakerNotesOption: ParsableArguments {
  @Option(
    name: .customLong("set"),
    help: .full("Metadata of a re-encoded image: makernotes=keep.", "key=value"),
    completion: .list(RequestKeys.makerNotes.words))
  var values: [String] = []

  func validate() throws {
    var request = ConversionRequest()
    try apply(to: &request)
  }

  /// Sets the field whose key is given.
  func apply(to request: inout ConversionRequest) throws(Failure) {
    try RequestKeys.makerNotes.apply(values, to: &request)
  }
}

extension RequestKeys {
  /// Metadata and color of a converted image.
  static let set = Self(
    name: "--set",
    summary: "In convert, render, gainmap apply.",
    keys: items + [
      Key(
        name: "cicp", form: "P/T/M[/R]",
        help: "CICP code points: primaries, transfer, matrix, range (0, 1, limited or full).",
        field: "color.matrix"
      ) { request, text throws(ValidationError) in
        let code = try parseCICP(text)
        guard let primaries = ColorPrimaries(code.primaries) else {
          throw ValidationError("primaries \(code.primaries.rawValue) cannot be written")
        }
        guard let transfer = TransferFunction(code.transfer), transfer.commonName != nil else {
          throw ValidationError("transfer \(code.transfer.rawValue) cannot be written")
        }
        (request.color.primaries, request.color.transfer) = (primaries, transfer)
        request.color.matrix = code.matrix
        request.color.range = code.isFullRange ? .full : .limited
      },
      .choice("range", "Range of the samples.", "color.range", \.color.range),
      .choice(
        "alpha",
        "Alpha that varies: keep it (default), keep it premultiplied with emissive pixels (HEIF, AVIF), "
          + "drop it (the image is composed on black), or ignore it.", "coding.alpha",
        \.coding.alpha),
      .choice(
        "color-tags", "Carriers of the color: code points, an ICC profile, or both.",
        "color.signaling", \.color.signaling),
      Key(
        name: "print", form: "adobergb|FILE",
        help: """
          Convert to SDR in Adobe RGB (1998) or in the color space of an RGB profile, which is \
          embedded; TIFF and PNG with 16 bits. Tables of printers: relative colorimetric, black \
          point compensation.
          """,
        field: "color.profile", isText: true
      ) { request, text throws(ValidationError) in
        let isFile = FileManager.default.fileExists(atPath: text)
        guard isFile || !text.fileSuffix.isEmpty || text.lowercased() == "adobergb" else {
          throw ValidationError("")
        }
        request.color.profile = .name(text)
      },
      .choice(
        "image-state", "HLG only: display- or scene-referred (ICC tag 'ciis').",
        "color.imageState", \.color.imageState),
      .choice(
        "orientation", "Orientation: metadata (keep, default), or rotated samples (bake).",
        "geometry.orientation", \.geometry.orientation),
      .choice(
        "adaptation",
        "SMPTE ST 2094-50 metadata, for displays of other headrooms (default keep).",
        "metadata.adaptation", \.metadata.adaptation),
    ] + makerNotes.keys)

  /// Metadata of an image whose coded data are kept.
  static let tag = Self(
    name: "--set", summary: "In tag.",
    keys: items + [
      Key(
        name: "cicp", form: "keep|none|P/T/M[/R]", help: "CICP code points (nclx, cICP).",
        field: "metadata.codePoints"
      ) { request, text throws(ValidationError) in
        let item = ConversionRequest.Item<CICP>(word: text)
        if let item {
          request.metadata.codePoints = item
        } else {
          request.metadata.codePoints = .value(try parseCICP(text))
        }
      },
      Key(
        name: "orientation", form: "keep|none|1...8", help: "Orientation, as in Exif.",
        field: "metadata.orientation"
      ) { request, text throws(ValidationError) in
        let given = Int(text).flatMap(Orientation.init).map { ConversionRequest.Item.value($0) }
        guard let item = .init(word: text) ?? given else { throw ValidationError("") }
        request.metadata.orientation = item
      },
    ])

  /// Metadata that re-encoded files get only on request.
  static let makerNotes = Self(
    name: "--set", summary: "Metadata of a re-encoded image.",
    keys: [
      Key(
        name: "makernotes", form: "keep|drop",
        help: "Maker notes of more than 16 kB, for a re-encoded image (default drop).",
        field: "metadata.keepsMakerNotes"
      ) { request, text throws(ValidationError) in
        guard ["keep", "drop"].contains(text) else { throw ValidationError("") }
        request.metadata.keepsMakerNotes = text == "keep"
      }
    ])

  /// Items that all of these verbs can set.
  private static let items: [Key] =
    LightNotation.all.map(\.key) + [
      .content("exif", "keep|none|FILE", "Exif metadata.", "metadata.exif", \.exif),
      .content("xmp", "keep|none|FILE", "XMP metadata.", "metadata.xmp", \.xmp),
      .content(
        "icc", "auto|keep|none|FILE",
        "ICC profile to embed; 'auto' generates one for the code points.", "metadata.icc", \.icc),
    ]
}

extension RequestKeys.Key {
  /// A metadata item that is a file.
  fileprivate static func content(
    _ name: String, _ form: String, _ help: String, _ field: String,
    _ path:
      @autoclosure @escaping KeyedOption<ConversionRequest.Metadata>.Key.Path<
        ConversionRequest.Item<ConversionRequest.FileContent>
      >
  ) -> Self {
    Self(name: name, form: form, help: help, field: field, isText: true) {
      request, text throws(ValidationError) in
      guard !text.isEmpty else { throw ValidationError("") }
      request.metadata[keyPath: path()] = .init(word: text) ?? .value(.name(text))
    }
  }
}

extension ConversionRequest.Item {
  /// The item of `auto`, `keep`, `none` or `drop`; `nil` for other text.
  init?(word: String) {
    switch word {
    case "auto": self = .measure
    case "keep": self = .keep
    case "none", "drop": self = .drop
    default: return nil
    }
  }
}

/// Metadata to leave out of the output.
struct StripOption: ParsableArguments {
  @Option(
    name: .customLong("strip"),
    help: .text(
      "Metadata to leave out: all (everything but the images and the data that show them), gps (all "
        + "location data), thumbnail, video (of a motion photo), iptc, \(names(requireCopying: false)); "
        + "in tag also \(names(requireCopying: true)).",
      "gps|all|..."),
    completion: .list(StripOption.known))
  var values: [String] = []

  /// Names of everything that can be removed.
  private static let known =
    ConversionRequest.Metadata.Private.allCases.map(\.rawValue) + MetadataItem.all.map(\.name)

  private static func names(requireCopying: Bool) -> String {
    MetadataItem.all.filter { $0.requiresCopying == requireCopying }.map(\.name)
      .joined(separator: ", ")
  }

  private var names: [String] {
    values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map(String.init)
  }

  /// Private data to remove.
  private var parts: [ConversionRequest.Metadata.Private] {
    names.compactMap { .init(rawValue: $0) }
  }

  /// The removal of private data.
  var removal: RemovedMetadata {
    var metadata = ConversionRequest.Metadata()
    metadata.strip = parts.isEmpty ? nil : parts
    return RemovedMetadata(metadata)
  }

  func validate() throws {
    var metadata = ConversionRequest.Metadata()
    try apply(to: &metadata)
  }

  /// Refuses items for a verb that removes private data only.
  func refuseItems() throws(ValidationError) {
    guard let name = names.first(where: { ConversionRequest.Metadata.Private(rawValue: $0) == nil })
    else { return }
    throw ValidationError("--strip \(name) is not for this verb; to remove it, use tag")
  }

  /// Drops what is named.
  func apply(to metadata: inout ConversionRequest.Metadata) throws(ValidationError) {
    if !parts.isEmpty { metadata.strip = parts }
    for name in names where ConversionRequest.Metadata.Private(rawValue: name) == nil {
      guard let item = MetadataItem.all.first(where: { $0.name == name }) else {
        let known = Self.known
        throw ValidationError(
          (name == "location" ? "gps" : known.similar(to: name)).map {
            "--strip does not have '\(name)'; did you mean '\($0)'?"
          }
            ?? "--strip takes \(known.joined(separator: ", ")), not '\(name)'")
      }
      guard [nil, .keep, .drop].contains(item.choice(metadata)) else {
        throw ValidationError("'\(name)' cannot be both set and stripped")
      }
      item.drop(&metadata)
    }
  }
}

/// Private metadata to leave out, for verbs that do not leave out items.
struct PrivacyOption: ParsableArguments {
  @Option(
    name: .customLong("strip"),
    help: .text(
      "Metadata to leave out: gps (all location data), thumbnail, video (of a motion photo), iptc, "
        + "or all: everything but the images and the data that show them.", "gps|all|..."),
    completion: .list(ConversionRequest.Metadata.Private.allCases.map(\.rawValue)))
  var values: [String] = []

  private var strip: StripOption {
    var strip = StripOption()
    strip.values = values
    return strip
  }

  var isGiven: Bool { !values.isEmpty }
  var removal: RemovedMetadata { strip.removal }

  func validate() throws {
    try strip.validate()
    try strip.refuseItems()
  }
}

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
