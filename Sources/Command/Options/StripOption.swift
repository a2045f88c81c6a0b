// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

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
