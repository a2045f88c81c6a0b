// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Platform
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// Limits on inputs.
struct LimitOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Largest image to accept, such as 40M.", valueName: "pixels"))
  var maxPixels: String?

  @Option(
    help: ArgumentHelp(
      "Memory for the whole job, such as 2G (default: half of this machine's).", valueName: "size"))
  var memoryLimit: String?

  @Flag(help: "Decode in separate processes without access to files or the network.")
  var isolate = false

  @Option(
    help: ArgumentHelp(
      "Time for one file; with --isolate, also for decoding of one image (default: 120).",
      valueName: "seconds"))
  var timeLimit: Double?

  func validate() throws {
    _ = try limits()
    _ = try isolation()
  }

  /// Decoding in separate processes; `nil` without `--isolate`.
  func isolation() throws(ValidationError) -> Execution.Isolation? {
    let seconds = timeLimit ?? Execution.Isolation.defaultTimeLimit
    guard seconds > 0, seconds <= 1_000_000 else {
      throw ValidationError("--time-limit takes a number of seconds above 0, at most 1000000")
    }
    return isolate ? Execution.Isolation(timeLimit: seconds) : nil
  }

  func limits() throws(ValidationError) -> ImageLimits {
    var limits = ImageLimits()
    if let maxPixels {
      limits.pixels = try value(of: "--max-pixels") { () throws(ValidationError) in
        try parsePixelCount(maxPixels)
      }
    }
    if let memoryLimit {
      limits.memory = try value(of: "--memory-limit") { () throws(ValidationError) in
        try parseSize(memoryLimit)
      }
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
    help: ArgumentHelp("Threads, or 'all' (default: the CPU quota).", valueName: "n"))
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

/// Limits on inputs, and the color of untagged ones.
struct InputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Color of an untagged input: linear, pq, hlg or srgb, and primaries.",
      valueName: "transfer[,primaries]"))
  var assume: String?

  @Option(
    help: ArgumentHelp(
      "Luminance of linear 1.0 if the input does not specify it.", valueName: "cd/m²"))
  var white: Double?

  @OptionGroup var threading: ThreadOptions
  @OptionGroup var costs: LimitOptions

  func validate() throws { _ = try assumed() }

  /// Options for opening an input, with this curve for Apple gain maps.
  func opening(appleCurve: GainMapMetadata.AppleCurve = .srgb) throws -> OpeningOptions {
    var opening = OpeningOptions(
      limits: try limits(), assumed: try assumed())
    opening.appleCurve = appleCurve
    return opening
  }

  func limits() throws(ValidationError) -> ImageLimits { try costs.limits() }

  func threads() throws(ValidationError) -> Int { try threading.threads() }

  private func assumed() throws(ValidationError) -> AssumedColor? {
    guard assume != nil || white != nil else { return nil }
    var color = AssumedColor()
    for word in assume?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
      if let transfer = namedTransfer(word), color.transfer == nil {
        color.transfer = transfer
      } else if let primaries = try? namedPrimaries(word), color.primaries == nil {
        color.primaries = primaries
      } else {
        throw ValidationError(
          "--assume takes one transfer (linear, pq, hlg, srgb) and one name of primaries (bt2020, "
            + "p3, bt709, adobergb, prophoto, aces, acescg), not '\(word)'")
      }
    }
    if let white {
      guard white.isFinite, white > 0 else { throw ValidationError("--white must be above 0") }
      color.referenceWhite = white
    }
    return color
  }
}
