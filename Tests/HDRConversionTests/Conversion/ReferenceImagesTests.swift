// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG && TIFF && EXR && JPEGXL
import Foundation
import GainMap
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import Testing

/// A file of `reference-images/containers`, with the samples that readers should find.
///
/// `scripts/interop.d/reference_files.py` computed them in double precision with NumPy.
struct ReferenceImage: Decodable, CustomTestStringConvertible, Sendable {
  struct Sample: Decodable, Sendable {
    var x: Int
    var y: Int
    /// Linear BT.2020, in cd/m².
    var luminance: [Double]
    /// Code values of red, green and blue.
    var code: [Int]
  }

  /// Largest differences: of code values, and of luminance as a ratio and in cd/m².
  enum Tolerance: Decodable, Sendable {
    case codes(Int)
    case gainMap(hdrRelative: Double, hdrLuminance: Double)
    case raw(sceneRelative: Double, sceneLuminance: Double)

    private enum CodingKeys: String, CodingKey {
      case hdrRelative, hdrLuminance, sceneRelative, sceneLuminance
    }

    init(from decoder: any Decoder) throws {
      if let codes = try? decoder.singleValueContainer().decode(Int.self) {
        self = .codes(codes)
        return
      }
      let values = try decoder.container(keyedBy: CodingKeys.self)
      if let relative = try values.decodeIfPresent(Double.self, forKey: .sceneRelative) {
        let luminance = try values.decode(Double.self, forKey: .sceneLuminance)
        self = .raw(sceneRelative: relative, sceneLuminance: luminance)
        return
      }
      self = .gainMap(
        hdrRelative: try values.decode(Double.self, forKey: .hdrRelative),
        hdrLuminance: try values.decode(Double.self, forKey: .hdrLuminance))
    }
  }

  var file: String
  var width: Int
  var height: Int
  var bitsPerSample: Int
  /// Flavors of the gain map; `nil` for an image without one.
  var flavors: [String]?
  /// The baseline image of a gain map, `sdr` or `hdr`.
  var baseline: String?
  var tolerance: Tolerance
  var samples: [Sample]

  var testDescription: String { file }
  private var isRaw: Bool { if case .raw = tolerance { true } else { false } }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../reference-images").standardized

  static let all: [ReferenceImage] = {
    let list = folder.appending(path: "containers/expected.json")
    guard let data = try? Data(contentsOf: list) else { return [] }
    return (try? JSONDecoder().decode([ReferenceImage].self, from: data)) ?? []
  }()

  static let withGainMaps = all.filter { $0.flavors != nil }
  static let withoutGainMaps = all.filter { $0.flavors == nil && !$0.isRaw }
  static let raw = all.filter(\.isRaw)

  static func open(_ path: String) throws -> SourceImage {
    try SourceImage(
      decoding:
        ByteSource(path: folder.appending(path: path).path()), options: OpeningOptions())
  }

  func open() throws -> SourceImage { try Self.open("containers/\(file)") }
}

/// One file in every format, and every flavor of gain maps, without the corpus.
@Suite("Reference images") struct ReferenceImagesTests {
  /// Linear BT.2020 in cd/m², as OpenEXR would store it.
  private func luminance(
    _ document: SourceImage, gainMap: ConversionOptions.GainMapUse = .full
  ) throws -> [Plane<Float>] {
    var options = ConversionOptions(format: .exr, encoder: EncoderOptions(isLossless: true))
    options.gainMap = gainMap
    let output = try ImageConverter(options).run(document).output.image
    #expect(output.color.transfer == .linear && output.color.primaries == .bt2020)
    let white = Float(output.color.referenceWhite)
    guard case .float(let planes) = try output.planes().planes else { return [] }
    return planes.map { plane in
      Plane(width: plane.width, height: plane.height) { target in
        for y in 0..<plane.height {
          let row = plane.row(y)
          for x in row.indices { target.append(row[x] * white) }
        }
      }
    }
  }

  @Test func everyFormatAndFlavorIsThere() {
    let suffixes = Set(ReferenceImage.all.map { String($0.file.split(separator: ".").last ?? "") })
    #expect(suffixes == ["heic", "avif", "jpg", "jxl", "png", "tif", "dng"])
    let flavors = Set(ReferenceImage.withGainMaps.flatMap { $0.flavors ?? [] })
    #expect(flavors == Set(GainMapFlavor.allCases.map(\.rawValue)))
  }

  /// Linear values, with the precision of single floats and of RGBE.
  @Test(arguments: [("chart.exr", 1e-5), ("chart.hdr", 1 / 256.0)])
  func linearValues(file: String, precision: Double) throws {
    let planes = try luminance(ReferenceImage.open(file))
    try #require(planes.count == 3)
    for sample in try #require(ReferenceImage.withoutGainMaps.first).samples {
      let largest = try #require(sample.luminance.max())
      for (plane, expected) in zip(planes, sample.luminance) {
        let found = Double(plane.row(sample.y)[sample.x])
        #expect(abs(found - expected) <= precision * largest, "\(sample.x), \(sample.y)")
      }
    }
  }

  /// Code values of PQ and HLG are those that were encoded, also as 16-bit PNG.
  @Test(arguments: ReferenceImage.withoutGainMaps)
  func codeValues(file: ReferenceImage) throws {
    let document = try file.open()
    let transfer = document.image.color.transfer
    #expect(file.file.contains("-\(transfer == .pq ? "pq" : "hlg")."))
    #expect(document.image.color.primaries == .bt2020)
    #expect(
      document.image.layout.width == file.width && document.image.layout.height == file.height)
    var options = ConversionOptions(format: .png, encoder: EncoderOptions())
    options.transfer = transfer
    let output = try ImageConverter(options).run(document).output.image
    guard case .integer(let planes) = try output.planes().planes, planes.count == 3,
      case .codes(let tolerance) = file.tolerance
    else {
      Issue.record("no integer samples")
      return
    }
    let scale = Double((1 << file.bitsPerSample) - 1) / 65_535
    for sample in file.samples {
      for (plane, code) in zip(planes, sample.code) {
        let found = Double(plane.row(sample.y)[sample.x]) * scale
        #expect(
          abs(found - Double(code)) <= Double(tolerance) + 0.01, "\(sample.x), \(sample.y)")
      }
    }
  }

  /// Scene-linear values are those of the sensor in the primaries of its filters.
  @Test(arguments: ReferenceImage.raw)
  func sceneValues(file: ReferenceImage) throws {
    guard case .raw(let relative, let absolute) = file.tolerance else {
      Issue.record("no tolerance")
      return
    }
    let path = ReferenceImage.folder.appending(path: "containers/\(file.file)").path()
    var development = RawDevelopment.sceneLinear
    development.highlights = .keep
    let planes = try luminance(
      SourceImage.open(ByteSource(path: path), developing: development))
    try #require(planes.count == 3)
    for sample in file.samples {
      for (plane, expected) in zip(planes, sample.luminance) {
        let found = Double(plane.row(sample.y)[sample.x])
        #expect(abs(found - expected) <= relative * expected + absolute, "\(sample.x), \(sample.y)")
      }
    }
  }

  /// The gain map applied in full reproduces the chart.
  @Test(arguments: ReferenceImage.withGainMaps)
  func gainMaps(file: ReferenceImage) throws {
    let document = try file.open()
    let found = try #require(document.gainMap)
    #expect(Set(found.carriers.map(\.flavor.rawValue)) == Set(file.flavors ?? []))
    guard case .gainMap(let relative, let absolute) = file.tolerance else {
      Issue.record("no tolerance")
      return
    }
    // The gain map does not apply to the baseline image.
    let isHDR = file.baseline == "hdr"
    for use in [ConversionOptions.GainMapUse.full] + (isHDR ? [.none] : []) {
      let planes = try luminance(document, gainMap: use)
      try #require(planes.count == 3)
      for sample in file.samples {
        for (plane, expected) in zip(planes, sample.luminance) {
          let found = Double(plane.row(sample.y)[sample.x])
          #expect(
            abs(found - expected) <= relative * expected + absolute, "\(sample.x), \(sample.y)")
        }
      }
    }
  }
}
#endif
