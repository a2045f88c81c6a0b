// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore

/// Whole conversions without codecs: linear values to code values and back, with measurement, on one
/// thread and on all, compared with a copy of the bytes that go in and out.
func measureFusedPaths(_ scene: Scene) throws -> [Measurement] {
  var results: [Measurement] = []
  let pq = ColorEncoding(primaries: .bt2020, transfer: .pq)
  var ycbcr = pq
  ycbcr.matrix = .bt2020NonConstant
  var rgb10 = Scene.format
  rgb10.samples = .integer(bits: 10)
  var yuv420 = rgb10
  yuv420.components = .ycbcr(.yuv420)

  func measure(
    _ name: String, _ image: Image, to format: ImageLayout, _ target: ColorEncoding,
    rendition: Rendition? = nil, isDithered: Bool = false
  ) throws -> Image {
    var conversion = try ImageTransform(
      validating: image.description, to: .init(layout: format, color: target),
      rendition: rendition)
    conversion.isDithered = isDithered
    var output = image
    let copy = copyTime(bytes: bytesPerPixel(image.layout, format) * Scene.pixels)
    for threads in [1, ProcessInfo.processInfo.activeProcessorCount] {
      let execution = Execution(threads: threads)
      let time = try bestTime(of: 3) {
        output = try conversion.run(image, execution: execution).image
      }
      results.append(
        Measurement(
          name: "\(name), \(threads) threads", value: time / Double(Scene.pixels) * 1e9,
          unit: "ns/pixel", copies: time / copy))
    }
    return output
  }

  _ = try measure("linear P3 -> PQ RGB 10 bit", scene.image, to: rgb10, pq)
  let coded = try measure("linear P3 -> PQ 4:2:0 10 bit", scene.image, to: yuv420, ycbcr)
  var linear = pq
  linear.transfer = .linear
  _ = try measure("PQ 4:2:0 10 bit -> linear", coded, to: Scene.format, linear)
  var hlg = pq
  hlg.transfer = .hlg
  var rendition = try Rendition(
    .shoulder, content: Headroom(ratio: 10_000 / 203), display: Headroom(ratio: 1000 / 203))
  rendition.gamutMapping = .clip
  _ = try measure("PQ 4:2:0 10 bit -> HLG RGB", coded, to: rgb10, hlg, rendition: rendition)

  return results
}

/// Half of what is read and written: a copy reads and writes each byte.
private func bytesPerPixel(_ formats: ImageLayout...) -> Int {
  let bytes = formats.map { format in
    let sample = format.samples == .float ? 4.0 : 2.0
    return format.chroma == .yuv420 ? 1.5 * sample : 3 * sample
  }
  return Int((bytes.reduce(0, +) / 2).rounded(.up))
}
