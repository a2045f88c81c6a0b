// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore

/// Renditions of a PQ image of 10 bits, for each operator: from samples in memory to samples in
/// memory, without codecs.
///
/// There is a goal for what two cores need, processor time shared by two.
func measureRenditions(_ scene: Scene) throws -> [Measurement] {
  let source = RenditionImage.coding
  let codes = try RenditionImage.image(scene)
  var format8 = Scene.format
  format8.samples = .integer(bits: 8)
  let standard = ImageDescription(
    layout: format8, color: ColorEncoding(primaries: .bt709, transfer: .srgb))
  var results: [Measurement] = []
  for method in ToneMapOperator.allCases {
    for (name, target, display) in [
      ("PQ", source, Headroom(ratio: 2)), ("SDR", standard, .standard),
    ] {
      var conversion = try ImageTransform(
        validating: source, to: target,
        rendition: Rendition(method, content: RenditionImage.headroom, display: display))
      conversion.isDithered = name == "SDR"
      // As `render` does: PQ files contain light levels.
      conversion.measurement = name == "PQ" ? .levels : .nothing
      let perPixel = 1e9 / Double(Scene.pixels)
      let execution = Execution(threads: 2)
      let shared = try bestProcessorTime { _ = try conversion.run(codes, execution: execution) } / 2
      let wall = try bestTime { _ = try conversion.run(codes, execution: execution) }
      let title = "PQ -> \(method.rawValue) -> \(name)"
      results += [
        Measurement(
          name: "\(title), on two cores", value: shared * perPixel, unit: "ns/pixel", goal: 2.5),
        Measurement(
          name: "\(title), 2 threads", value: wall * perPixel, unit: "ns/pixel",
          copies: wall / copyTime(bytes: 6 * Scene.pixels)),
      ]
    }
  }
  return results
}

/// The image that is rendered.
private enum RenditionImage {
  static let headroom = Headroom(ratio: 4000 / 203)

  static let coding: ImageDescription = {
    var format = Scene.format
    format.samples = .integer(bits: 10)
    return .init(layout: format, color: ColorEncoding(primaries: .bt2020, transfer: .pq))
  }()

  static func image(_ scene: Scene) throws -> Image {
    try scene.image.transformed(to: coding, execution: Execution(threads: 2))
  }
}

/// The image for other programs: `pq.raw`, planes of red, green and blue codes in 16 bits each.
func writeRenditionImage(into folder: URL) throws {
  guard case .integer(let planes) = try RenditionImage.image(try Scene()).planes().planes
  else { return }
  var bytes = Data(capacity: 6 * Scene.pixels)
  for plane in planes {
    for y in 0..<plane.height {
      let row = plane.row(y)
      for x in row.indices {
        bytes.append(UInt8(truncatingIfNeeded: row[x]))
        bytes.append(UInt8(truncatingIfNeeded: row[x] >> 8))
      }
    }
  }
  try bytes.write(to: folder.appendingPathComponent("pq.raw"))
}
