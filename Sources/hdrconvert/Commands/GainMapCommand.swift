internal import ArgumentParser
internal import GainMap
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers

/// `hdrconvert gainmap`.
struct GainMapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gainmap",
    abstract: "Apply gain maps, or drop them.",
    subcommands: [ApplyGainMap.self, FlattenGainMap.self])
}

/// `hdrconvert gainmap apply IN -o OUT`.
struct ApplyGainMap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Make the HDR picture that a file with a gain map stands for, in full or in part.",
    discussion: """
      Without --headroom, this is what convert does. Headroom is peak over reference white: a ratio
      (4x or 4), stops (2st), a peak for reference white at 203 cd/m² (812nit), or full.

      examples:
        hdrconvert gainmap apply IMG_0001.HEIC -o full.avif
        hdrconvert gainmap apply pixel.jpg -o laptop.png --headroom 2x
      """)

  @Option(
    help: ArgumentHelp("The display to go for.", valueName: "4x|2st|812nit|full"))
  var headroom = HeadroomArgument.full

  @OptionGroup var conversion: Convert

  func run() throws {
    switch headroom {
    case .full: try conversion.run(gainMap: .full)
    case .value(let headroom):
      if !conversion.reporting.quiet {
        Console.note("headroom \(short(headroom.ratio))x, \(short(headroom.stops)) stops")
      }
      try conversion.run(gainMap: .display(headroom))
    }
  }
}

/// `hdrconvert gainmap flatten IN -o OUT`.
struct FlattenGainMap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flatten",
    abstract: "Drop the gain map and keep the base as it is, byte for byte.",
    discussion: """
      examples:
        hdrconvert gainmap flatten IMG_0001.HEIC -o sdr.heic --verbose
      """)

  @OptionGroup var files: RearrangingOptions
  @OptionGroup(title: "Input and limits") var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportingOptions

  func run() throws {
    try files.run(inputs, reporting, verb: "gainmap-flatten") { (file, limits) throws(ImageError) in
      try file.droppingGainMaps(limits: limits)
    }
  }
}

/// Headroom on the command line; a bare number is a ratio.
enum HeadroomArgument: ExpressibleByArgument, Equatable {
  /// All that there is.
  case full
  case value(Headroom)

  init?(argument: String) {
    guard argument != "full" else {
      self = .full
      return
    }
    let unit = argument.drop { $0.isNumber || $0 == "." }
    guard let number = Double(argument.dropLast(unit.count)), number.isFinite else { return nil }
    let headroom: Headroom
    switch unit {
    case "", "x": headroom = Headroom(ratio: number)
    case "st": headroom = Headroom(stops: number)
    case "nit", "nits": headroom = Headroom(ratio: number / HDRDescription.defaultDiffuseWhite)
    default: return nil
    }
    guard (0...GainMapMetadata.largestStops).contains(headroom.stops) else { return nil }
    self = .value(headroom)
  }

  var defaultValueDescription: String {
    switch self {
    case .full: "full"
    case .value(let headroom): "\(headroom.ratio)x"
    }
  }
}
