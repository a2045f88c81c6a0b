// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if EXR
@Suite("EXR headers") struct EXRHeaderTests {
  /// Damaged files of OpenEXR's own test suite and its fuzzers.
  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"), .timeLimit(.minutes(1)),
    arguments: Corpus.files(in: ["malformed-exr"]))
  func malformed(path: String) throws {
    let limits = ImageLimits(pixels: 1 << 26, memory: 1 << 28)
    #expect(throws: ImageError.self) {
      let document = try Corpus.open(path, options: OpeningOptions(limits: limits))
      let reader = try document.image.makeReader()
      let height = document.image.layout.height
      for first in stride(from: 0, to: height, by: 64) {
        _ = try reader.read(rows: first..<min(first + 64, height))
      }
    }
  }

  @Test func channelsOfLayer() throws {
    var file = EXRBytes()
    file.channels([("beauty.B", 1), ("beauty.G", 1), ("beauty.R", 1), ("Z", 2)])
    file.windows(data: (0, 0, 7, 7), display: (0, 0, 7, 7))
    let layout = try EXRLayout(of: try file.header())
    #expect(layout.channels == ["beauty.R", "beauty.G", "beauty.B"])
    #expect(layout.notices.map(\.category) == [.assumed, .dropped])
  }

  private func layout(
    _ channels: [String], _ selection: OpeningOptions.ImageSelection? = nil
  ) throws -> EXRLayout {
    var file = EXRBytes()
    file.channels(channels.sorted().map { ($0, 1) })
    file.windows(data: (0, 0, 7, 7), display: (0, 0, 7, 7))
    return try EXRLayout(of: try file.header(), selection)
  }

  /// The image that people mean, never the first of the alphabet.
  @Test(arguments: [
    ["AO.R", "AO.G", "AO.B", "beauty.R", "beauty.G", "beauty.B", "beauty.A"],
    [
      "AO.R", "AO.G", "AO.B", "Layer.Combined.R", "Layer.Combined.G", "Layer.Combined.B",
      "Depth.Z",
    ],
    ["AO.R", "AO.G", "AO.B", "rgba.r", "rgba.g", "rgba.b", "rgba.a"],
    [
      "AO.R", "AO.G", "AO.B", "RGBA.red", "RGBA.green", "RGBA.blue", "Normal.X", "Normal.Y",
      "Normal.Z",
    ],
    ["AO.R", "AO.G", "AO.B", "r", "g", "b", "z"],
    ["AO.R", "AO.G", "AO.B", "Z", "other.R", "other.G", "other.B", "other.A"],
  ])
  func defaultLayer(channels: [String]) throws {
    let layout = try layout(channels)
    #expect(layout.components == .rgb)
    #expect(!layout.channels.contains { $0.hasPrefix("AO.") })
    #expect(layout.channels.count >= 3)
  }

  /// Of several usual names, the one with the fewest other words is meant.
  @Test(arguments: [
    ("A.Combined", "Composite.Combined"), ("Albedo.RGBA", "Beauty.RGBA"),
    ("Albedo.RGBA", "Beauty.RGB"), ("Albedo.rgba", "beauty"), ("A.rgba", "Final.rgba"),
    ("A.main", "Z.Combined"),
  ])
  func usualNames(other: String, expected: String) throws {
    let channels = [other, expected].flatMap { layer in ["B", "G", "R"].map { "\(layer).\($0)" } }
    #expect(try layout(channels).channels == ["R", "G", "B"].map { "\(expected).\($0)" })
  }

  /// Names of parts count as well if their channels have a layer.
  @Test(arguments: [
    ("N", "N", "beauty", "C"), ("A", "A", "rgba", "x"), ("A", "N", "main", "N"),
    ("A", "A", "Beauty", "Beauty"),
  ])
  func layersOfParts(part: String, layer: String, expected: String, expectedLayer: String) throws {
    let header = try header([(part, layer + "."), (expected, expectedLayer + ".")])
    #expect(try EXRLayout(of: header).partIndex == 1)
  }

  /// A file with several parts, the channels of which have a prefix.
  private func header(_ parts: [(name: String, prefix: String)]) throws -> EXRHeader {
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      var file = EXRBytes(flags: 0x1000)
      file.attribute("name", "string", Array(part.name.utf8))
      file.attribute("type", "string", Array("scanlineimage".utf8))
      file.channels(["B", "G", "R"].map { (part.prefix + $0, 1) })
      file.windows(data: (0, 0, 7, 7), display: (0, 0, 7, 7))
      bytes += index == 0 ? file.complete : Array(file.complete.dropFirst(8))
    }
    return try EXRHeader.read(from: ByteSource(bytes + [0]), limits: ImageLimits())
  }

  @Test func selectedLayer() throws {
    let channels = ["B", "G", "R", "v.AO.B", "v.AO.G", "v.AO.R", "v.Depth.Z", "right.Y"]
    #expect(try layout(channels).channels == ["R", "G", "B"])
    #expect(try layout(channels, .name("v.AO")).channels == ["v.AO.R", "v.AO.G", "v.AO.B"])
    #expect(try layout(channels, .name("ao")).channels == ["v.AO.R", "v.AO.G", "v.AO.B"])
    #expect(try layout(channels, .name("v.Depth")).channels == ["v.Depth.Z"])
    #expect(try layout(channels, .name("right")).channels == ["right.Y"])
    #expect(try layout(channels, .number(1)).channels == ["R", "G", "B"])
    let error = #expect(throws: ImageError.self) { try layout(channels, .number(9)) }
    #expect(error?.code.id == "image/unknown")
  }

  /// The first of several views in one part has channels without its name.
  @Test func views() throws {
    var file = EXRBytes()
    file.channels(["B", "G", "R", "left.B", "left.G", "left.R"].map { ($0, 1) })
    file.attribute(
      "multiView", "stringvector",
      [5, 0, 0, 0] + Array("right".utf8) + [4, 0, 0, 0]
        + Array("left".utf8))
    file.windows(data: (0, 0, 7, 7), display: (0, 0, 7, 7))
    let header = try file.header()
    #expect(EXRImages(of: header).all.map(\.name) == ["right", "left"])
    #expect(try EXRLayout(of: header).channels == ["R", "G", "B"])
    #expect(try EXRLayout(of: header, .name("right")).channels == ["R", "G", "B"])
    #expect(
      try EXRLayout(of: header, .name("left")).channels == ["left.R", "left.G", "left.B"])
  }

  /// Parts are chosen by their names.
  @Test func parts() throws {
    func header(_ names: [String]) throws -> EXRHeader {
      try self.header(names.map { ($0, "") })
    }
    #expect(try EXRLayout(of: header(["AO", "beauty", "Z"])).partIndex == 1)
    #expect(try EXRLayout(of: header(["AO", "depth", "rgba.left"])).partIndex == 2)
    #expect(try EXRLayout(of: header(["AO_main", "depth_main", "rgba_main"])).partIndex == 2)
    #expect(try EXRLayout(of: header(["depth_main", "rgb_main"])).partIndex == 1)
    #expect(try EXRLayout(of: header(["first", "albedo_color"])).partIndex == 0)
    #expect(try EXRLayout(of: header(["first", "second"])).partIndex == 0)
    #expect(try EXRLayout(of: header(["AO", "beauty"]), .name("AO")).partIndex == 0)
    #expect(try EXRLayout(of: header(["AO", "beauty"]), .number(1)).partIndex == 0)
    #expect(try EXRLayout(of: header(["AO", "beauty"]), .name("part 0")).partIndex == 0)
  }

  /// OpenEXR reads such values by their type: it would parse other attributes than the header has.
  @Test(
    "values of another size than that of their type are malformed",
    arguments: [
      ("lineOrder", []), ("float", [0, 0, 0]), ("box2i", [UInt8](repeating: 0, count: 17)),
      ("chlist", [0, 0]), ("floatvector", [0, 0, 0, 0, 0]), ("stringvector", [9, 0, 0, 0]),
      ("preview", [255, 255, 255, 255, 255, 255, 255, 255]),
    ] as [(String, [UInt8])])
  func sizesOfValues(type: String, value: [UInt8]) throws {
    var file = EXRBytes()
    file.channels([("Y", 1)])
    file.attribute("a", type, value)
    file.windows(data: (0, 0, 7, 7), display: (0, 0, 7, 7))
    let error = #expect(throws: ImageError.self) { try file.header() }
    #expect(error?.category == .malformed)
  }

  @Test func chromaWithoutLuminanceIsUnsupported() throws {
    var file = EXRBytes()
    file.channels([("BY", 1), ("RY", 1)])
    file.windows(data: (0, 0, 7, 7), display: (0, 0, 7, 7))
    let header = try file.header()
    let error = #expect(throws: ImageError.self) { try EXRLayout(of: header) }
    #expect(error?.category == .unsupported)
    #expect(error?.code.english == "no layer has R, G and B, or Y; channels: {channels channel}")
    #expect(error?.parameters["channels"] == .list([.text("BY"), .text("RY")]))
  }

  @Test func deepIsUnsupported() throws {
    var file = EXRBytes(flags: 0x800)
    file.attribute("type", "string", Array("deepscanline".utf8))
    file.channels([("B", 1), ("G", 1), ("R", 1)])
    file.windows(data: (0, 0, 7, 7), display: (0, 0, 7, 7))
    let header = try file.header()
    let error = #expect(throws: ImageError.self) { try EXRLayout(of: header) }
    #expect(error?.category == .unsupported)
  }

  /// The number of chunks is limited by the file size, and their size by the memory limit.
  @Test func sizes() throws {
    var file = EXRBytes()
    file.channels([("Y", 1)])
    file.windows(data: (0, 0, 9, 59_999), display: (0, 0, 9, 59_999))
    let layout = try EXRLayout(of: try file.header())
    let limits = ImageLimits()
    let truncated = #expect(throws: ImageError.self) {
      try layout.check(limits: limits, chunksAtOnce: 2, headerEnd: 300, fileSize: 1000)
    }
    #expect(truncated?.category == .truncated)
    try layout.check(limits: limits, chunksAtOnce: 2, headerEnd: 300, fileSize: 480_300)
    let tooLarge = #expect(throws: ImageError.self) {
      try layout.check(
        limits: ImageLimits(memory: 32), chunksAtOnce: 2, headerEnd: 300, fileSize: 480_300)
    }
    #expect(tooLarge?.category == .limitExceeded)
  }

  @Test func whiteLuminanceThatCannotBeIsIgnored() throws {
    let cases: [(Float, Double)] = [
      (1, 203), (100, 100), (10_000, 10_000), (3e38, 203), (.infinity, 203), (.nan, 203),
    ]
    for (luminance, expected) in cases {
      var file = EXRBytes()
      file.channels([("Y", 1)])
      file.windows(data: (0, 0, 0, 0), display: (0, 0, 0, 0))
      file.attribute("whiteLuminance", "float", EXRBytes.bytes(of: luminance.bitPattern))
      let document = try SourceImage(
        decoding:
          ByteSource(file.complete + [UInt8](repeating: 0, count: 64)), options: OpeningOptions())
      #expect(document.image.color.referenceWhite == expected)
      let isTaken = Double(luminance) == expected
      #expect(document.notices.contains { $0.location.path == ["whiteLuminance"] } == !isTaken)
    }
  }
}

/// The beginning of a single-part OpenEXR file.
struct EXRBytes {
  private var bytes: [UInt8]

  init(flags: UInt32 = 0) {
    bytes = Self.bytes(of: UInt32(20_000_630)) + Self.bytes(of: 2 | flags)
    attribute("compression", "compression", [0])
  }

  static func bytes<T: FixedWidthInteger>(of value: T) -> [UInt8] {
    stride(from: 0, to: T.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> T($0)) }
  }

  mutating func attribute(_ name: String, _ type: String, _ value: [UInt8]) {
    bytes += Array(name.utf8) + [0] + Array(type.utf8) + [0]
    bytes += Self.bytes(of: Int32(value.count)) + value
  }

  mutating func channels(_ channels: [(name: String, pixelType: Int32)]) {
    var value: [UInt8] = []
    for channel in channels {
      value += Array(channel.name.utf8) + [0] + Self.bytes(of: channel.pixelType)
      value += [0, 0, 0, 0] + Self.bytes(of: Int32(1)) + Self.bytes(of: Int32(1))
    }
    attribute("channels", "chlist", value + [0])
  }

  mutating func windows(
    data: (Int32, Int32, Int32, Int32), display: (Int32, Int32, Int32, Int32)
  ) {
    for (name, window) in [("dataWindow", data), ("displayWindow", display)] {
      let value = [window.0, window.1, window.2, window.3].flatMap { Self.bytes(of: $0) }
      attribute(name, "box2i", value)
    }
  }

  var complete: [UInt8] { bytes + [0] }

  func header() throws(ImageError) -> EXRHeader {
    try EXRHeader.read(from: ByteSource(complete), limits: ImageLimits())
  }
}
#endif
