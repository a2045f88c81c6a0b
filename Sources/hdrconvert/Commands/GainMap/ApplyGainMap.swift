// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// `hdrconvert gainmap apply IN -o OUT`.
struct ApplyGainMap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Apply a gain map, in full or for a display of a given headroom.",
    discussion: """
      Headroom is the peak luminance over reference white: a ratio (4x or 4), stops (2st), a peak \
      in nits for reference white at 203 nits (812nit), or full (default).

      examples:
        hdrconvert gainmap apply IMG_0001.HEIC -o full.avif
        hdrconvert gainmap apply pixel.jpg -o laptop.png --headroom 2x
        hdrconvert gainmap apply sdr.png -o full.avif --map map.png \\
          --metadata map.json
      """)

  @Option(
    help: ArgumentHelp("Headroom of the display (default full).", valueName: "4x|2st|812nit|full"),
    transform: HeadroomArgument.init(parsing:))
  var headroom = HeadroomArgument.full

  @Option(help: ArgumentHelp("Gain map, if it is a file of its own.", valueName: "map"))
  var map: String?

  @Option(
    name: .customLong("metadata"),
    help: ArgumentHelp(
      "Its metadata: JSON of 'gainmap extract', or a file with a gain map.",
      valueName: "file"))
  var mapMetadata: String?

  @OptionGroup var conversion: ConversionArguments

  func validate() throws {
    try checkFiles()
    guard mapMetadata == nil || map != nil else {
      throw ValidationError("--metadata requires --map")
    }
  }

  func run() throws { try runFiles() }

  func processInput() throws {
    let use: ConversionOptions.GainMapUse
    switch headroom {
    case .full: use = .full
    case .value(let headroom):
      if !conversion.reporting.quiet {
        Console.note("headroom \(headroom.text)")
      }
      use = .display(headroom)
    }
    // JPEG stores no HDR image, but that of a display without headroom.
    let isLimited = try conversion.format().traits.isLimitedTo8Bits
    let isStandard = headroom == .value(Headroom(ratio: 1)) && isLimited
    guard let map else {
      let file = try conversion.openInput()
      return try conversion.run(
        gainMap: isStandard ? .full : use, of: file, isStandard: isStandard,
        primaries: isStandard ? (try? file.contents())?.widePrimaries : nil
      ) { document throws(ImageError) in
        guard document.gainMap == nil else { return }
        throw Self.obstacle(in: file)
      }
    }
    let opening = try conversion.opening()
    let given = try GainMapInput(map, metadata: mapMetadata, opening)
    let mapDocument = try during(.reading, map) { () throws(ImageError) in
      try SourceImage.open(given.file)
    }
    Console.report(given.notices, isQuiet: conversion.reporting.quiet)
    try conversion.run(
      gainMap: isStandard ? .full : use, isStandard: isStandard
    ) { document throws(ImageError) in
      do throws(ImageError) {
        try document.attachGainMap(mapDocument, given.metadata)
      } catch {
        throw error.inFile(map)
      }
    }
  }

  /// The reason why the gain map cannot be applied; defects of the baseline image do not count.
  private static func obstacle(in file: ImageFile) -> ImageError {
    do throws(ImageError) {
      _ = try file.gainMaps().requireApplicable()
    } catch  where error.category == .unsuitable {
      return error
    } catch {}
    return ImageError(.gainMapNone)
  }
}

extension ApplyGainMap: ConvertingVerb {}
