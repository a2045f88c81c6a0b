// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Platform
internal import HDRConversion

/// Limits on inputs.
struct LimitOptions: ParsableArguments {
  @Option(help: .text("Largest image to accept, such as 40M (default 536M).", "pixels"))
  var maxPixels: String?

  @Option(
    help: .text("Memory for the whole job, such as 2G (default: half of this machine's).", "size")
  )
  var memoryLimit: String?

  @Option(help: .text("Time for one file.", "seconds"))
  var timeLimit: Double?

  @Flag(help: "Process files without confinement, on systems that cannot confine a process.")
  var noIsolation = false

  func validate() throws {
    let memory = try limits().memory
    guard memoryLimit?.last?.isNumber != true || memory >= 1 << 20 else {
      throw ValidationError(
        "--memory-limit \(memory) means \(memory) bytes, too few for any image; add a unit, such as "
          + "\(memory)G or \(memory)M")
    }
    guard timeLimit.map({ $0 > 0 && $0 <= 1_000_000 }) != false else {
      throw ValidationError("--time-limit takes a number of seconds above 0, at most 1000000")
    }
  }

  func limits() throws(ValidationError) -> ImageLimits {
    var limits = ImageLimits()
    if let maxPixels { limits.pixels = try value(of: "--max-pixels", parsePixelCount(maxPixels)) }
    if let memoryLimit { limits.memory = try value(of: "--memory-limit", parseSize(memoryLimit)) }
    return limits
  }

  /// The budget of a job.
  func budget() throws(ValidationError) -> Execution.Budget {
    let memory = memoryLimit == nil ? Execution.Budget.defaultMemory : try limits().memory
    return Execution.Budget(memory: memory, timeLimit: timeLimit.map { .seconds($0) })
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
      "Color of an input that does not specify it, as many renders: linear, pq, hlg or srgb; primaries; "
        + "the luminance of 1.0, such as 100nit. gainmap=bt709: the curve of an Apple gain map (default srgb).",
      "color,..."))
  var assume: String?

  @Option(
    help: .text(
      "Color of an input that specifies a wrong one: a transfer, primaries, full or limited; "
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

  /// Refuses an assumed color, other than the curve of a gain map, for a verb without a use for it.
  func refuseAssumedColor(_ reason: String) throws(ValidationError) {
    var input = ConversionRequest.Input()
    try apply(to: &input)
    guard input.assumed == nil else {
      throw ValidationError("--assume is not for this verb, except gainmap=...; \(reason)")
    }
  }

  /// Sets the fields whose options are given.
  func apply(to input: inout ConversionRequest.Input) throws(ValidationError) {
    if let image = choice.image { input.image = image }
    try assume(of: &input)
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

  private func assume(of input: inout ConversionRequest.Input) throws(ValidationError) {
    guard let assume else { return }
    var (colors, white): ([Substring], Double?) = ([], nil)
    for word in assume.split(separator: ",", omittingEmptySubsequences: false) {
      if word.hasPrefix("gainmap=") {
        guard let curve = GainMapMetadata.AppleCurve(rawValue: String(word.dropFirst(8))) else {
          throw ValidationError("--assume gainmap takes srgb or bt709, not '\(word.dropFirst(8))'")
        }
        input.appleCurve = curve
      } else if word.hasSuffix("nit"), white == nil {
        guard let nits = Double(word.dropLast(3)), nits.isFinite, nits > 0 else {
          throw ValidationError("--assume takes a luminance above 0 such as 100nit, not '\(word)'")
        }
        white = nits
      } else {
        colors.append(word)
      }
    }
    guard !colors.isEmpty || white != nil else { return }
    var color = ConversionRequest.Input.Color()
    if !colors.isEmpty {
      color = try self.color(colors.joined(separator: ","), mayHaveRange: false) { word in
        "--assume takes one transfer (linear, pq, hlg, srgb), one name of primaries (bt2020, p3, "
          + "bt709, adobergb, prophoto, aces, acescg) and a luminance such as 100nit, not '\(word)'"
      }
    }
    color.referenceWhite = white
    input.assumed = color
  }

  /// The color of words, each of which may occur once.
  private func color(
    _ words: String, mayHaveRange: Bool, _ message: (Substring) -> String
  ) throws(ValidationError) -> ConversionRequest.Input.Color {
    var color = ConversionRequest.Input.Color()
    for word in words.split(separator: ",", omittingEmptySubsequences: false) {
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
