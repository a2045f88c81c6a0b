// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion
import HDRCore
import ImageFiles

/// `render` from a PQ AVIF of 12 megapixels to an SDR JPEG, as the command does it, and the share of the
/// time that is spent outside the codecs: 4:2:0, and 4:4:4, which `convert` makes of photos.
///
/// Opening and decoding alone, and coding of the finished samples alone, count as the codecs'.
func measureRendering(_ scene: Scene) throws -> [Measurement] {
  try [ChromaSubsampling.yuv420, .yuv444].flatMap { try measureRendering(scene, $0) }
}

private func measureRendering(
  _ scene: Scene, _ chroma: ChromaSubsampling
) throws -> [Measurement] {
  let execution = Execution(threads: 2)
  let coded = try file(of: scene, chroma)
  let source = ByteSource(coded)
  let title = "render AVIF \(chroma.rawValue) -> SDR JPEG"
  var request = ConversionRequest(format: .jpeg, quality: 90)
  request.rendition.headroomStops = 0
  request.color.primaries = .bt709
  func render() throws(ImageError) -> [UInt8] {
    try ImageFile(parsing: source).converted(request).bytes
  }
  // The finished samples, in memory.
  let rendered = try SourceImage.open(ByteSource(try render())).image
  let image = OutputImage(
    try Image(rendered.description, planes: try rendered.planes().planes))
  var failure: (any Error)?
  func noting(_ body: () throws(ImageError) -> Void) {
    do { try execution.run(body) } catch { failure = error }
  }
  let parts: [() -> Void] = [
    {
      noting { () throws(ImageError) in _ = try render() }
    },
    { noting { () throws(ImageError) in _ = try SourceImage.open(source).image.makeReader() } },
    {
      noting { () throws(ImageError) in
        _ = try image.encoded(as: .jpeg, options: EncoderOptions(quality: 90))
      }
    },
  ]
  var results = [
    Measurement(
      name: "\(title), what is read", value: Double(coded.count) * 8 / Double(Scene.pixels),
      unit: "bits/pixel")
  ]
  for (clock, time) in [
    ("processor time", { (body: () -> Void) in bestProcessorTime(of: 5, body) }),
    ("2 threads", { (body: () -> Void) in bestTime(of: 5, body) }),
  ] {
    let times = parts.map(time)
    let names = ["all", "decoding alone", "coding alone"]
    results += zip(names, times).map { name, time in
      Measurement(
        name: "\(title), \(name), \(clock)",
        value: time / Double(Scene.pixels) * 1e9, unit: "ns/pixel")
    }
    results.append(
      Measurement(
        name: "\(title), outside codecs, \(clock)",
        value: 100 * (1 - (times[1] + times[2]) / times[0]), unit: "% of the time", goal: 15))
  }
  if let failure { throw failure }
  return results
}

/// A PQ AVIF of 10 bits with its light levels, as `convert` makes it of the scene.
private func file(of scene: Scene, _ chroma: ChromaSubsampling) throws -> [UInt8] {
  var format = Scene.format
  (format.samples, format.components) = (.integer(bits: 10), .ycbcr(chroma))
  let encoding = ColorEncoding(
    primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
  let result = try ImageTransform(
    validating: scene.image.description, to: .init(layout: format, color: encoding)
  ).run(scene.image, execution: Execution(threads: 2))
  var image = result.image
  image.light.contentLightLevel = result.lightLevels.contentLightLevel
  return try OutputImage(image)
    .encoded(as: .avif, options: EncoderOptions(quality: 90, speed: 9))
}
