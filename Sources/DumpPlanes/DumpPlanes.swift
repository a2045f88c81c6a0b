// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Writes the decoded planes of an image as one YUV4MPEG2 frame.
///
/// `scripts/interop` compares them with those of other decoders. RGB is written in the plane order
/// of matrix coefficients 0: green, blue, red. Alpha is omitted.
///
/// An output named `.raw` contains all planes one after the other, with alpha last: integers of 16
/// bits or floating point of 32 bits, in native byte order.
@main
enum DumpPlanes {
  static func main() {
    guard CommandLine.arguments.count == 3 else {
      fail("usage: dump-planes IMAGE OUT.y4m|OUT.raw", status: 64)
    }
    do {
      let isRaw = CommandLine.arguments[2].hasSuffix(".raw")
      let path = CommandLine.arguments[1]
      let frame = try isRaw ? planes(of: path) : frame(of: path)
      try frame.write(to: URL(fileURLWithPath: CommandLine.arguments[2]))
    } catch {
      fail("dump-planes: \(error)", status: 65)
    }
  }

  private static func planes(of path: String) throws -> Data {
    let source = try ByteSource(path: path)
    let decoded = try SourceImage(decoding: source, options: OpeningOptions()).image
    var data = Data()
    switch try decoded.makeReader().read(rows: 0..<decoded.layout.height).planes {
    case .integer(let planes), .half(let planes):
      for plane in planes { append(plane, to: &data) }
    case .float(let planes):
      for plane in planes { append(plane, to: &data) }
    }
    return data
  }

  private static func append<Sample>(_ plane: Plane<Sample>, to data: inout Data) {
    let samples = plane.span
    for index in samples.indices {
      // SAFETY: the bytes of the sample are copied.
      unsafe withUnsafeBytes(of: samples[index]) { unsafe data.append(contentsOf: $0) }
    }
  }

  private static func frame(of path: String) throws -> Data {
    let source = try ByteSource(path: path)
    let decoded = try SourceImage(decoding: source, options: OpeningOptions()).image
    guard case .integer(let bits) = decoded.layout.samples else {
      throw ImageError(
        .unsupportedValue, ["field": "type of YUV4MPEG2 samples", "value": "floating point"])
    }
    let image = try decoded.makeReader().read(rows: 0..<decoded.layout.height)
    guard case .integer(let planes) = image.planes else {
      throw ImageError(
        .unsupportedValue, ["field": "type of YUV4MPEG2 samples", "value": "floating point"])
    }
    var frame = Data(header(of: decoded.layout, decoded.color, bits: bits).utf8)
    for plane in codedOrder(planes, components: decoded.layout.components) {
      let samples = plane.span
      for index in samples.indices {
        frame.append(UInt8(truncatingIfNeeded: samples[index]))
        if bits > 8 { frame.append(UInt8(samples[index] >> 8)) }
      }
    }
    return frame
  }

  private static func header(of format: ImageLayout, _ color: ColorEncoding, bits: Int) -> String {
    let depth = bits > 8 ? "p\(bits)" : ""
    let layout =
      switch format.chroma {
      case .yuv400: bits > 8 ? "mono\(bits)" : "mono"
      case .yuv420: bits > 8 ? "420\(depth)" : "420jpeg"
      case .yuv422, .yuv444: format.chroma.rawValue + depth
      }
    let range = color.isFullRange ? "FULL" : "LIMITED"
    return "YUV4MPEG2 W\(format.width) H\(format.height) F25:1 Ip A0:0 C\(layout)"
      + " XCOLORRANGE=\(range)\nFRAME\n"
  }

  private static func codedOrder(
    _ planes: [Plane<UInt16>], components: ImageLayout.Components
  ) -> [Plane<UInt16>] {
    switch components {
    case .gray: [planes[0]]
    case .rgb: [planes[1], planes[2], planes[0]]
    case .ycbcr: Array(planes.prefix(3))
    }
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
  }
}
