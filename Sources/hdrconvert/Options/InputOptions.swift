internal import ArgumentParser
internal import Foundation
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// What an input may cost.
struct LimitOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Largest picture to accept, like 40M.", valueName: "pixels"))
  var maxPixels: String?

  @Option(help: ArgumentHelp("Largest buffer that a picture may need, like 2G.", valueName: "size"))
  var memoryLimit: String?

  func validate() throws { _ = try limits() }

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
}

/// On how many cores to work.
struct ThreadOptions: ParsableArguments {
  @Option(
    name: [.short, .customLong("jobs")],
    help: ArgumentHelp("Threads, or 'all'; default: the CPU quota.", valueName: "n"))
  var jobs: String?

  func validate() throws { _ = try threads() }

  func threads() throws(ValidationError) -> Int {
    guard let jobs, jobs != "all" else { return ProcessInfo.processInfo.activeProcessorCount }
    guard let count = Int(jobs), (1...1024).contains(count) else {
      throw ValidationError("--jobs takes a number from 1, or 'all'")
    }
    return count
  }
}

/// What an input may cost, and what it means if it does not say.
struct InputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What an untagged input means: linear, pq, hlg or srgb, and primaries.",
      valueName: "transfer[,primaries]"))
  var assume: String?

  @Option(
    help: ArgumentHelp("Luminance of 1.0 where the input does not say.", valueName: "cd/m²"))
  var white: Double?

  @OptionGroup var threading: ThreadOptions
  @OptionGroup var costs: LimitOptions

  func validate() throws { _ = try assumed() }

  /// How to open an input, with this curve for the samples of Apple's gain maps.
  func opening(appleCurve: AppleGainMap.Curve = .srgb) throws -> OpeningOptions {
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
          "--assume: '\(word)' is no further transfer (linear, pq, hlg, srgb) and no further "
            + "primaries (bt2020, p3, bt709, adobergb, prophoto, aces, acescg)")
      }
    }
    if let white {
      guard white.isFinite, white > 0 else { throw ValidationError("--white must be above 0") }
      color.referenceWhite = white
    }
    return color
  }
}
