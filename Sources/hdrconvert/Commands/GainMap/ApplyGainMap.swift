internal import ArgumentParser
internal import HDRCore
internal import ImageCodecs

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
