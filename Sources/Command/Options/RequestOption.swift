// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import HDRCore

/// A request that other options add to.
struct RequestOption: ParsableArguments {
  @Option(
    name: .customLong("request"),
    help: .full(
      "Request as JSON; other options add to it. --dry-run --json prints the one that options make.",
      "file.json"))
  var file: String?

  /// The request of the file; a new one without a file.
  ///
  /// - Throws: The failure of reading it.
  func request(limits: ImageLimits = ImageLimits()) throws(Failure) -> ConversionRequest {
    guard let file else { return ConversionRequest() }
    return try during(.reading, file) { () throws(ImageError) in
      try ConversionRequest(json: try openInput(file, limits: limits).allBytes())
    }
  }
}
