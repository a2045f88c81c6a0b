// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

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
    help: .text("Headroom of the display (default full).", "4x|2st|812nit|full"),
    transform: HeadroomArgument.init(parsing:))
  var headroom: HeadroomArgument?

  @Option(help: .text("Gain map, if it is a file of its own.", "map"))
  var map: String?

  @Option(
    name: .customLong("metadata"),
    help: .text("Its metadata: JSON of 'gainmap extract', or a file with a gain map.", "file"))
  var mapMetadata: String?

  @OptionGroup var conversion: ConversionArguments

  mutating func validate() throws {
    takeOutput(to: conversion.to)
    try checkFiles()
    try checkRequest()
  }

  func request() throws -> ConversionRequest {
    var request = try conversion.request()
    request.gainMap.use = .apply
    request.gainMap.isRequired = true
    if case .value(let headroom)? = headroom {
      request.gainMap.headroomStops = headroom.stops
    } else {
      request.content = .hdr
    }
    if let map { request.companions.gainMap = map }
    if let mapMetadata { request.companions.gainMapMetadata = mapMetadata }
    return request
  }

  func reportStart() {
    guard case .value(let headroom)? = headroom, !isQuiet else { return }
    Console.note("headroom \(headroom.text)")
  }
}

extension ApplyGainMap: ConvertingVerb {}
