// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

/// Personal metadata to leave out of the output.
struct PrivacyOptions: ParsableArguments {
  @Option(
    help: .text(
      "Private data to remove: gps (location data), all (all metadata that readers do not need) or "
        + "video (of a motion photo).", "gps|all|video"))
  var strip: [Strip] = []

  /// Private data, separated by commas.
  struct Strip: ExpressibleByArgument {
    let parts: [ConversionRequest.Metadata.Private]

    init?(argument: String) {
      let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        .map { ConversionRequest.Metadata.Private(rawValue: String($0)) }
      guard !parts.isEmpty, !parts.contains(nil) else { return nil }
      self.parts = parts.compactMap(\.self)
    }

    static var allValueStrings: [String] {
      ConversionRequest.Metadata.Private.allCases.map(\.rawValue)
    }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
  }

  /// Private data to remove; `nil` if none is named.
  var parts: [ConversionRequest.Metadata.Private]? {
    strip.isEmpty ? nil : strip.flatMap(\.parts)
  }

  /// The removal.
  var removal: PrivateMetadata { PrivateMetadata(parts) }
}

/// Metadata that re-encoded files get only on request.
struct KeepOption: ParsableArguments {
  @Option(
    help: .full(
      "Data of the old file to copy to a re-encoded one: makernotes (of more than 16 kB).",
      "makernotes"))
  var keep: Kept?

  enum Kept: String, ExpressibleByArgument, CaseIterable {
    case makernotes
  }
}
