// SPDX-License-Identifier: Apache-2.0
import Foundation
import GainMap
import HDRConversion
import HDRCore
import ImageFiles

/// Gain maps applied and made, from samples in memory to samples in memory, without codecs.
///
/// Light levels are not measured, which other programs do not do either. Goals are for what two cores
/// need, processor time shared by two; the elapsed time is listed as well.
func measureGainMaps(_ scene: Scene) throws -> [Measurement] {
  let images = try GainMapImages(scene)
  var results: [Measurement] = []
  for base in [images.full, images.subsampled] {
    for map in [try images.map(of: base, .smallGray), try images.map(of: base, .fullColor)] {
      for target in ApplyTarget.allCases {
        var conversion = try ImageTransform(
          validating: base.image.description,
          to: .init(layout: target.format, color: target.encoding)
        ).applying(map.map, for: map.map.metadata.fullHeadroom)
        conversion.measurement = .nothing
        results += try measure(
          "apply \(base.name) + \(map.variant.rawValue) -> \(target.rawValue)",
          bytes: base.bytes + map.variant.bytes + target.bytes, goal: target.goal
        ) { () throws(ImageError) in _ = try conversion.run(base.image) }
      }
    }
  }
  for variant in MapVariant.allCases {
    let creation = try images.creation(of: images.subsampled, variant)
    results += try measure(
      "compute \(images.subsampled.name) -> \(variant.rawValue)",
      bytes: images.subsampled.bytes + 6 + variant.bytes, goal: variant.goal
    ) { () throws(ImageError) in
      _ = try creation.run(
        base: try images.subsampled.image.makeReader(),
        alternate: try images.hdr.makeReader())
    }
  }
  return results
}

/// A size and number of components of a gain map.
private enum MapVariant: String, CaseIterable {
  case smallGray = "gray map, 1/4"
  case fullColor = "RGB map, 1:1"

  var options: GainMapCreation.Options {
    GainMapCreation.Options(
      componentCount: self == .smallGray ? 1 : 3, scale: self == .smallGray ? 4 : 1)
  }

  /// Of a map, for a pixel of the image; samples of 8 bits take two bytes, too.
  var bytes: Double { self == .smallGray ? 2 / 16.0 : 6 }

  /// Nanoseconds for a pixel to make it.
  var goal: Double { self == .smallGray ? 2 : 3 }
}

/// Result of applying a map.
private enum ApplyTarget: String, CaseIterable {
  case pq = "PQ 10 bit"
  case half = "linear half"

  var format: ImageLayout {
    var format = Scene.format
    format.samples = self == .pq ? .integer(bits: 10) : .half
    return format
  }

  var encoding: ColorEncoding {
    ColorEncoding(primaries: .bt2020, transfer: self == .pq ? .pq : .linear)
  }

  var bytes: Double { 6 }

  /// Nanoseconds for a pixel.
  var goal: Double { self == .pq ? 2 : 1.5 }
}

/// A base of 8 bits in P3, as JPEG has it, and the rendition with headroom that belongs to it.
private struct GainMapImages {
  struct Base {
    var name: String
    var image: Image
    /// For a pixel.
    var bytes: Double
  }

  let hdr: Image
  let full: Base
  let subsampled: Base

  init(_ scene: Scene) throws {
    var format = Scene.format
    format.samples = .integer(bits: 16)
    hdr = try scene.image.transformed(
      to: .init(layout: format, color: ColorEncoding(primaries: .bt2020, transfer: .pq)),
      execution: Execution(threads: 2))
    func base(_ chroma: ChromaSubsampling) throws -> Base {
      var format = Scene.format
      format.samples = .integer(bits: 8)
      format.components = .ycbcr(chroma)
      let coding = ImageDescription(
        layout: format,
        color: ColorEncoding(
          primaries: .displayP3, transfer: .srgb, matrix: .bt601, chromaLocation: .center))
      return Base(
        name: chroma == .yuv444 ? "4:4:4" : "4:2:0",
        image: try scene.image.transformed(
          to: coding, exposure: -2, execution: Execution(threads: 2)),
        bytes: chroma == .yuv444 ? 6 : 3)
    }
    full = try base(.yuv444)
    subsampled = try base(.yuv420)
  }

  func creation(of base: Base, _ variant: MapVariant) throws -> GainMapCreation {
    try GainMapCreation(
      base: base.image.description, alternate: hdr.description, options: variant.options)
  }

  func map(of base: Base, _ variant: MapVariant) throws -> (map: GainMapImage, variant: MapVariant)
  {
    let map = try creation(of: base, variant).run(
      base: try base.image.makeReader(), alternate: try hdr.makeReader())
    return (map, variant)
  }
}

/// Files with the images that maps are applied to, for other programs: `gray.jpg` and `color.jpg`.
func writeGainMapFiles(into folder: URL) throws {
  let image = OutputImage(try Scene().image)
  let file = try ImageFile(
    parsing: ByteSource(try image.encoded(as: .exr, options: EncoderOptions(quality: 90))))
  for variant in MapVariant.allCases {
    var request = ConversionRequest(format: .jpeg, quality: 90, content: .gainMap)
    request.coding.chroma = .yuv420
    request.gainMap.componentCount = variant.options.componentCount
    request.gainMap.scale = variant.options.scale
    let name = variant == .smallGray ? "gray.jpg" : "color.jpg"
    try file.convert(to: folder.appendingPathComponent(name).path(), request)
  }
}

/// Time on the wall with one and with two threads, and processor time shared by two cores.
func measure(
  _ name: String, bytes: Double, goal: Double?, _ body: () throws -> Void
) throws -> [Measurement] {
  // A copy reads and writes each byte.
  let copy = copyTime(bytes: Int(bytes / 2) * Scene.pixels)
  let perPixel = 1e9 / Double(Scene.pixels)
  var failure: (any Error)?
  func run(_ threads: Int) {
    let execution = Execution(threads: threads)
    do { try execution.run(body) } catch { failure = error }
  }
  let shared = bestProcessorTime { run(2) } / 2
  var results = [
    Measurement(
      name: "\(name), on two cores", value: shared * perPixel, unit: "ns/pixel", goal: goal)
  ]
  for threads in [1, 2] {
    let time = bestTime(of: 5) { run(threads) }
    results.append(
      Measurement(
        name: "\(name), \(threads) threads", value: time * perPixel, unit: "ns/pixel",
        copies: time / copy))
  }
  if let failure { throw failure }
  return results
}
