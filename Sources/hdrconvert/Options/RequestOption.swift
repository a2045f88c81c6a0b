// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import Synchronization

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
    guard file == OutputFile.standardOutput else { return try Self.read(file, limits) }
    return try Self.standardInput.withLock { known throws(Failure) in
      let request = if let known { known } else { try Self.read(file, limits) }
      known = request
      return request
    }
  }

  /// The request from standard input, which can be read once, for all inputs.
  private static let standardInput = Mutex<ConversionRequest?>(nil)

  private static func read(
    _ file: String, _ limits: ImageLimits
  ) throws(Failure) -> ConversionRequest {
    try during(.reading, file) { () throws(ImageError) in
      try ConversionRequest(json: try openInput(file, limits: limits).allBytes())
    }
  }
}
