// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@testable import HDRConversion
@testable import ImageCodecs
@testable import ImageFiles

#if AVIF && PNG && JPEG && TIFF && EXR && HEIF && JPEGXL && RAW
/// Every cell of the table in `Documentation/Conversions.md`, with files.
@Suite("Conversion table") struct ConversionTableTests {
  /// An input, and the color and depth of SDR images that are made of it.
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var content: InputContent
    var bytes: @Sendable () throws -> [UInt8]
    var primaries = ColorPrimaries.bt709
    var bits = 8
    /// Whether an output in JPEG is SDR, since hardly any pixels are brighter than reference white.
    var isWithoutHeadroom = false

    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "SDR PNG, sRGB", content: .sdr) {
      try ramp(.png, ColorEncoding(primaries: .bt709, transfer: .srgb))
    },
    Row(
      name: "SDR JPEG, Display P3", content: .sdr,
      bytes: { try ramp(.jpeg, ColorEncoding(primaries: .displayP3, transfer: .srgb)) },
      primaries: .displayP3),
    Row(
      name: "SDR TIFF, Adobe RGB, 16 bits", content: .sdr,
      bytes: {
        try ramp(
          .tiff, ColorEncoding(primaries: .adobeRGB, transfer: .gamma(563 / 256)), bits: 16)
      }, primaries: .adobeRGB, bits: 16),
    Row(name: "PQ", content: .hdr, bytes: reference("containers/iso22028-5-pq.avif")),
    Row(name: "HLG", content: .hdr, bytes: reference("containers/iso22028-5-hlg.png")),
    Row(
      name: "SDR signaled as PQ", content: .hdr,
      bytes: { try ramp(.png, ColorEncoding(primaries: .bt2020, transfer: .pq), bits: 16) },
      isWithoutHeadroom: true),
    Row(name: "linear", content: .linear, bytes: reference("photo.exr")),
    Row(
      name: "linear without values above reference white", content: .linear,
      bytes: { try ramp(.exr, ColorEncoding(primaries: .bt2020, transfer: .linear)) },
      isWithoutHeadroom: true),
    Row(
      name: "gain map, Apple", content: .gainMap,
      bytes: reference("containers/gain-map-apple.heic")),
    Row(name: "gain map, XMP", content: .gainMap, bytes: reference("containers/gain-map-xmp.jpg")),
    Row(name: "gain map, ISO", content: .gainMap, bytes: reference("containers/gain-map-iso.avif")),
    Row(
      name: "gain map, ISO and XMP", content: .gainMap,
      bytes: reference("containers/gain-map-iso-xmp.jpg")),
    Row(
      name: "gain map of HDR", content: .gainMapOfHDR,
      bytes: reference("containers/gain-map-iso-hdr-baseline.avif")),
    Row(name: "raw mosaic", content: .raw) { mosaic().bytes },
  ]

  static let formats = FileFormat.allCases.filter(\.isWritten)

  @Test(arguments: rows, formats)
  func cell(row: Row, format: FileFormat) throws {
    let file = try ImageFile(parsing: ByteSource(try row.bytes()))
    let plan = try file.plan(for: ConversionRequest(format: format))
    let output = row.content.automaticOutput(isLimitedTo8Bits: format == .jpeg)
    #expect(plan.contents == (row.content, output))
    let (bytes, result) = try plan.bytes()
    #expect(result.format == format)

    let contents = try ImageFile(parsing: ByteSource(bytes)).contents()
    #expect(contents.format == format)
    let color = try #require(contents.primary.color).encoding
    switch output {
    case .computedGainMap where row.isWithoutHeadroom: try expectSDR(contents, row)
    case .sdr: try expectSDR(contents, row)
    case .hdr:
      #expect(contents.gainMaps.isEmpty && contents.isHighDynamicRange)
      let traits = format.traits
      #expect(color.transfer == (traits.storesLinearValues ? .linear : .pq))
      #expect(
        color.primaries.isClose(to: traits.storesScRGB ? .bt709 : .bt2020, tolerance: 1e-3))
    case .keptGainMap, .computedGainMap:
      let map = try #require(contents.gainMap)
      #expect(color.transfer == .srgb && map.metadata?.isBaseHDR == false)
      // XMP cannot express a gain in the primaries of the alternate image.
      let isISOAlone =
        row.content == .gainMapOfHDR
        || result.notices.contains {
          $0.code.english == "gain map metadata are written as ISO 21496-1 only: {cause}"
        }
      #expect(map.flavors == (isISOAlone ? [.iso] : [.iso, .xmp]))
    }
  }

  /// Checks that a file contains one SDR image, of the primaries and the depth of its input.
  private func expectSDR(_ contents: FileContents, _ row: Row) throws {
    let color = try #require(contents.primary.color).encoding
    let traits = contents.format.traits
    #expect(contents.gainMaps.isEmpty)
    // OpenEXR stores primaries without a profile, as those of a code point that contain them; scRGB has those of
    // BT.709, and values outside of them.
    let isWidened = row.primaries == .adobeRGB && !traits.carriesICC
    let primaries = traits.storesScRGB ? .bt709 : isWidened ? .bt2020 : row.primaries
    #expect(color.primaries.isClose(to: primaries, tolerance: 1e-3))
    guard !traits.storesLinearValues else {
      #expect(color.transfer == .linear)
      return
    }
    #expect(!contents.isHighDynamicRange)
    let bits = traits.isLimitedTo8Bits ? 8 : traits.isVideoCoded ? min(row.bits, 10) : row.bits
    #expect(contents.primary.layout.samples == .integer(bits: bits))
  }

  /// The table of the documentation is that of the code.
  @Test func documentation() throws {
    let page = try String(
      contentsOf: ReferenceImage.folder.appending(path: "../Documentation/Conversions.md"),
      encoding: .utf8)
    let table = page.split(separator: "\n").drop { !$0.hasPrefix("| Input") }
      .prefix { $0.hasPrefix("|") }
      .map { line in
        line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      }
    let header = try #require(table.first)
    #expect(table.count == InputContent.allCases.count + 2)
    for format in Self.formats {
      let columns = header.indices.filter {
        header[$0].components(separatedBy: ", ").contains(format.title)
      }
      #expect(columns.count == 1, "\(format.title)")
      let column = try #require(columns.first)
      for content in InputContent.allCases {
        let row = try #require(table.first { $0[0].hasPrefix("\(content.title):") })
        let output = content.automaticOutput(isLimitedTo8Bits: format.traits.isLimitedTo8Bits)
        #expect(row[column] == output.title, "\(content.title) to \(format.title)")
      }
    }
  }
}

// MARK: Inputs

extension ConversionTableTests {
  /// A small upright image in which every row and every column differs from the others.
  ///
  /// - Parameters:
  ///   - format: Format of the file.
  ///   - color: Encoding of the samples.
  ///   - nits: Luminance of the brightest pixel, in cd/m².
  ///   - bits: Bits per sample; linear values are floating point.
  /// - Returns: The bytes of the file.
  /// - Throws: Errors of encoders.
  static func ramp(
    _ format: FileFormat, _ color: ColorEncoding,
    upTo nits: Double = ColorEncoding.defaultReferenceWhite, bits: Int = 8
  ) throws -> [UInt8] {
    let (width, height) = (32, 24)
    let isLinear = color.transfer == .linear
    let layout = ImageLayout(
      width: width, height: height, components: .rgb,
      samples: isLinear ? .float : .integer(bits: bits))
    func light(_ x: Int, _ y: Int, _ component: Int) -> Double {
      let share = Double(x + 1) / Double(width) * Double(y + height) / Double(2 * height - 1)
      return share * (1 - 0.1 * Double(component)) * nits / color.referenceWhite
    }
    func plane<Sample: BitwiseCopyable>(
      _ component: Int, _ sample: (Double) -> Sample
    ) -> Plane<Sample> {
      Plane(width: width, height: height) { samples in
        for y in 0..<height {
          for x in 0..<width { samples.append(sample(light(x, y, component))) }
        }
      }
    }
    let codes = Double((1 << bits) - 1)
    let planes: ImagePlanes.Planes =
      isLinear
      ? .float((0..<3).map { plane($0) { Float($0) } })
      : .integer(
        (0..<3).map { component in
          plane(component) { light in
            let signal = color.transfer.signal(
              ofLinear: light, component: component, referenceWhite: color.referenceWhite)
            return UInt16(clamping: Int(clamping: (min(signal, 1) * codes).rounded()))
          }
        })
    let image = Image(
      ImageDescription(layout: layout, color: color), ImagePlanes(layout: layout, planes: planes))
    return try SourceImage(image).converted(ConversionRequest(format: format)).bytes
  }

  /// The bytes of a file in `reference-images`.
  static func reference(_ name: String) -> @Sendable () throws -> [UInt8] {
    { Array(try Data(contentsOf: ReferenceImage.folder.appending(path: name))) }
  }

  /// A Bayer mosaic up to saturation.
  static func mosaic() -> SyntheticDNG {
    let (width, height) = (32, 24)
    var file = SyntheticDNG(width: width, height: height)
    file.main.chunks = [
      (0..<width * height).flatMap { index in
        let share = Double(index % width + 1) / Double(width)
        let row = Double(index / width + height) / Double(2 * height - 1)
        return file.number(Int(clamping: 65_535 * share * row), 2)
      }
    ]
    return file
  }
}

// MARK: Names in the documentation

extension InputContent {
  /// The name of the row.
  fileprivate var title: String {
    switch self {
    case .sdr: "SDR"
    case .hdr: "HDR"
    case .linear: "Linear"
    case .gainMap: "SDR with a gain map"
    case .gainMapOfHDR: "HDR with a gain map"
    case .raw: "Raw"
    }
  }
}

extension OutputContent {
  /// The text of the cell.
  fileprivate var title: String {
    switch self {
    case .sdr: "SDR"
    case .hdr: "HDR"
    case .keptGainMap: "SDR and HDR: the gain map, kept"
    case .computedGainMap: "SDR and HDR: a gain map, computed"
    }
  }
}
#endif
