// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import HDRCore
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
