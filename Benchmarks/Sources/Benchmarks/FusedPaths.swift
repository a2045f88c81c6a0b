import Foundation
import HDRCore

/// Whole conversions without codecs: light to codes and back, with measurement, on one thread and on
/// all, beside a copy of the bytes that go in and out.
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
    _ name: String, _ image: ImagePlanes, _ source: ColorEncoding, to format: ImageLayout,
    _ target: ColorEncoding, rendition: Rendition? = nil, isDithered: Bool = false
  ) -> ImagePlanes {
    var conversion = ImageTransform(
      from: .init(layout: image.layout, color: source),
      to: .init(layout: format, color: target), rendition: rendition)
    conversion.isDithered = isDithered
    var output = image
    let copy = copyTime(bytes: bytesPerPixel(image.layout, format) * Scene.pixels)
    for threads in [1, ProcessInfo.processInfo.activeProcessorCount] {
      let time = bestTime(of: 3) { output = conversion.run(image, threads: threads).image }
      results.append(
        Measurement(
          name: "\(name), \(threads) threads", value: time / Double(Scene.pixels) * 1e9,
          unit: "ns/pixel", copies: time / copy))
    }
    return output
  }

  _ = measure("linear P3 -> PQ RGB 10 bit", scene.image, Scene.linear, to: rgb10, pq)
  let coded = measure("linear P3 -> PQ 4:2:0 10 bit", scene.image, Scene.linear, to: yuv420, ycbcr)
  var linear = pq
  linear.transfer = .linear
  _ = measure("PQ 4:2:0 10 bit -> linear", coded, ycbcr, to: Scene.format, linear)
  var hlg = pq
  hlg.transfer = .hlg
  let shoulder = try RationalShoulder(
    content: Headroom(ratio: 10_000 / 203), display: Headroom(ratio: 1000 / 203))
  _ = measure(
    "PQ 4:2:0 10 bit -> HLG RGB", coded, ycbcr, to: rgb10, hlg,
    rendition: Rendition(.shoulder(shoulder), gamutMapping: .clip))

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
