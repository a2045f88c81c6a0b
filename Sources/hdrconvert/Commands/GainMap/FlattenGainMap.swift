internal import ArgumentParser
internal import GainMap
internal import HDRCore
internal import ImageContainers

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
