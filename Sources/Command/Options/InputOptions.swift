// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Platform
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Limits on inputs.
struct LimitOptions: ParsableArguments {
  @Option(help: .text("Largest image to accept, such as 40M.", "pixels"))
  var maxPixels: String?

  @Option(
    help: .text("Memory for the whole job, such as 2G (default: half of this machine's).", "size")
  )
  var memoryLimit: String?

  @Flag(help: "Process files without confinement, on systems that cannot confine a process.")
  var noIsolation = false

  @Option(help: .text("Time for one file.", "seconds"))
  var timeLimit: Double?

  func validate() throws {
    _ = try limits()
    guard timeLimit.map({ $0 > 0 && $0 <= 1_000_000 }) != false else {
      throw ValidationError("--time-limit takes a number of seconds above 0, at most 1000000")
    }
  }

  func limits() throws(ValidationError) -> ImageLimits {
    var limits = ImageLimits()
    if let maxPixels {
      limits.pixels = try value(of: "--max-pixels", parsePixelCount(maxPixels))
    }
    if let memoryLimit {
      limits.memory = try value(of: "--memory-limit", parseSize(memoryLimit))
    }
    return limits
  }

  /// The budget of a job with a number of inputs.
  func budget(inputs: Int) throws(ValidationError) -> Execution.Budget {
    let steps = Execution.Budget.defaultSteps * max(inputs, 1)
    let memory = memoryLimit == nil ? Execution.Budget.defaultMemory : try limits().memory
    return Execution.Budget(
      memory: memory, steps: steps, timeLimit: timeLimit.map { .seconds($0) })
  }
}

/// Number of threads.
struct ThreadOptions: ParsableArguments {
  @Option(
    name: [.short, .customLong("jobs")],
    help: .text("Threads, or 'all' (default: the CPU quota).", "n"))
  var jobs: String?

  func validate() throws { _ = try threads() }

  func threads() throws(ValidationError) -> Int {
    guard let jobs, jobs != "all" else { return coreCount }
    guard let count = Int(jobs), (1...1024).contains(count) else {
      throw ValidationError("--jobs takes a number from 1 to 1024, or 'all'")
    }
    return count
  }
}

/// The image to read from a file with several.
struct ImageOption: ParsableArguments {
  @Option(
    help: .text(
      "Image of a file with several: page, item, layer, part or view; 'inspect' lists them.",
      "name|n"))
  var image: String?

  var selection: OpeningOptions.ImageSelection? {
    image.map { text in Int(text).map(OpeningOptions.ImageSelection.number) ?? .name(text) }
  }

  /// Refuses the option for a verb that writes the file itself.
  func refuse(_ alternative: String) throws(ValidationError) {
    guard image == nil else {
      throw ValidationError("--image is not for this verb; \(alternative)")
    }
  }
}

/// Limits on inputs, the image to read, and its color.
struct InputOptions: ParsableArguments {
  @OptionGroup var choice: ImageOption

  @Option(
    help: .text(
      "Color of an untagged input: linear, pq, hlg or srgb, and primaries.", "transfer[,primaries]")
  )
  var assume: String?

  @Option(help: .text("Luminance of linear 1.0 if the input does not specify it.", "cd/m²"))
  var white: Double?

  @Option(
    help: .text(
      "Color of a wrongly tagged input, against its tags: a transfer, primaries, full or limited; "
        + "or P/T/M[/R].", "color"))
  var declare: String?

  @OptionGroup var threading: ThreadOptions
  @OptionGroup var costs: LimitOptions

  func validate() throws {
    var input = ConversionRequest.Input()
    try apply(to: &input)
  }

  /// Refuses a declared color for a verb that keeps coded images with their color.
  func refuseDeclaredColor(_ alternative: String) throws(ValidationError) {
    guard declare == nil else {
      throw ValidationError("--declare is not for this verb; \(alternative)")
    }
  }

  /// Sets the fields whose options are given.
  func apply(to input: inout ConversionRequest.Input) throws(ValidationError) {
    if let image = choice.image { input.image = image }
    if let assumed = try assumed() { input.assumed = assumed }
    if let declared = try declared() { input.declared = declared }
  }

  /// Options for opening an input.
  func opening() throws -> OpeningOptions {
    var request = ConversionRequest()
    try apply(to: &request.input)
    return request.openingOptions(limits: try costs.limits())
  }

  private func declared() throws(ValidationError) -> ConversionRequest.Input.Color? {
    guard let declare else { return nil }
    if declare.contains("/") {
      let cicp = try value(of: "--declare", parseCICP(declare))
      var color = ConversionRequest.Input.Color()
      color.transfer = TransferFunction(cicp.transfer)
      color.primaries = ColorPrimaries(cicp.primaries)
      color.matrix = cicp.matrix == .unspecified ? nil : cicp.matrix
      color.range = cicp.isFullRange ? .full : .limited
      guard color.transfer?.commonName != nil || cicp.transfer == .unspecified,
        color.primaries != nil || cicp.primaries == .unspecified
      else {
        throw ValidationError("--declare: '\(declare)' has a code point that is not supported")
      }
      return color
    }
    return try color(declare, mayHaveRange: true) { word in
      "--declare takes one transfer (linear, pq, hlg, srgb), one name of primaries (bt2020, p3, "
        + "bt709, adobergb, prophoto, aces, acescg) and full or limited, or P/T/M[/R] such as "
        + "9/16/9/limited, not '\(word)'"
    }
  }

  private func assumed() throws(ValidationError) -> ConversionRequest.Input.Color? {
    guard assume != nil || white != nil else { return nil }
    var color = try color(assume, mayHaveRange: false) { word in
      "--assume takes one transfer (linear, pq, hlg, srgb) and one name of primaries (bt2020, "
        + "p3, bt709, adobergb, prophoto, aces, acescg), not '\(word)'"
    }
    if let white {
      guard white.isFinite, white > 0 else { throw ValidationError("--white must be above 0") }
      color.referenceWhite = white
    }
    return color
  }

  /// The color of words, each of which may occur once.
  private func color(
    _ words: String?, mayHaveRange: Bool, _ message: (Substring) -> String
  ) throws(ValidationError) -> ConversionRequest.Input.Color {
    var color = ConversionRequest.Input.Color()
    for word in words?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
      if let transfer = TransferFunction(named: word), color.transfer == nil {
        color.transfer = transfer
      } else if let primaries = ColorPrimaries(named: word), color.primaries == nil {
        color.primaries = primaries
      } else if mayHaveRange, let range = ConversionRequest.Color.Range(rawValue: String(word)),
        color.range == nil
      {
        color.range = range
      } else {
        throw ValidationError(message(word))
      }
    }
    return color
  }
}
